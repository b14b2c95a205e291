//! What is known of one run without its cases and trials.

use howfar_core::run::report::{Ending, RecordedRun, run_report};
use howfar_core::run::{OWN_PROJECT, SummaryInput, decision_summary, ended_run, open_run};
use howfar_store::{RunId, Store, StoredRun, TrialGroup};
use howfar_wire::analytics::StageAnalytics;
use howfar_wire::api::{API_SCHEMA_VERSION, DecisionHead, RunHead, RunIdentity, RunTally};
use howfar_wire::chain::STAGE_ANALYZER_VERSION;
use howfar_wire::rate::Counts;
use howfar_wire::record::RunListRow;
use howfar_wire::report::{Population, RunReport};
use howfar_wire::summary::DecisionSummary;
use howfar_wire::verdict::VerdictDecision;
use howfar_wire::vocabulary::{IterationStatus, MeasurementUnit};
use serde_json::Value;

use super::{ReadError, runs::known};

/// What is known of a run without its cases and trials. It reads one document and columns, whatever the run's size.
///
/// # Errors
///
/// There is no such run, or the store cannot be read.
pub async fn run_head(store: &Store, id: &RunId) -> Result<RunHead, ReadError> {
    let row = known(store, id).await?;
    let groups = store.trial_groups(id, 0..u32::MAX).await?;
    Ok(head(row, told(store, id).await?, &groups))
}

/// What is told of a run as a whole, without any of its trials.
pub(super) async fn told(store: &Store, id: &RunId) -> Result<Told, ReadError> {
    if let Some(report) = store.decided_head(id).await? {
        return Ok(Told::Decided(report));
    }
    match store.run(id).await? {
        Some(run) => Ok(Told::Open(before_trials(run))),
        None => Err(ReadError::RunNotFound { name: id.to_string() }),
    }
}

/// Where a head comes from.
pub(super) enum Told {
    /// The report of a run that ended.
    Decided(RunReport),
    /// What was known of a run before any of its trials. It has no end, so nothing is decided about it.
    Open(RunReport),
}

fn head(row: RunListRow, told: Told, groups: &[TrialGroup]) -> RunHead {
    let (run, complete, report) = match told {
        Told::Decided(report) => {
            (ended_run(&report.metadata), Some(report.metadata.complete), report)
        }
        Told::Open(report) => (open_run(&report.metadata), None, report),
    };
    let summary = summary(&run);
    let population = match complete {
        Some(_) => report.metadata.population.clone(),
        None => open_population(&row, groups),
    };
    let decision = report.metadata.decision.filter(|_| complete.is_some());
    RunHead {
        schema_version: API_SCHEMA_VERSION,
        kind: "run-head".to_owned(),
        run: row,
        complete,
        counts: summary.counts,
        decision: decision.map(decision_head),
        undecided: summary.undecided,
        population,
        trials: run_tally(groups),
        issues: report.metadata.issues,
        suite: report.metadata.suite,
        identity: identity(report.analytics.as_ref()),
        execution: report.metadata.execution,
        selection: report.metadata.selection,
        duration_ms: report.duration_ms,
        warnings: report.metadata.warnings,
    }
}

/// What a report says of a run before any of its trials is read.
fn before_trials(run: StoredRun) -> RunReport {
    run_report(RecordedRun {
        record: &run.record,
        setup: Some(&run.setup),
        issues: run.issues,
        trials: Vec::new(),
        ending: Ending::Open { elapsed_ms: run.elapsed_ms },
    })
}

/// The decision summary without its diagnostics (run-documents, section 5.2): a run that is not complete has none.
fn summary(run: &Value) -> DecisionSummary {
    decision_summary(&SummaryInput {
        project_id: OWN_PROJECT,
        run,
        iterations: &[],
        complete: false,
        next_cursor: None,
        known_analyzer_version: u64::from(STAGE_ANALYZER_VERSION),
    })
}

fn decision_head(decision: VerdictDecision) -> DecisionHead {
    DecisionHead {
        verdict_policy_version: decision.verdict_policy_version,
        verdict: decision.verdict,
        reasons: decision.reasons,
        validity: decision.validity,
    }
}

/// How many trials a run has that did not end: those that are stored.
fn open_population(row: &RunListRow, groups: &[TrialGroup]) -> Population {
    let withdrawn = |status| match status {
        IterationStatus::Pending | IterationStatus::Cancelled | IterationStatus::Skipped => true,
        IterationStatus::Running
        | IterationStatus::Completed
        | IterationStatus::Failed
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed => false,
    };
    let executed = groups.iter().filter(|group| !withdrawn(group.status));
    let executed_iterations = executed.map(|group| group.trials).sum();
    Population {
        unit: row.unit.clone(),
        cases: row.cases,
        configured_iterations: row.configured_trials,
        executed_iterations,
        not_started_iterations: row.configured_trials.saturating_sub(executed_iterations),
    }
}

/// The stored trials by what became of them.
pub(super) fn run_tally(groups: &[TrialGroup]) -> RunTally {
    let mut tally = RunTally {
        unit: MeasurementUnit::Trial,
        stored: 0,
        statuses: Counts::new(),
        task_verdicts: Counts::new(),
        first_failed_stages: Counts::new(),
        failure_categories: Counts::new(),
    };
    for group in groups {
        tally.stored += group.trials;
        tally.statuses.add(group.status, group.trials);
        if let Some(verdict) = group.task_verdict {
            tally.task_verdicts.add(verdict, group.trials);
        }
        if let Some(stage) = group.first_failed_stage {
            tally.first_failed_stages.add(stage, group.trials);
        }
        if let Some(category) = group.failure_category {
            tally.failure_categories.add(category, group.trials);
        }
    }
    tally
}

/// What a run states of itself for comparisons; nothing without analytics.
pub(super) fn identity(analytics: Option<&StageAnalytics>) -> RunIdentity {
    let Some(analytics) = analytics else { return RunIdentity::default() };
    RunIdentity {
        run_group_id: analytics.run_group_id.clone(),
        config_revision: analytics.config_revision.clone(),
        case_set_fingerprint: analytics.case_set_fingerprint.clone(),
        stage_analyzer_version: Some(analytics.stage_analyzer_version),
    }
}
