//! Trials: the list, and one as its report has it.

use serde::{Deserialize, Serialize};

use super::chain::LinkState;
use crate::report::TrialReport;
use crate::vocabulary::{FailureCategory, IterationStatus, Stage, TaskVerdict};

/// The stored trials of a run, case by case in file order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IterationPage {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `iteration-page`.
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The trials of this page.
    pub iterations: Vec<IterationRow>,
    /// How many stored trials the question selects, on all pages.
    pub total_trials: u64,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// One stored trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IterationRow {
    /// The case's declared id.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// Whether it ran.
    pub status: IterationStatus,
    /// What grading decided; absent for a trial that cannot be graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_verdict: Option<TaskVerdict>,
    /// What is known about each link, in chain order; absent when no chain is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<LinkState>>,
    /// Where the chain broke first: a place, not a cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_failed_stage: Option<Stage>,
    /// The bucket of a trial that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_category: Option<FailureCategory>,
    /// How long its turns took, in milliseconds.
    pub duration_ms: f64,
}

/// One trial with its chain, calls and scorecard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrialDetail {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `trial-detail`.
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The case's declared id.
    pub case_id: String,
    /// The case's title.
    pub title: String,
    /// Who should look next, in the category's own words; absent without a category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_owner: Option<String>,
    /// The trial, by the newest analyzer that derived it.
    pub trial: TrialReport,
}
