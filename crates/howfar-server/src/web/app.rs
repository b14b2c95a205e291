//! What every handler of the dashboard needs.

use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::Access;
use crate::read::Source;

/// How many live streams may be open at the same time, over all readers.
const MAX_STREAMS: usize = 32;

/// How often a live stream looks at the store. Another process records, so nobody can tell us.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The store that is shown, and to whom. Cloning it is cheap.
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    source: Source,
    zone: TimeZone,
    access: Access,
    streams: Arc<Semaphore>,
    look_every: Duration,
    ends: watch::Sender<bool>,
}

impl App {
    /// A dashboard over a store, for a reader in this zone.
    pub fn new(source: Source, zone: TimeZone, access: Access) -> Self {
        Self::looking(source, zone, access, LOOK_EVERY)
    }

    /// The same with live streams that look at the store as often as this.
    pub fn looking(source: Source, zone: TimeZone, access: Access, look_every: Duration) -> Self {
        let streams = Arc::new(Semaphore::new(MAX_STREAMS));
        let (ends, _) = watch::channel(false);
        Self(Arc::new(Inner { source, zone, access, streams, look_every, ends }))
    }

    /// Ends every live stream: the server is going down.
    pub fn end_streams(&self) {
        self.0.ends.send_replace(true);
    }

    /// Where the store is.
    pub(crate) fn source(&self) -> &Source {
        &self.0.source
    }

    /// The reader's zone.
    pub(crate) fn zone(&self) -> &TimeZone {
        &self.0.zone
    }

    /// Who may ask.
    pub(super) fn access(&self) -> &Access {
        &self.0.access
    }

    /// A place for one more live stream, given back when it is dropped; `None` when there is none.
    pub(super) fn stream_place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.streams).try_acquire_owned().ok()
    }

    /// How often a live stream looks at the store.
    pub(super) fn look_every(&self) -> Duration {
        self.0.look_every
    }

    /// Turns `true` when the server is going down.
    pub(super) fn ends(&self) -> watch::Receiver<bool> {
        self.0.ends.subscribe()
    }
}
