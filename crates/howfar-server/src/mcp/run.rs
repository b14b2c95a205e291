//! What `run_suite` asks of whoever can run suites.

use std::path::PathBuf;

use futures::future::BoxFuture;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::ExitCode;
use tokio_util::sync::CancellationToken;

/// Runs suites as `howfar run` does. The server calls it for `run_suite`; the command line brings it.
pub trait RunSuite: Send + Sync + 'static {
    /// Runs a suite to its end, and tells `progress` after every finished trial. When `cancel` is cancelled, the run is
    /// ended like by a first interrupt: what finished is kept. The future is not dropped before it is done.
    fn run<'a>(
        &'a self,
        order: SuiteOrder,
        progress: &'a (dyn Fn(RunProgress) + Send + Sync),
        cancel: CancellationToken,
    ) -> BoxFuture<'a, SuiteRunEnd>;
}

/// Which suite is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteOrder {
    /// The suite file.
    pub file: PathBuf,
    /// The ids of the cases to run; empty for every enabled case.
    pub case_ids: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunProgress {
    /// Trials that finished.
    pub finished_trials: u64,
    /// Trials that the selected cases ask for.
    pub configured_trials: u64,
}

/// How an ordered run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum SuiteRunEnd {
    /// It made a report.
    Reported {
        /// The report.
        report: Box<RunReport>,
        /// The exit code of the run.
        exit: ExitCode,
    },
    /// It made none: it was refused, or it broke.
    Unreported {
        /// What `howfar run` said, as text.
        message: String,
        /// The exit code of the run; absent when it was killed.
        exit: Option<ExitCode>,
    },
}
