//! What a run tells while it runs: a closed list. A recorder and a reporter read the same events.

use howfar_wire::report::{Issue, ServerReport, TrialReport};

use crate::grade::GradedTrial;

/// One event of a run, in order. Nothing that an event reported is lost afterwards.
#[non_exhaustive]
pub enum RunEvent<'a> {
    /// Setup begins.
    SetupStarted {
        /// The servers, in file order.
        servers: &'a [String],
    },
    /// Setup ended.
    SetupFinished {
        /// One row per server.
        servers: &'a [ServerReport],
    },
    /// Something affected the run and did not stop it.
    Issue(&'a Issue),
    /// The trials of a case begin.
    CaseStarted {
        /// The case's id.
        case_id: &'a str,
        /// The case's title.
        title: &'a str,
        /// Its trials.
        trials: u32,
    },
    /// A trial ended and was graded.
    TrialFinished {
        /// Its evidence, chain and scorecard.
        graded: &'a GradedTrial,
        /// The same as a row of the report.
        row: &'a TrialReport,
    },
}
