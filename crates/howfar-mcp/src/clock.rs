//! The one clock that every stamp of a run comes from.

use std::time::{Duration, Instant};

/// A monotonic clock with a fixed origin; copies share the origin, so stamps of several servers can be compared.
#[derive(Debug, Clone, Copy)]
pub struct WireClock {
    origin: Instant,
}

impl WireClock {
    /// A clock whose zero is now.
    pub fn start() -> Self {
        Self { origin: Instant::now() }
    }

    /// Time since the origin.
    pub fn now(self) -> Duration {
        self.origin.elapsed()
    }
}
