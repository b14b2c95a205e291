//! The suite gate: what a suite must hold against a baseline (run-documents, section 10).

mod blockers;
mod conditions;
mod drop;
mod policy;

use howfar_wire::gate::{GateOutcome, GateWaiver};
use howfar_wire::suite_gate::{
    ConditionRow, ConditionStatus, PolicyError, SUITE_GATE_EVALUATOR_VERSION,
    SUITE_GATE_SCHEMA_VERSION, SuiteGateEvidence, SuiteGateOutcome, SuiteGatePolicy,
    SuiteGateReason, SuiteGateReport,
};
use howfar_wire::vocabulary::Vocabulary as _;
use serde_json::Value;

use super::gate::waived_outcome;

pub use policy::{author_suite_gate, suite_gate_hash};

/// What a stored policy comes to over evidence. Both are JSON of which nothing is trusted: what is malformed is said,
/// and decides nothing.
pub fn evaluate_suite_gate(policy: &Value, evidence: &Value) -> SuiteGateReport {
    let Some(policy) = policy::read(policy) else {
        let empty = SuiteGatePolicy::default();
        return unevaluated(empty, SuiteGateReason::PolicyMalformed);
    };
    let evidence = serde_json::from_value::<SuiteGateEvidence>(evidence.clone()).ok();
    let Some(evidence) = evidence.filter(policy::names_everything) else {
        return unevaluated(policy, SuiteGateReason::EvidenceMalformed);
    };
    let conditions = conditions::rows(&policy, &evidence);
    report(policy, outcome(&conditions), conditions, None)
}

/// A run's own gate and its suite gate together: the outcome, and the run's own outcome under the waiver.
///
/// `base` is `None` when the run's own gate is not available. The waiver covers the run's own gate only.
pub fn compose_gates(
    base: Option<GateOutcome>,
    suite: SuiteGateOutcome,
    waiver: Option<&GateWaiver>,
    now: u64,
) -> (Option<GateOutcome>, Option<GateOutcome>) {
    let base = base.map(|base| waived_outcome(base, waiver, now));
    let outcome = match base {
        Some(stands @ (GateOutcome::Passed | GateOutcome::Waived)) => Some(match suite {
            SuiteGateOutcome::Failed => GateOutcome::Failed,
            SuiteGateOutcome::NonGateable => GateOutcome::Incomplete,
            SuiteGateOutcome::Passed | SuiteGateOutcome::NotConfigured => stands,
        }),
        Some(GateOutcome::Failed | GateOutcome::Incomplete | GateOutcome::UsageError) | None => {
            base
        }
    };
    (outcome, base)
}

/// A failure outranks what could not be decided.
fn outcome(conditions: &[ConditionRow]) -> SuiteGateOutcome {
    let any = |status: ConditionStatus| conditions.iter().any(|row| row.status == status);
    if conditions.is_empty() {
        SuiteGateOutcome::NotConfigured
    } else if any(ConditionStatus::Failed) {
        SuiteGateOutcome::Failed
    } else if any(ConditionStatus::NonGateable) {
        SuiteGateOutcome::NonGateable
    } else {
        SuiteGateOutcome::Passed
    }
}

fn unevaluated(policy: SuiteGatePolicy, reason: SuiteGateReason) -> SuiteGateReport {
    let error = PolicyError { reason, message: reason.label().to_owned() };
    report(policy, SuiteGateOutcome::NonGateable, Vec::new(), Some(error))
}

fn report(
    policy: SuiteGatePolicy,
    outcome: SuiteGateOutcome,
    conditions: Vec<ConditionRow>,
    policy_error: Option<PolicyError>,
) -> SuiteGateReport {
    SuiteGateReport {
        schema_version: SUITE_GATE_SCHEMA_VERSION,
        evaluator_version: SUITE_GATE_EVALUATOR_VERSION,
        policy_hash: suite_gate_hash(&policy),
        policy,
        outcome,
        conditions,
        policy_error,
    }
}
