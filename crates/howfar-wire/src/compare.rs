//! Comparing two runs: the compare document and what its gates read (run-documents, section 9).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::gate::{GateInput, ScoreIntegrity};
use crate::report::CategoryCounts;
use crate::vocabulary::vocabulary;

vocabulary! {
    /// What became of a case from the base run to the compared one.
    CompareStatus = "compareStatuses", "What became of a case from one run to the other." {
        /// Passed, then failed.
        Regressed = "regressed" => "regressed",
        /// Failed, then passed.
        Fixed = "fixed" => "fixed",
        /// The case or its evaluation changed.
        Changed = "changed" => "changed",
        /// Only in the compared run.
        NewCase = "new_case" => "new",
        /// Only in the base run.
        RemovedCase = "removed_case" => "removed",
        /// Passed in both.
        UnchangedPassed = "unchanged_passed" => "still passing",
        /// Failed in both.
        UnchangedFailed = "unchanged_failed" => "still failing",
    }
}

vocabulary! {
    /// What a row of a compare report means for a reader who merges.
    Classification = "compareClassifications", "What a row of a compare report means for whoever merges." {
        /// Something got worse.
        Breaking = "breaking" => "breaking",
        /// Nothing got worse.
        NonBreaking = "non_breaking" => "not breaking",
        /// To be looked at.
        Informational = "informational" => "informational",
    }
}

vocabulary! {
    /// How a case did in one run.
    SideOutcome = "compareSideOutcomes", "How a case did in one run." {
        /// Every decided iteration passed.
        Passed = "passed" => "passed",
        /// A decided iteration failed.
        Failed = "failed" => "failed",
        /// The run has no decided iteration of the case.
        Absent = "absent" => "absent",
    }
}

/// How one case did in one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareSide {
    /// How it did.
    pub outcome: SideOutcome,
    /// Its iterations.
    pub iteration_ids: Vec<String>,
    /// The iteration to look at: the first that failed, else the first.
    pub representative_iteration_id: Option<String>,
    /// That iteration's error.
    pub error: Option<String>,
}

/// One case in both runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareCase {
    /// Names the case in both runs.
    pub case_key: String,
    /// Its title.
    pub title: String,
    /// What became of it.
    pub status: CompareStatus,
    /// Whether the case itself changed.
    pub config_changed: bool,
    /// Whether its evaluators changed.
    pub evaluation_config_changed: bool,
    /// How each evaluator's score moved.
    #[serde(default)]
    pub score_deltas: Vec<ScoreDelta>,
    /// In the base run.
    pub base: CompareSide,
    /// In the compared run.
    pub compare: CompareSide,
}

/// How the score of one evaluator moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreDelta {
    /// The evaluator.
    pub scorer_id: String,
    /// Whether it decides.
    pub gating: bool,
    /// Whether equal evidence gives equal scores.
    pub deterministic: bool,
    /// Whether its definition changed.
    pub definition_changed: bool,
    /// In the base run.
    pub base: Option<ScoreSide>,
    /// In the compared run.
    pub compare: Option<ScoreSide>,
    /// How the value moved.
    #[serde(default)]
    pub value: Option<NumericDiff>,
}

/// A score in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreSide {
    /// What became of it.
    pub status: String,
    /// The score.
    pub value: Option<f64>,
    /// Whether it passed.
    pub passed: Option<bool>,
}

/// How a number moved; `null` where it is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumericDiff {
    /// In the base run.
    pub base: Option<f64>,
    /// In the compared run.
    pub compare: Option<f64>,
    /// Compared minus base.
    pub delta: Option<f64>,
    /// The same in percent of the base; `null` also for a base of 0.
    pub percent_delta: Option<f64>,
}

/// What the gates over two runs read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareInput {
    /// The base run.
    pub base: GateInput,
    /// The compared run.
    pub compare: GateInput,
    /// Deterministic scorers that decide and went from passed to failed.
    pub deterministic_score_regressions: Vec<ScoreRegression>,
    /// Whether any score could be compared.
    pub score_deltas_available: bool,
    /// Whether a case is only in one run.
    pub case_set_changed: bool,
    /// Whether a case changed.
    pub scenario_config_changed: bool,
    /// Whether an evaluator changed.
    pub evaluation_config_changed: bool,
    /// Whether every shared case has equally many iterations in both runs.
    pub iteration_weighting_equal: bool,
}

/// A score that went from passed to failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreRegression {
    /// The case.
    pub case_key: String,
    /// The evaluator.
    pub scorer_id: String,
}

/// The parts of a compare document that gates and reports read. Everything else in it is for people.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareDocument {
    /// The base run.
    pub base_run: CompareRun,
    /// The compared run.
    pub compare_run: CompareRun,
    /// How the scores of both runs relate.
    pub score_contract: CompareScoreContract,
    /// The cases.
    pub cases: Vec<CompareCase>,
}

/// One run of a compare document.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareRun {
    /// Its id.
    pub id: String,
    /// Its counts, when they were recorded.
    #[serde(default)]
    pub summary: Option<crate::gate::GateIterations>,
}

/// How the scores of two runs relate.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareScoreContract {
    /// The base run.
    pub base: CompareScoreSide,
    /// The compared run.
    pub compare: CompareScoreSide,
    /// Whether the evaluators of the run changed.
    pub evaluation_config_changed: bool,
}

/// The scores of one run of a compare document.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareScoreSide {
    /// Whether they were verified.
    #[serde(default)]
    pub score_integrity: Option<ScoreIntegrity>,
}

/// A case with iterations of both outcomes in one run: reported, never gated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlakyCase {
    /// Names the case.
    pub case_key: String,
    /// Its decided iterations.
    pub total: u64,
    /// Of those, passed.
    pub passed: u64,
    /// Of those, failed.
    pub failed: u64,
}

/// The version of [`CompareReport`].
pub const COMPARE_REPORT_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`CompareReport`].
pub const COMPARE_REPORT_KIND: &str = "run-compare";

/// The report of a comparison: one row per case, and a last one for the gates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareReport {
    /// [`COMPARE_REPORT_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`COMPARE_REPORT_KIND`].
    pub kind: String,
    /// Whether the gates let it pass.
    pub passed: bool,
    /// Counts of rows.
    pub summary: CompareSummary,
    /// The rows.
    pub cases: Vec<CompareRow>,
    /// Wall time in milliseconds.
    pub duration_ms: f64,
    /// What was compared.
    pub metadata: Value,
}

/// Counts of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareSummary {
    /// All.
    pub total: u64,
    /// Passed.
    pub passed: u64,
    /// Failed.
    pub failed: u64,
    /// By category: a compare status, or `gate`.
    pub by_category: BTreeMap<String, CategoryCounts>,
    /// By classification.
    pub by_classification: BTreeMap<String, CategoryCounts>,
}

/// One row of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareRow {
    /// The case's key, or `gate`.
    pub id: String,
    /// The case's title; absent on the gate's row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What became of the case, or `gate`.
    pub category: String,
    /// Whether the row is fine.
    pub passed: bool,
    /// What it means for whoever merges.
    pub classification: Classification,
    /// What is wrong; only on a regressed case and on a gate that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
