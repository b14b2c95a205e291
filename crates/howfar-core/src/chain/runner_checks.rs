//! The runner's own checks on a scorecard: a projection of finished rows (derivation, section 13).

use howfar_wire::chain::{StageDerivation, StageRow};
use howfar_wire::vocabulary::{Stage, StageReason as Reason, StageState as State, Vocabulary as _};

/// What the runner itself observed of one stage. Never gates, and is an input of nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerCheck {
    /// The stage: connection, discovery, call or response.
    pub stage: Stage,
    /// What the runner can say.
    pub outcome: RunnerOutcome,
    /// The row's state.
    pub state: State,
    /// The row's reason; absent on stored rows without one.
    pub reason: Option<Reason>,
    /// What good looks like.
    pub expected: &'static str,
    /// What was seen: the reason in words, or the state's when the row has none.
    pub actual: &'static str,
}

/// What the runner can say about a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunnerOutcome {
    /// It held.
    Passed,
    /// It did not hold, by the runner's own observation.
    Failed,
    /// Somebody else decided, or nobody did.
    Undecided,
}

impl RunnerOutcome {
    /// The wire spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Undecided => "undecided",
        }
    }
}

/// The runner's checks for connection, discovery, call and response, in that order; none for a stage that does not
/// apply.
pub fn runner_checks(derivation: &StageDerivation) -> Vec<RunnerCheck> {
    derivation.stage_results.iter().filter_map(check).collect()
}

fn check(row: &StageRow) -> Option<RunnerCheck> {
    let (expected, own_reason) = own_observation(row.stage)?;
    let outcome = match row.state {
        State::NotApplicable => return None,
        State::Passed => RunnerOutcome::Passed,
        State::Failed if row.reason == Some(own_reason) => RunnerOutcome::Failed,
        State::Failed | State::NotMeasured | State::NotReached => RunnerOutcome::Undecided,
    };
    let actual = row.reason.map_or(row.state.label(), Reason::label);
    let (stage, state, reason) = (row.stage, row.state, row.reason);
    Some(RunnerCheck { stage, outcome, state, reason, expected, actual })
}

/// What the runner expects at a stage, and the reason that is its own; `None` where it observes nothing.
const fn own_observation(stage: Stage) -> Option<(&'static str, Reason)> {
    match stage {
        Stage::Connection => Some(("the session initializes", Reason::ConnectFailed)),
        Stage::Discovery => Some(("`tools/list` succeeds", Reason::ToolsListFailed)),
        Stage::Call => Some(("the call returns a result", Reason::ProtocolError)),
        Stage::Response => Some(("the result comes back without a tool error", Reason::ToolError)),
        Stage::Selection | Stage::UserValue => None,
    }
}
