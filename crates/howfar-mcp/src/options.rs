//! What a caller decides about a connection and its calls.

use std::time::Duration;

use howfar_wire::cassette::Traffic;

use crate::WireClock;

/// How a session is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProtocolMode {
    /// `initialize`, asking for 2025-11-25 (the newest version that has an `initialize`).
    #[default]
    Initialize,
    /// `server/discover`, asking for 2026-07-28; a server without it is a setup error.
    Discover,
    /// `initialize` first; `server/discover` on a fresh connection when the server refuses `initialize` itself.
    Auto,
}

/// Options of one connection.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// Limit of each setup operation: opening the session, and each `tools/list` page (suite and runner, section B5).
    pub setup_timeout: Duration,
    /// `clientInfo.name` as the server sees it.
    pub client_name: String,
    /// `clientInfo.version` as the server sees it.
    pub client_version: String,
    /// How the session is opened.
    pub mode: ProtocolMode,
    /// The clock that stamps come from; give all connections of a run the same one.
    pub clock: WireClock,
    /// Environment variables that a child process must not inherit (the model keys of the run). A binding that sets
    /// such a variable itself still passes it.
    pub withheld_env: Vec<String>,
    /// Largest message in bytes that is read; a longer one is an error, never a full memory.
    pub max_message_bytes: usize,
    /// Most pages of one listing.
    pub max_pages: usize,
    /// How long a child may take to end after its standard input closed, and again after SIGTERM.
    pub shutdown_grace: Duration,
    /// Whether exchanges are kept, or answered from a recording.
    pub traffic: Traffic,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self {
            setup_timeout: Duration::from_secs(30),
            client_name: "howfar".to_owned(),
            client_version: env!("CARGO_PKG_VERSION").to_owned(),
            mode: ProtocolMode::default(),
            clock: WireClock::start(),
            withheld_env: Vec::new(),
            max_message_bytes: 16 * 1024 * 1024,
            max_pages: 100,
            shutdown_grace: Duration::from_secs(2),
            traffic: Traffic::Live,
        }
    }
}

/// Options of one tool call.
#[derive(Debug, Clone, Copy)]
pub struct CallOptions {
    /// How long to wait for the answer; on expiry the server is told that the call is cancelled.
    pub timeout: Duration,
}

impl Default for CallOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(60) }
    }
}
