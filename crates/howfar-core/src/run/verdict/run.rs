//! The run: validity first, then the thresholds (run-documents 4.5 and 4.6).

use howfar_wire::rate::Rate;
use howfar_wire::verdict::{
    CaseDecision, Coverage, RunValidity, VERDICT_POLICY_VERSION, VerdictDecision, VerdictPolicy,
};
use howfar_wire::vocabulary::{
    DecisionVerdict, TrialExclusionReason, VerdictDecisionReason as Reason,
};

use super::candidate::{Candidate, check_identities, is_opaque_id};
use super::{Exclusions, VerdictRefusal, case};

pub(super) fn decide(
    policy: VerdictPolicy,
    candidates: &[Candidate<'_>],
) -> Result<VerdictDecision, VerdictRefusal> {
    if !is_policy_valid(&policy) {
        return Err(VerdictRefusal::PolicyInvalid);
    }
    check_identities(candidates.iter().map(|it| (it.case_id, it.variant.as_ref())))?;
    let counts: Vec<_> = candidates.iter().map(case::count).collect::<Result<_, _>>()?;
    check_texts(candidates)?;

    let cases: Vec<_> = candidates
        .iter()
        .zip(&counts)
        .map(|(candidate, counts)| case::decision(candidate, counts))
        .collect();
    let total = |count: fn(&case::TrialCounts) -> u64| counts.iter().map(count).sum::<u64>();
    let mut unattempted = Exclusions::new();
    counts.iter().for_each(|counts| unattempted.merge(&counts.unattempted));
    let attempted_trials = total(|counts| counts.attempted);
    let errors = total(|counts| counts.evaluator_errors);
    let mut validity = RunValidity {
        policy,
        holds: false,
        configured_trials: cases.iter().map(|case| case.configured_trials).sum(),
        attempted_trials,
        eligible_trials: total(case::TrialCounts::eligible),
        completion_rate: Rate::of(
            total(|counts| counts.completed),
            attempted_trials,
            unattempted.clone(),
        ),
        evaluator_error_rate: Rate::of(errors, attempted_trials, unattempted),
    };
    let failed_checks = failed_checks(&validity, &cases);
    validity.holds = failed_checks.is_empty();
    let (verdict, reasons) = verdict(failed_checks, &cases);
    Ok(VerdictDecision {
        verdict_policy_version: VERDICT_POLICY_VERSION,
        verdict,
        reasons,
        validity,
        cases,
    })
}

/// Every rate is a fraction, and the counts of the coverage are in range.
pub(super) fn is_policy_valid(policy: &VerdictPolicy) -> bool {
    let coverage = match policy.coverage {
        Coverage::AllConfiguredTrialsAttempted { min_gradeable_trials } => {
            min_gradeable_trials == 1
        }
        Coverage::MinEligibleTrials { min_eligible_trials } => min_eligible_trials >= 1,
    };
    let is_fraction = |rate: f64| (0.0..=1.0).contains(&rate);
    coverage
        && is_fraction(policy.min_completion_rate)
        && is_fraction(policy.max_evaluator_error_rate)
}

/// The validity checks that do not hold, in contract order.
pub(super) fn failed_checks(validity: &RunValidity, cases: &[CaseDecision]) -> Vec<Reason> {
    let policy = &validity.policy;
    let mut failed = Vec::new();
    match policy.coverage {
        Coverage::AllConfiguredTrialsAttempted { min_gradeable_trials } => {
            if validity.attempted_trials != validity.configured_trials {
                failed.push(Reason::ConfiguredTrialsNotAttempted);
            }
            if validity.eligible_trials < min_gradeable_trials {
                failed.push(Reason::NoGradeableTrials);
            }
        }
        Coverage::MinEligibleTrials { min_eligible_trials } => {
            if validity.eligible_trials < min_eligible_trials {
                failed.push(Reason::EligibleTrialsBelowMinimum);
            }
        }
    }
    match validity.completion_rate.value {
        None => failed.push(Reason::CompletionRateNotMeasured),
        Some(rate) if rate < policy.min_completion_rate => {
            failed.push(Reason::CompletionRateBelowMinimum);
        }
        Some(_) => {}
    }
    match validity.evaluator_error_rate.value {
        None => failed.push(Reason::EvaluatorErrorRateNotMeasured),
        Some(rate) if rate > policy.max_evaluator_error_rate => {
            failed.push(Reason::EvaluatorErrorRateAboveMaximum);
        }
        Some(_) => {}
    }
    if cases.iter().any(|case| case.eligible_trials == 0) {
        failed.push(Reason::CaseHasNoEligibleTrials);
    }
    failed.sort_unstable();
    failed
}

/// The verdict and its reasons: a run that is not valid decides nothing about its cases.
pub(super) fn verdict(
    failed_checks: Vec<Reason>,
    cases: &[CaseDecision],
) -> (DecisionVerdict, Vec<Reason>) {
    if !failed_checks.is_empty() {
        (DecisionVerdict::Inconclusive, failed_checks)
    } else if cases.iter().any(|case| case.verdict == DecisionVerdict::Failed) {
        (DecisionVerdict::Failed, vec![Reason::CasePassRateBelowThreshold])
    } else {
        (DecisionVerdict::Passed, vec![Reason::AllMeasuredCasesMetThreshold])
    }
}

/// Ids and names, which are looked at last (run-documents 4.6, rules 6 and 7).
fn check_texts(candidates: &[Candidate<'_>]) -> Result<(), VerdictRefusal> {
    if let Some(candidate) = candidates.iter().find(|it| !is_opaque_id(it.case_id)) {
        return Err(VerdictRefusal::CaseIdCharset { case_id: candidate.case_id.to_owned() });
    }
    let invalid = |it: &&Candidate<'_>| it.variant.as_ref().is_some_and(|it| !it.is_valid());
    match candidates.iter().find(invalid) {
        None => Ok(()),
        Some(candidate) => {
            Err(VerdictRefusal::ExecutionVariantInvalid { case_id: candidate.case_id.to_owned() })
        }
    }
}

/// A rate of trials.
pub(super) type TrialRate = Rate<TrialExclusionReason>;
