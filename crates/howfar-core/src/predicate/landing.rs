//! Where the row of a kind lands on the chain, and how it is grouped for display (predicates, sections 1 and 10).

use howfar_wire::vocabulary::{PredicateKind, Stage, StageReason};

/// The reason that a required, scored, failed row of this kind gives at [`PredicateKind::decides_at`]. Observation kinds
/// may only be advisory, so that theirs is never used.
pub const fn failed_row_reason(kind: PredicateKind) -> StageReason {
    match kind.decides_at() {
        Stage::Selection if matches!(kind, PredicateKind::ToolCalledAtLeastOnce) => {
            StageReason::MissingToolCall
        }
        Stage::Selection => StageReason::UnexpectedToolCall,
        Stage::Call => StageReason::ArgumentMismatch,
        Stage::Connection | Stage::Discovery | Stage::Response | Stage::UserValue => {
            StageReason::PredicateFailed
        }
    }
}

/// The group under which checks of this kind are shown; absent when they stand on their own. Display only.
pub const fn presentation_group(kind: PredicateKind) -> Option<&'static str> {
    if matches!(kind, PredicateKind::TokenBudgetUnder | PredicateKind::TurnCountUnder) {
        Some("budget")
    } else {
        None
    }
}
