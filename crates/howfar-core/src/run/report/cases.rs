//! Cases with their trials: how far each got, what was decided about it, and how it reads in the report.

use howfar_wire::record::{CaseRecord, RunRecord};
use howfar_wire::report::{
    CaseConfiguration, CaseDetails, CaseReport, CategoryCounts, Population, ReportSummary,
    TrialReport,
};
use howfar_wire::verdict::VerdictDecision;
use howfar_wire::vocabulary::{CaseState, CaseVerdict, DecisionVerdict, IterationStatus};

use super::DerivedTrial;

/// The category of every case of a suite.
const CASE_CATEGORY: &str = "eval-case";

/// A case with the trials that are recorded of it, in trial order.
pub(super) struct CaseTrials<'a> {
    pub(super) case: &'a CaseRecord,
    pub(super) trials: Vec<DerivedTrial>,
}

/// How far each case got and what was decided about it, in file order.
pub(super) struct Outcomes {
    pub(super) states: Vec<CaseState>,
    pub(super) verdicts: Vec<CaseVerdict>,
}

impl<'a> CaseTrials<'a> {
    /// The cases of a run in file order. A trial of a case that the run does not have is nobody's.
    pub(super) fn group(record: &'a RunRecord, trials: Vec<DerivedTrial>) -> Vec<Self> {
        let place = |case: &'a CaseRecord| Self { case, trials: Vec::new() };
        let mut cases: Vec<Self> = record.cases.iter().map(place).collect();
        let places: std::collections::HashMap<&str, usize> =
            record.cases.iter().enumerate().map(|(at, case)| (case.id.as_str(), at)).collect();
        for trial in trials {
            if let Some(&at) = places.get(trial.case_id.as_str()) {
                cases[at].trials.push(trial);
            }
        }
        for case in &mut cases {
            case.trials.sort_by_key(|trial| trial.row.iteration_number);
        }
        cases
    }

    /// Interrupted when some of its trials ran and some did not; a failed setup is an end like any other.
    pub(super) fn state(&self) -> CaseState {
        match self.trials.iter().filter(|trial| is_executed(trial.row.status)).count() {
            0 => CaseState::NotStarted,
            some if some == self.case.iterations as usize => CaseState::Completed,
            _ => CaseState::Interrupted,
        }
    }
}

/// Neither cancelled nor skipped nor pending (suite and runner, section B12).
const fn is_executed(status: IterationStatus) -> bool {
    match status {
        IterationStatus::Pending | IterationStatus::Cancelled | IterationStatus::Skipped => false,
        IterationStatus::Running
        | IterationStatus::Completed
        | IterationStatus::Failed
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed => true,
    }
}

/// The verdict of each case.
pub(super) fn verdicts(
    cases: &[CaseTrials<'_>],
    decision: Option<&VerdictDecision>,
) -> Vec<CaseVerdict> {
    let verdict = |(at, case): (usize, &CaseTrials<'_>)| {
        if case.state() == CaseState::NotStarted {
            return CaseVerdict::NotRun;
        }
        match decision.and_then(|decision| decision.cases.get(at)).map(|case| case.verdict) {
            Some(DecisionVerdict::Passed) => CaseVerdict::Passed,
            Some(DecisionVerdict::Failed) => CaseVerdict::Failed,
            Some(DecisionVerdict::Inconclusive) | None => CaseVerdict::Inconclusive,
        }
    };
    cases.iter().enumerate().map(verdict).collect()
}

/// Case counts.
pub(super) fn summary(verdicts: &[CaseVerdict]) -> ReportSummary {
    let count =
        |wanted: CaseVerdict| verdicts.iter().filter(|verdict| **verdict == wanted).count() as u64;
    let counts = CategoryCounts {
        total: verdicts.len() as u64,
        passed: count(CaseVerdict::Passed),
        failed: count(CaseVerdict::Failed),
    };
    ReportSummary {
        total: counts.total,
        passed: counts.passed,
        failed: counts.failed,
        by_category: [(CASE_CATEGORY.to_owned(), counts)].into(),
    }
}

/// Trial counts.
pub(super) fn population(record: &RunRecord, cases: &[CaseTrials<'_>]) -> Population {
    let trials = || cases.iter().flat_map(|case| &case.trials);
    let executed = trials().filter(|trial| is_executed(trial.row.status)).count() as u64;
    let configured = record.configured_trials();
    // A trial that was cut short did start, though it counts as withdrawn.
    let started =
        trials().filter(|trial| trial.row.duration_ms > 0.0 || is_executed(trial.row.status));
    Population {
        unit: "case".to_owned(),
        cases: record.cases.len() as u64,
        configured_iterations: configured,
        executed_iterations: executed,
        not_started_iterations: configured.saturating_sub(started.count() as u64),
    }
}

/// How each case was configured.
pub(super) fn configurations(
    cases: &[CaseTrials<'_>],
    outcomes: &Outcomes,
) -> Vec<CaseConfiguration> {
    let rows = cases.iter().map(|run| run.case).zip(&outcomes.states).zip(&outcomes.verdicts);
    rows.map(|((case, state), verdict)| CaseConfiguration {
        case_id: case.id.clone(),
        title: case.title.clone(),
        intent: case.intent.clone(),
        declared_model: case.declared_model.clone(),
        effective_model: case.model.as_ref().map(|model| model.effective.clone()),
        provider: case.model.as_ref().map(|model| model.provider.clone()),
        configured_iterations: case.iterations,
        pass_threshold: case.pass_threshold,
        content_hash: case.content_hash.clone(),
        judge: case.judge.clone(),
        state: *state,
        verdict: *verdict,
    })
    .collect()
}

/// The cases as the report shows them.
pub(super) fn reports(cases: Vec<CaseTrials<'_>>, verdicts: &[CaseVerdict]) -> Vec<CaseReport> {
    cases.into_iter().zip(verdicts).map(|(case, verdict)| report(case, *verdict)).collect()
}

fn report(run: CaseTrials<'_>, verdict: CaseVerdict) -> CaseReport {
    let CaseTrials { case, trials } = run;
    let iterations: Vec<TrialReport> = trials.into_iter().map(|trial| trial.row).collect();
    let passed = verdict == CaseVerdict::Passed;
    let informational = !passed && verdict != CaseVerdict::Failed;
    CaseReport {
        id: case.id.clone(),
        title: case.title.clone(),
        category: CASE_CATEGORY.to_owned(),
        passed,
        classification: informational.then(|| "informational".to_owned()),
        duration_ms: iterations.iter().map(|trial| trial.duration_ms).sum(),
        error: iterations.iter().find_map(|trial| trial.error.clone()),
        details: CaseDetails {
            case_id: case.id.clone(),
            verdict,
            model: case.model.as_ref().map(|model| model.effective.clone()),
            rail: rail(case).to_owned(),
            iterations,
        },
    }
}

fn rail(case: &CaseRecord) -> &'static str {
    match &case.model {
        None => "none",
        Some(model) if model.scripted => "scripted",
        Some(_) => "direct",
    }
}
