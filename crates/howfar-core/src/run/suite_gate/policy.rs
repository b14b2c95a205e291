//! Reading and writing the policy of a suite gate (run-documents 10.1).

use howfar_wire::canon;
use howfar_wire::suite_gate::{
    EvidenceRun, GateBaseline, SuiteGateEvidence, SuiteGatePolicy, SuiteGateReason,
};
use serde_json::{Value, json};

/// A policy that may be stored, normalised.
///
/// # Errors
///
/// When it is malformed, asks for a reserved baseline, or compares without one; in that order.
pub fn author_suite_gate(policy: &Value) -> Result<SuiteGatePolicy, SuiteGateReason> {
    let policy = read(policy).ok_or(SuiteGateReason::PolicyMalformed)?;
    match policy.baseline {
        Some(GateBaseline::PreviousCompleted {}) => {
            Err(SuiteGateReason::PreviousCompletedUnsupported)
        }
        None if is_comparative(&policy) => Err(SuiteGateReason::ComparativeWithoutBaseline),
        Some(GateBaseline::Run { run_id: _ } | GateBaseline::CommitSha { commit_sha: _ })
        | None => Ok(policy),
    }
}

/// The digest of a normalised policy.
pub fn suite_gate_hash(policy: &SuiteGatePolicy) -> String {
    canon::canonical_digest(&json!(policy))
}

/// A well-formed policy without members that are `false`; a 0 stays.
pub(super) fn read(policy: &Value) -> Option<SuiteGatePolicy> {
    let policy: SuiteGatePolicy = serde_json::from_value(policy.clone()).ok()?;
    let drop = policy.maximum_pass_rate_drop.is_none_or(|drop| (0.0..=1.0).contains(&drop));
    let latency =
        policy.maximum_p95_latency_increase_ms.is_none_or(|it| it >= 0.0 && it.is_finite());
    let named = policy.baseline.as_ref().is_none_or(is_named);
    (drop && latency && named).then(|| SuiteGatePolicy {
        no_deterministic_regressions: policy.no_deterministic_regressions.filter(|asked| *asked),
        no_gating_score_errors: policy.no_gating_score_errors.filter(|asked| *asked),
        ..policy
    })
}

/// Whether every run, baseline and scorer in the evidence has a name.
pub(super) fn names_everything(evidence: &SuiteGateEvidence) -> bool {
    let baseline = evidence.baseline.as_ref();
    let runs = [Some(&evidence.subject), baseline.and_then(|it| it.run.as_ref())];
    runs.into_iter().flatten().all(is_run_named) && baseline.is_none_or(|it| is_named(&it.selector))
}

fn is_comparative(policy: &SuiteGatePolicy) -> bool {
    policy.maximum_pass_rate_drop.is_some()
        || policy.no_deterministic_regressions.is_some()
        || policy.maximum_p95_latency_increase_ms.is_some()
}

const fn is_named(baseline: &GateBaseline) -> bool {
    match baseline {
        GateBaseline::Run { run_id } => !run_id.is_empty(),
        GateBaseline::CommitSha { commit_sha } => !commit_sha.is_empty(),
        GateBaseline::PreviousCompleted {} => true,
    }
}

fn is_run_named(run: &EvidenceRun) -> bool {
    let scores = run.scores.iter().flatten().map(|it| (&it.scorer_id, &it.definition_hash));
    let sums = run.scorer_summaries.iter().flatten();
    let sums = sums.map(|it| (&it.scorer_id, &it.definition_hash));
    !run.run_id.is_empty()
        && scores.chain(sums).all(|(id, hash)| !id.is_empty() && !hash.is_empty())
}
