//! One run as comparisons and gates read it: what is recorded and decided, and of each trial what they need.

use howfar_wire::chain::JudgeStatus;
use howfar_wire::record::RunRecord;
use howfar_wire::report::{RunReport, TrialOutline};
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role};
use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::{FailureCategory, IterationStatus, Stage, StageState, TaskVerdict};

/// One run as comparisons and gates read it. It holds no evidence, so that large runs stay small.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSide {
    /// Which run of which suite, with which settings.
    pub record: RunRecord,
    /// The run's report. Its trials are not read and may be left out.
    pub report: RunReport,
    /// Digest of the tools that the model saw; `None` when they could not be listed.
    pub catalog_digest: Option<String>,
    /// Every tool as its server declared it; `None` when that was not recorded, or not completely.
    pub declarations: Option<Vec<ToolDeclaration>>,
    /// Every recorded trial, in the order of the report.
    pub trials: Vec<SideTrial>,
}

/// What comparisons and gates read of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct SideTrial {
    /// The case's declared id.
    pub case_id: String,
    /// From 1.
    pub iteration_number: u32,
    /// Whether it ran.
    pub status: IterationStatus,
    /// Whether its grader broke.
    pub evaluator_error: bool,
    /// What grading decided; `None` for a trial that cannot be graded.
    pub task_verdict: Option<TaskVerdict>,
    /// The state of each link; empty when the trial has no chain.
    pub states: Vec<(Stage, StageState)>,
    /// Where its chain broke first.
    pub first_failed_stage: Option<Stage>,
    /// The bucket of a trial that did not pass.
    pub failure_category: Option<FailureCategory>,
    /// What its graders found, grouped by link, in authored order inside a link; without the built-in rows.
    pub checks: Vec<SideCheck>,
    /// How far its judge got, and the score; `None` when the suite has no judge.
    pub judge: Option<(JudgeStatus, Option<f64>)>,
    /// Its error, else what its first failed required check says.
    pub failure: Option<String>,
    /// How long its turns took, in milliseconds.
    pub duration_ms: f64,
    /// Its tokens; `None` when the provider reported none.
    pub tokens: Option<u64>,
    /// Its cost in US dollars; `None` when the provider did not state it.
    pub cost_usd: Option<f64>,
}

/// What one grader found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideCheck {
    /// The predicate kind or the grader.
    pub check: String,
    /// Where it comes from.
    pub provenance: Provenance,
    /// What came out.
    pub outcome: CheckOutcome,
}

impl RunSide {
    /// A run whose report holds its trials. Its declarations are left unknown.
    pub fn new(record: RunRecord, report: RunReport, catalog_digest: Option<String>) -> Self {
        let trials = report.cases.iter().flat_map(|case| {
            case.details
                .iterations
                .iter()
                .map(|row| SideTrial::new(&case.id, TrialOutline::from(row)))
        });
        let trials = trials.collect();
        Self { record, report, catalog_digest, declarations: None, trials }
    }
}

impl SideTrial {
    /// A trial from what its row of the report says.
    pub fn new(case_id: &str, row: TrialOutline<'_>) -> Self {
        let rows = &row.scorecard.rows;
        let graded = rows.iter().filter(|check| check.provenance != Provenance::BuiltIn);
        let failed = rows.iter().find(|check| {
            check.role == Some(Role::Required) && check.outcome == CheckOutcome::Failed
        });
        Self {
            case_id: case_id.to_owned(),
            iteration_number: row.iteration_number,
            status: row.status,
            evaluator_error: row.evaluator_error,
            task_verdict: row.task_verdict,
            states: row.stage_results.iter().map(|link| (link.stage, link.state)).collect(),
            first_failed_stage: row.first_failed_stage,
            failure_category: row.failure_category,
            checks: graded
                .map(|check| SideCheck {
                    check: check.check.to_string(),
                    provenance: check.provenance,
                    outcome: check.outcome,
                })
                .collect(),
            judge: row.judge.map(|judge| (judge.status, judge.score)),
            failure: row
                .error
                .or_else(|| failed.map(|check| check.reason.clone()))
                .map(String::from),
            duration_ms: row.duration_ms,
            tokens: row.tokens.map(|tokens| tokens.total),
            cost_usd: row.cost_usd,
        }
    }

    /// The trial's name in documents.
    pub fn key(&self) -> String {
        format!("{}#{}", self.case_id, self.iteration_number)
    }

    /// Whether any of its turns can have run.
    pub(super) const fn ran(&self) -> bool {
        match self.status {
            IterationStatus::Completed | IterationStatus::Failed | IterationStatus::TimedOut => {
                true
            }
            IterationStatus::Pending
            | IterationStatus::Running
            | IterationStatus::Skipped
            | IterationStatus::Cancelled
            | IterationStatus::SetupFailed => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixture::Went::{Elsewhere, Unanswered, Well};
    use crate::run::fixture::run;

    #[test]
    fn an_outline_that_is_read_from_text_is_that_of_the_row() {
        let side = run("r", &[("c", &[Well, Elsewhere, Unanswered])]);
        for row in &side.report.cases[0].details.iterations {
            let text = serde_json::to_string(row).expect("a row is JSON");
            let read: TrialOutline<'_> = serde_json::from_str(&text).expect("a row has an outline");
            assert_eq!(read, TrialOutline::from(row));
        }
    }
}
