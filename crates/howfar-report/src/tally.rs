//! Trials of a case or a run, counted (run-documents, section 4.4). The unit of every count is the trial.

use howfar_wire::report::{CaseConfiguration, CaseReport, RunReport, TrialReport};
use howfar_wire::vocabulary::{
    IterationStatus, TaskVerdict, TrialExclusionReason, Vocabulary as _,
};

use crate::text::count;

/// Counts of trials. `executed` and the exclusions count rows of the report; a trial without a row never started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Asked for.
    pub(crate) configured: u64,
    /// Neither pending, skipped nor cancelled.
    pub(crate) executed: u64,
    /// Completed with a verdict.
    pub(crate) gradeable: u64,
    /// Gradeable and passed.
    pub(crate) passed: u64,
    /// Configured without a row.
    pub(crate) never_started: u64,
    /// Not gradeable, by reason in vocabulary order; only reasons that occurred.
    pub(crate) excluded: Vec<(TrialExclusionReason, u64)>,
}

impl Tally {
    /// The trials of one case.
    pub(crate) fn of_case(case: &CaseReport, configuration: Option<&CaseConfiguration>) -> Self {
        let rows = case.details.iterations.len() as u64;
        let configured = configuration.map_or(rows, |known| u64::from(known.configured_iterations));
        Self::of_trials(case.details.iterations.iter(), configured, rows)
    }

    /// The trials of the run.
    pub(crate) fn of_run(report: &RunReport) -> Self {
        let trials = report.cases.iter().flat_map(|case| &case.details.iterations);
        let rows = trials.clone().count() as u64;
        Self::of_trials(trials, report.metadata.population.configured_iterations, rows)
    }

    fn of_trials<'a>(
        trials: impl Iterator<Item = &'a TrialReport> + Clone,
        configured: u64,
        rows: u64,
    ) -> Self {
        let number = |holds: &dyn Fn(&TrialReport) -> bool| {
            trials.clone().filter(|trial| holds(trial)).count() as u64
        };
        let excluded = TrialExclusionReason::ALL
            .iter()
            .map(|&reason| (reason, number(&|trial| exclusion(trial) == Some(reason))))
            .filter(|&(_, trials)| trials > 0)
            .collect();
        Self {
            configured,
            executed: number(&|trial| was_executed(trial.status)),
            gradeable: number(&|trial| exclusion(trial).is_none()),
            passed: number(&|trial| trial.task_verdict == Some(TaskVerdict::Passed)),
            never_started: configured.saturating_sub(rows),
            excluded,
        }
    }

    /// "2 of 3 gradeable trials passed"; without a gradeable trial there is no quotient to speak of.
    pub(crate) fn passed_of_gradeable(&self) -> String {
        match self.gradeable {
            0 => "no gradeable trial".to_owned(),
            gradeable => {
                format!("{} of {} passed", self.passed, count(gradeable, "gradeable trial"))
            }
        }
    }

    /// "1 trial (ran out of time) · 2 trials (never started)"; absent when every configured trial is gradeable.
    pub(crate) fn exclusions(&self) -> Option<String> {
        let mut parts: Vec<String> = self
            .excluded
            .iter()
            .map(|(reason, trials)| format!("{} ({})", count(*trials, "trial"), reason.label()))
            .collect();
        if self.never_started > 0 {
            parts.push(format!("{} (never started)", count(self.never_started, "trial")));
        }
        (!parts.is_empty()).then(|| parts.join(" · "))
    }
}

/// How a case was configured.
pub(crate) fn configuration<'a>(
    report: &'a RunReport,
    case: &CaseReport,
) -> Option<&'a CaseConfiguration> {
    report.metadata.cases.iter().find(|known| known.case_id == case.id)
}

const fn was_executed(status: IterationStatus) -> bool {
    match status {
        IterationStatus::Pending | IterationStatus::Cancelled | IterationStatus::Skipped => false,
        IterationStatus::Running
        | IterationStatus::Completed
        | IterationStatus::Failed
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed => true,
    }
}

/// Why a trial is not gradeable; absent when it is.
fn exclusion(trial: &TrialReport) -> Option<TrialExclusionReason> {
    match trial.status {
        IterationStatus::Pending | IterationStatus::Running => {
            Some(TrialExclusionReason::NotTerminal)
        }
        IterationStatus::Skipped => Some(TrialExclusionReason::Skipped),
        IterationStatus::SetupFailed => Some(TrialExclusionReason::SetupFailed),
        IterationStatus::Cancelled => Some(TrialExclusionReason::Cancelled),
        IterationStatus::TimedOut => Some(TrialExclusionReason::TimedOut),
        IterationStatus::Failed => Some(TrialExclusionReason::ExecutionFailed),
        IterationStatus::Completed => {
            let graded = trial.task_verdict.is_some() && !trial.evaluator_error;
            (!graded).then_some(TrialExclusionReason::EvaluatorError)
        }
    }
}
