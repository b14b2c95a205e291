//! Whether a stored decision is one that this policy could have made (run-documents 4.7).

use howfar_wire::verdict::{CaseDecision, VERDICT_POLICY_VERSION, VerdictDecision};
use howfar_wire::vocabulary::VerdictDecisionReason;
use serde_json::Value;

use super::candidate::{VariantCandidate, check_identities, is_opaque_id};
use super::run::{self, TrialRate};
use super::{MAX_CONFIGURED_TRIALS, case};
use crate::problem::{Problem, Problems, read_closed};

/// A stored decision that holds up, or everything that is wrong with it.
///
/// Verdicts and reasons are derived again from the stored measurements. The exclusion counts, and the numerators of
/// completion and evaluator errors, cannot be checked against the cases and are not.
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_decision(document: &Value) -> Result<VerdictDecision, Vec<Problem>> {
    let decision: VerdictDecision = read_closed(document)?;
    let mut problems = Problems::default();
    problems.check(
        decision.verdict_policy_version == VERDICT_POLICY_VERSION,
        "verdictPolicyVersion",
        "is not 2",
    );
    check_reasons(&decision.reasons, &mut problems);
    check_cases(&decision.cases, &mut problems);
    check_run(&decision, &mut problems);
    problems.or(decision)
}

fn check_reasons(reasons: &[VerdictDecisionReason], problems: &mut Problems) {
    let repeated = reasons.iter().enumerate().any(|(at, reason)| reasons[..at].contains(reason));
    problems.check(!reasons.is_empty() && !repeated, "reasons", "is empty or repeats a member");
}

fn check_cases(cases: &[CaseDecision], problems: &mut Problems) {
    let variants: Vec<_> = cases
        .iter()
        .map(|case| case.execution_variant.as_ref().map(VariantCandidate::of))
        .collect();
    let keyed = cases.iter().zip(&variants).map(|(case, it)| (&*case.case_id, it.as_ref()));
    if let Err(refusal) = check_identities(keyed) {
        problems.add("cases", format!("is refused: {refusal}"));
    }
    for (at, (case, variant)) in cases.iter().zip(&variants).enumerate() {
        let path = |key: &str| format!("cases.{at}.{key}");
        let texts =
            is_opaque_id(&case.case_id) && variant.as_ref().is_none_or(VariantCandidate::is_valid);
        problems.check(texts, path("caseId"), "or its variant has a wrong form");
        check_case_counts(case, path, problems);
        check_case_rates(case, path, problems);
        let derived = case::verdict(case.pass_rate.value, case.effective_pass_threshold);
        let verdict = (case.verdict, case.reason);
        problems.check(verdict == derived, path("verdict"), "does not follow from the counts");
    }
}

fn check_case_counts(case: &CaseDecision, path: impl Fn(&str) -> String, problems: &mut Problems) {
    let configured = (1..=MAX_CONFIGURED_TRIALS).contains(&case.configured_trials);
    problems.check(configured, path("configuredTrials"), "is not from 1 to 100");
    let threshold = (0.0..=1.0).contains(&case.effective_pass_threshold);
    problems.check(threshold, path("effectivePassThreshold"), "is not from 0 to 1");
    let attempted = case.attempted_trials <= case.configured_trials;
    problems.check(attempted, path("attemptedTrials"), "exceeds the configured trials");
    let eligible = case.eligible_trials <= case.attempted_trials
        && case.passed_trials.checked_add(case.failed_trials) == Some(case.eligible_trials);
    problems.check(eligible, path("eligibleTrials"), "does not add up");
    let mixed = case.mixed_verdict == (case.passed_trials > 0 && case.failed_trials > 0);
    problems.check(mixed, path("mixedVerdict"), "does not follow from the counts");
}

fn check_case_rates(case: &CaseDecision, path: impl Fn(&str) -> String, problems: &mut Problems) {
    let passed = is_rate(&case.pass_rate, case.eligible_trials)
        && case.pass_rate.numerator == case.passed_trials;
    problems.check(passed, path("passRate"), "is not passed over eligible");
    let completed = is_rate(&case.completion_rate, case.attempted_trials);
    problems.check(completed, path("completionRate"), "is not over attempted");
    let stability = is_rate(&case.observed_stability, case.eligible_trials)
        && case.observed_stability.numerator == case.passed_trials.max(case.failed_trials);
    problems.check(stability, path("observedStability"), "is not the larger part over eligible");
}

fn check_run(decision: &VerdictDecision, problems: &mut Problems) {
    let validity = &decision.validity;
    let policy = run::is_policy_valid(&validity.policy);
    problems.check(policy, "validity.policy", "is out of range");
    let total = |count: fn(&CaseDecision) -> u64| {
        decision.cases.iter().map(count).fold(0, u64::saturating_add)
    };
    let totals = validity.configured_trials == total(|case| case.configured_trials)
        && validity.attempted_trials == total(|case| case.attempted_trials)
        && validity.eligible_trials == total(|case| case.eligible_trials);
    problems.check(totals, "validity", "does not add up to the cases");
    let completed = is_rate(&validity.completion_rate, validity.attempted_trials);
    problems.check(completed, "validity.completionRate", "is not over attempted");
    let errors = is_rate(&validity.evaluator_error_rate, validity.attempted_trials);
    problems.check(errors, "validity.evaluatorErrorRate", "is not over attempted");

    let failed_checks = run::failed_checks(validity, &decision.cases);
    let holds = validity.holds == failed_checks.is_empty();
    problems.check(holds, "validity.holds", "does not follow from the measurements");
    let (verdict, reasons) = run::verdict(failed_checks, &decision.cases);
    let derived = decision.verdict == verdict && decision.reasons == reasons;
    problems.check(derived, "verdict", "or its reasons do not follow from the measurements");
}

/// Whether the rate is the exact quotient of its counts, over this denominator.
fn is_rate(rate: &TrialRate, denominator: u64) -> bool {
    let exact = TrialRate::of(rate.numerator, rate.denominator, rate.exclusions.clone());
    *rate == exact && rate.denominator == denominator && rate.numerator <= denominator
}
