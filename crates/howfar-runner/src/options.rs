//! What a caller decides about a run (suite and runner, section B10).

use std::time::Duration;

use howfar_wire::cassette::Traffic;

/// The options of a run. None of them lives in the suite file.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Trials of one case in flight; at least 1.
    pub concurrency: u32,
    /// The clock of one trial's execution; not of its grading, not of setup.
    pub iteration_timeout: Duration,
    /// The clock of each setup operation.
    pub setup_timeout: Duration,
    /// Model steps per prompt; at least 1.
    pub max_steps: u32,
    /// Refuse the run when a server cannot be set up, instead of recording where the chain broke.
    pub strict_setup: bool,
    /// The address that tells whether our own network works when a remote server cannot be reached; `None` asks nobody.
    pub egress_canary: Option<String>,
    /// Whether the exchanges of the run are kept, or answered from a recording. Models are wrapped by the caller.
    pub traffic: Traffic,
    /// Where the recording lies that answers, as the user named it; `None` for a run that asks models and servers.
    pub replayed_from: Option<String>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            concurrency: 1,
            iteration_timeout: Duration::from_millis(120_000),
            setup_timeout: Duration::from_millis(30_000),
            max_steps: 10,
            strict_setup: false,
            egress_canary: None,
            traffic: Traffic::Live,
            replayed_from: None,
        }
    }
}

/// How long an executor gets to end after its trial's clock fired or the user interrupted (section B10, abort grace).
pub(crate) const ABORT_GRACE: Duration = Duration::from_millis(1000);

/// How long each cleanup step may take (section B1).
pub(crate) const CLEANUP_LIMIT: Duration = Duration::from_secs(10);

/// The longest error text in a report, in UTF-16 units (section B9).
pub(crate) const MAX_ERROR_UNITS: usize = 2000;
