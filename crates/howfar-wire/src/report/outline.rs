//! A trial as comparisons and gates read it: the parts of its row that they need, borrowed from the text they stand in.

use serde::Deserialize;

use super::{TokenUse, TrialReport};
use crate::chain::{JudgeStatus, Text};
use crate::scorecard::{CheckOutcome, Provenance, Role};
use crate::vocabulary::{FailureCategory, IterationStatus, Stage, StageState, TaskVerdict};

/// The parts of a [`TrialReport`] that comparisons and gates read. It is read from the same JSON text and skips the rest,
/// so that what nobody looks at of many thousand trials is never built. Each member says what the same one of
/// [`TrialReport`] says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialOutline<'a> {
    /// From 1.
    pub iteration_number: u32,
    /// Whether the trial ran.
    pub status: IterationStatus,
    /// What grading decided; absent for a trial that cannot be graded.
    #[serde(default)]
    pub task_verdict: Option<TaskVerdict>,
    /// Whether its grader broke.
    #[serde(default)]
    pub evaluator_error: bool,
    /// The execution error.
    #[serde(borrow, default)]
    pub error: Option<Text<'a>>,
    /// The links of the chain, in order; empty when the trial has no chain.
    pub stage_results: Vec<LinkOutline>,
    /// Where the chain broke first.
    #[serde(default)]
    pub first_failed_stage: Option<Stage>,
    /// The bucket of a trial that did not pass.
    #[serde(default)]
    pub failure_category: Option<FailureCategory>,
    /// What its graders found.
    #[serde(borrow)]
    pub scorecard: ScorecardOutline<'a>,
    /// What its judge said; absent when the suite has none.
    #[serde(default)]
    pub judge: Option<JudgeOutline>,
    /// In milliseconds.
    pub duration_ms: f64,
    /// Token use; absent when the provider reported none.
    #[serde(default)]
    pub tokens: Option<TokenUse>,
    /// In US dollars; absent when it is not known.
    #[serde(default)]
    pub cost_usd: Option<f64>,
}

/// The state of one link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct LinkOutline {
    /// The link.
    pub stage: Stage,
    /// What is known about it.
    pub state: StageState,
}

/// How far a judging got.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct JudgeOutline {
    /// How far.
    pub status: JudgeStatus,
    /// The score, a fraction; only when scored.
    #[serde(default)]
    pub score: Option<f64>,
}

/// The rows of a scorecard.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ScorecardOutline<'a> {
    /// Grouped by link, in authored order inside a link, built-in first.
    #[serde(borrow)]
    pub rows: Vec<CheckOutline<'a>>,
}

/// One check of a scorecard.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CheckOutline<'a> {
    /// The predicate kind or the grader.
    #[serde(borrow)]
    pub check: Text<'a>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Absent for a built-in row, which has no role.
    #[serde(default)]
    pub role: Option<Role>,
    /// What came out.
    pub outcome: CheckOutcome,
    /// Why, in one line.
    #[serde(borrow)]
    pub reason: Text<'a>,
}

impl<'a> From<&'a TrialReport> for TrialOutline<'a> {
    fn from(row: &'a TrialReport) -> Self {
        let checks = row.scorecard.rows.iter().map(|check| CheckOutline {
            check: Text::from(&*check.check),
            provenance: check.provenance,
            role: check.role,
            outcome: check.outcome,
            reason: Text::from(&*check.reason),
        });
        let links = row.stage_results.iter();
        Self {
            iteration_number: row.iteration_number,
            status: row.status,
            task_verdict: row.task_verdict,
            evaluator_error: row.evaluator_error,
            error: row.error.as_deref().map(Text::from),
            stage_results: links
                .map(|link| LinkOutline { stage: link.stage, state: link.state })
                .collect(),
            first_failed_stage: row.first_failed_stage,
            failure_category: row.failure_category,
            scorecard: ScorecardOutline { rows: checks.collect() },
            judge: row
                .judge
                .as_ref()
                .map(|judge| JudgeOutline { status: judge.status, score: judge.score }),
            duration_ms: row.duration_ms,
            tokens: row.tokens,
            cost_usd: row.cost_usd,
        }
    }
}
