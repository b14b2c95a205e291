//! Verdict policy v2: was the run measured well enough, and if so, did every case meet its threshold (run-documents,
//! section 4)?
//!
//! The unit of decision is a case variant: one case under one provider and model. Its repetitions are trials inside it.

mod candidate;
mod case;
mod observation;
mod refusal;
mod run;
mod validate;

use howfar_wire::verdict::{VerdictDecision, VerdictInput};
use howfar_wire::vocabulary::TrialExclusionReason;
use serde_json::Value;

pub(super) use candidate::is_opaque_id;
pub use observation::{CompletedWithoutVerdict, trial_observation};
pub use refusal::VerdictRefusal;
pub use validate::validate_decision;

/// Counts of trials that left a denominator.
type Exclusions = howfar_wire::rate::Counts<TrialExclusionReason>;

/// The most case variants a decision holds.
pub const MAX_CASE_VARIANTS: usize = 50_000;

/// The most distinct cases a decision holds.
pub const MAX_CASES: usize = 500;

/// The most trials of one case variant.
pub const MAX_CONFIGURED_TRIALS: u64 = 100;

/// What verdict policy v2 decides about a run.
///
/// A run that was not measured well enough is `inconclusive`, whatever its cases did. Equality with a threshold passes,
/// also at 0 and at 1; a threshold of 0 still needs one graded trial.
///
/// # Errors
///
/// The first refusal in the order of run-documents 4.6.
pub fn decide(input: &VerdictInput) -> Result<VerdictDecision, VerdictRefusal> {
    let candidates: Vec<_> = input.cases.iter().map(candidate::of_case).collect();
    run::decide(input.policy, &candidates)
}

/// The same for an input that is a JSON document `{policy, cases}`: a wrong shape is a refusal at its place in the
/// order.
///
/// # Errors
///
/// As [`decide`].
pub fn decide_document(document: &Value) -> Result<VerdictDecision, VerdictRefusal> {
    let policy = serde_json::from_value(document["policy"].clone())
        .map_err(|_| VerdictRefusal::PolicyInvalid)?;
    let cases = document["cases"].as_array().map_or(&[][..], Vec::as_slice);
    let candidates: Vec<_> = cases.iter().map(candidate::of_document).collect();
    run::decide(policy, &candidates)
}
