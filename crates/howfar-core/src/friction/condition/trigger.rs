//! Which trials are judged, and for which of their signals (friction, section B3).

use howfar_wire::canon::utf16_cmp;
use howfar_wire::friction::{CallIndex, FrictionDocument, FrictionSignal};
use howfar_wire::vocabulary::FrictionSignalKind;

/// How many trials of a run are judged unless the user says otherwise; the others are skipped as `cap`.
pub const DEFAULT_CONDITION_CAP: usize = 20;

/// The signal for which a trial is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionTrigger {
    /// The signal's kind.
    pub kind: FrictionSignalKind,
    /// Where the pattern starts.
    pub information_call_index: CallIndex,
    /// The call with which it is seen; a judge sees nothing after it.
    pub observed_at_call_index: CallIndex,
}

/// A trial that could be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionCandidate {
    /// The case's key.
    pub case_key: String,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// The signal.
    pub trigger: ConditionTrigger,
}

/// The signal for which a trial is judged; `None` when it is not. Identifier kinds come first, then a retry after an
/// error. Pages, and retries without an error, are no reason to ask.
pub fn condition_trigger(document: &FrictionDocument) -> Option<ConditionTrigger> {
    let first = |is_wanted: fn(&FrictionSignal) -> bool| {
        document.signals.iter().find(|signal| is_wanted(signal))
    };
    let signal = first(|signal| signal.kind() == FrictionSignalKind::IdentifierSurfacedUnused)
        .or_else(|| {
            first(|signal| signal.kind() == FrictionSignalKind::SearchRepeatedAfterIdentifier)
        })
        .or_else(|| first(is_retry_after_error))?;
    Some(ConditionTrigger {
        kind: signal.kind(),
        information_call_index: signal.anchor(),
        observed_at_call_index: signal.observation(),
    })
}

/// The candidates of a run by case key and trial. Those beyond the cap are skipped.
pub fn order_candidates(mut candidates: Vec<ConditionCandidate>) -> Vec<ConditionCandidate> {
    candidates.sort_by(|a, b| {
        utf16_cmp(&a.case_key, &b.case_key).then(a.iteration_number.cmp(&b.iteration_number))
    });
    candidates
}

const fn is_retry_after_error(signal: &FrictionSignal) -> bool {
    match signal {
        FrictionSignal::IdenticalRetry(retry) | FrictionSignal::ChangedRetry(retry) => {
            retry.after_error
        }
        FrictionSignal::IdentifierSurfacedUnused(_)
        | FrictionSignal::SearchRepeatedAfterIdentifier(_)
        | FrictionSignal::PaginationContinuation(_) => false,
    }
}
