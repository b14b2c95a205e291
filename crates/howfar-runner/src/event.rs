//! What a run tells while it runs: a closed list. A recorder and a reporter read the same events.

use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::{RunRecord, SetupRecord};
use howfar_wire::report::{Issue, TrialReport};

/// One event of a run, in order. Nothing that an event reported is lost afterwards.
#[non_exhaustive]
pub enum RunEvent<'a> {
    /// The run begins with setting up its servers. A run that is refused during setup gives no further event.
    RunStarted {
        /// Which run of which suite, with which settings.
        record: &'a RunRecord,
    },
    /// Setup ended, and trials will be recorded.
    SetupFinished {
        /// How it went.
        setup: &'a SetupRecord<'static>,
    },
    /// Something affected the run and did not stop it.
    Issue(&'a Issue),
    /// The trials of a case begin.
    CaseStarted {
        /// The case's id.
        case_id: &'a str,
        /// The case's title.
        title: &'a str,
        /// The trials that will run: those of a resumed run that finished earlier are not among them.
        trials: u32,
    },
    /// A trial ended, and its judge is asked now. What it recorded is complete but for the judgement, which is owed.
    /// [`RunEvent::TrialFinished`] follows, with the judgement or, when the run ends first, without.
    TrialRecorded {
        /// What it recorded.
        evidence: &'a TrialEvidence<'static>,
        /// The same as a row of the report.
        row: &'a TrialReport,
    },
    /// A trial ended and was graded.
    TrialFinished {
        /// What it recorded: the only input of every derived document.
        evidence: &'a TrialEvidence<'static>,
        /// The same as a row of the report.
        row: &'a TrialReport,
    },
}
