//! What a failed model call takes back (derivation 6.7).

use howfar_wire::chain::StageRow;
use howfar_wire::vocabulary::{StageReason as Reason, StageState as State};

use super::facts::Facts;

/// Withdraws rows that a failed model call explains. Idempotent.
///
/// A failure that the model call may have caused loses its evidence; a stage that saw nothing keeps what it cites.
pub(super) fn withdraw<D>(facts: &Facts<'_, '_, D>, rows: &mut [StageRow; 6]) {
    if !facts.model_failed() {
        return;
    }
    for row in rows {
        match (row.state, row.reason) {
            (State::NotMeasured, Some(reason)) if says_nothing_seen(reason) => {
                row.reason = Some(Reason::ProviderError);
            }
            (State::Failed, Some(reason)) if may_be_the_models(reason) => {
                row.state = State::NotMeasured;
                row.reason = Some(Reason::ProviderError);
                row.evidence = None;
            }
            (
                State::Passed
                | State::Failed
                | State::NotReached
                | State::NotMeasured
                | State::NotApplicable,
                Some(_) | None,
            ) => {}
        }
    }
}

const fn says_nothing_seen(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::NoEvidenceCaptured | Reason::TraceAbsent | Reason::ExecutorEmitsNoSpans
    )
}

const fn may_be_the_models(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::MissingToolCall
            | Reason::PredicateFailed
            | Reason::JudgePartial
            | Reason::JudgeFailed
    )
}
