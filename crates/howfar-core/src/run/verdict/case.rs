//! One case variant: its counts, its rates, its verdict (run-documents 4.4).

use howfar_wire::rate::Rate;
use howfar_wire::verdict::{CaseDecision, TrialObservation};
use howfar_wire::vocabulary::{
    DecisionVerdict, IterationStatus, TaskVerdict, TrialExclusionReason as Excluded,
    VerdictDecisionReason as Reason,
};

use super::candidate::{Candidate, VariantCandidate};
use super::{Exclusions, MAX_CONFIGURED_TRIALS, VerdictRefusal};

/// What the trials of one case variant come to.
#[derive(Default)]
pub(super) struct TrialCounts {
    pub(super) attempted: u64,
    pub(super) completed: u64,
    pub(super) evaluator_errors: u64,
    pub(super) passed: u64,
    pub(super) failed: u64,
    /// Trials that are not gradeable.
    ungraded: Exclusions,
    /// Of those, the trials that did not even begin.
    pub(super) unattempted: Exclusions,
}

/// The counts of a case variant whose numbers and trials are in order (run-documents 4.6, rule 5).
pub(super) fn count(candidate: &Candidate<'_>) -> Result<TrialCounts, VerdictRefusal> {
    let case_id = || candidate.case_id.to_owned();
    let configured = candidate.configured_trials;
    let configured = configured
        .filter(|trials| (1..=MAX_CONFIGURED_TRIALS).contains(trials))
        .ok_or_else(|| VerdictRefusal::ConfiguredTrialsRange { case_id: case_id() })?;
    if !(0.0..=1.0).contains(&candidate.threshold) {
        return Err(VerdictRefusal::ThresholdRange { case_id: case_id() });
    }
    let mut counts = TrialCounts::default();
    for trial in &candidate.trials {
        let trial = trial.ok_or_else(|| VerdictRefusal::UnknownStatus { case_id: case_id() })?;
        if !counts.add(trial) {
            return Err(VerdictRefusal::CompletedWithoutVerdict { case_id: case_id() });
        }
    }
    let reported = candidate.trials.len() as u64;
    let unreported = configured
        .checked_sub(reported)
        .ok_or_else(|| VerdictRefusal::MoreTrialsThanConfigured { case_id: case_id() })?;
    counts.ungraded.add(Excluded::NotTerminal, unreported);
    counts.unattempted.add(Excluded::NotTerminal, unreported);
    Ok(counts)
}

impl TrialCounts {
    /// Counts a trial; `false` when it completed without anything having been decided.
    fn add(&mut self, trial: TrialObservation) -> bool {
        let (reason, attempted) = match trial.status {
            IterationStatus::Completed if trial.evaluator_error => {
                self.evaluator_errors += 1;
                self.completed += 1;
                (Excluded::EvaluatorError, true)
            }
            IterationStatus::Completed => return self.add_graded(trial.task_verdict),
            IterationStatus::Pending => (Excluded::NotTerminal, false),
            IterationStatus::Running => (Excluded::NotTerminal, true),
            IterationStatus::Skipped => (Excluded::Skipped, false),
            IterationStatus::Cancelled => (Excluded::Cancelled, false),
            IterationStatus::SetupFailed => (Excluded::SetupFailed, true),
            IterationStatus::TimedOut => (Excluded::TimedOut, true),
            IterationStatus::Failed => (Excluded::ExecutionFailed, true),
        };
        self.ungraded.add(reason, 1);
        if attempted {
            self.attempted += 1;
        } else {
            self.unattempted.add(reason, 1);
        }
        true
    }

    fn add_graded(&mut self, verdict: Option<TaskVerdict>) -> bool {
        match verdict {
            Some(TaskVerdict::Passed) => self.passed += 1,
            Some(TaskVerdict::Failed) => self.failed += 1,
            None => return false,
        }
        self.attempted += 1;
        self.completed += 1;
        true
    }

    pub(super) const fn eligible(&self) -> u64 {
        self.passed + self.failed
    }
}

/// The decision about a case variant whose counts are known.
pub(super) fn decision(candidate: &Candidate<'_>, counts: &TrialCounts) -> CaseDecision {
    let (passed, failed, eligible) = (counts.passed, counts.failed, counts.eligible());
    let pass_rate = Rate::of(passed, eligible, counts.ungraded.clone());
    let stability = Rate::of(passed.max(failed), eligible, counts.ungraded.clone());
    let (verdict, reason) = verdict(pass_rate.value, candidate.threshold);
    CaseDecision {
        case_id: candidate.case_id.to_owned(),
        execution_variant: candidate.variant.as_ref().map(VariantCandidate::to_variant),
        configured_trials: candidate.configured_trials.unwrap_or_default(),
        attempted_trials: counts.attempted,
        eligible_trials: eligible,
        passed_trials: passed,
        failed_trials: failed,
        effective_pass_threshold: candidate.threshold,
        pass_rate,
        completion_rate: Rate::of(counts.completed, counts.attempted, counts.unattempted.clone()),
        observed_stability: stability,
        mixed_verdict: passed > 0 && failed > 0,
        verdict,
        reason,
    }
}

/// The verdict of a pass rate, which is absent when nothing was graded. Equality passes.
pub(super) fn verdict(pass_rate: Option<f64>, threshold: f64) -> (DecisionVerdict, Reason) {
    match pass_rate {
        None => (DecisionVerdict::Inconclusive, Reason::CaseHasNoEligibleTrials),
        Some(rate) if rate >= threshold => {
            (DecisionVerdict::Passed, Reason::CasePassRateMetThreshold)
        }
        Some(_) => (DecisionVerdict::Failed, Reason::CasePassRateBelowThreshold),
    }
}
