//! The compare document: two runs, case by case (run-documents 9.1).

use serde::{Deserialize, Serialize};

use super::{BaselinePolicy, CompareStatus, SideOutcome};
use crate::gate::ScoreIntegrity;

/// Two runs, case by case. Differences are compared minus base.
///
/// Documents of other producers may leave out what gates do not read: `suite`, `baseline`, `passSummary` and `metrics`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareDocument {
    /// The suite of the compared run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<CompareSuite>,
    /// How the base run was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<CompareBaseline>,
    /// The base run.
    pub base_run: CompareRun,
    /// The compared run.
    pub compare_run: CompareRun,
    /// How the counts of decided trials moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_summary: Option<ComparePassSummary>,
    /// How time, tokens and cost moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<CompareMetrics>,
    /// How the scores of both runs relate.
    pub score_contract: CompareScoreContract,
    /// The cases: those of the compared run in its order, then those that only the base run has.
    pub cases: Vec<CompareCase>,
}

/// The suite of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareSuite {
    /// Its declared id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// How the base run was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareBaseline {
    /// The rule.
    pub policy: BaselinePolicy,
    /// The run that it gave.
    pub base_run_id: String,
}

/// One run of a compare document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareRun {
    /// Its id.
    pub id: String,
    /// Its number in its suite; `null` where runs are not numbered, as here.
    #[serde(default)]
    pub run_number: Option<u64>,
    /// `passed` or `failed`; `null` when the run decided neither.
    #[serde(default)]
    pub result: Option<String>,
    /// When it began, in milliseconds since 1970.
    #[serde(default)]
    pub created_at: Option<u64>,
    /// When it began plus the wall time that it ran, in milliseconds since 1970; `null` when it did not end.
    #[serde(default)]
    pub completed_at: Option<u64>,
    /// Its counts of decided trials; `null` when they were not recorded.
    #[serde(default)]
    pub summary: Option<CompareCounts>,
}

/// Counts of decided trials: those that were graded. A trial that could not be graded is in none of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareCounts {
    /// All.
    pub total: u64,
    /// Passed.
    pub passed: u64,
    /// Failed; `null` when it was not recorded.
    #[serde(default)]
    pub failed: Option<u64>,
    /// Passed of all, a fraction; `null` without a decided trial.
    #[serde(default)]
    pub pass_rate: Option<f64>,
}

/// How the counts of decided trials moved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparePassSummary {
    /// The pass rate in percent.
    pub pass_rate_percent: NumericDiff,
    /// Decided trials.
    pub total: NumericDiff,
    /// Passed trials.
    pub passed: NumericDiff,
    /// Failed trials.
    pub failed: NumericDiff,
}

/// How time, tokens and cost moved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareMetrics {
    /// Wall time of the run, in milliseconds.
    pub wall_duration_ms: NumericDiff,
    /// Tokens of all trials that ran; unknown when one of them reports none.
    pub total_tokens: NumericDiff,
    /// Cost in US dollars as providers stated it; unknown when they did not for one of the trials that ran.
    pub estimated_cost_usd: NumericDiff,
}

/// How the scores of two runs relate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareScoreContract {
    /// The base run.
    pub base: CompareScoreSide,
    /// The compared run.
    pub compare: CompareScoreSide,
    /// Whether the evaluators of the run changed. Two absent identities are not equal ones.
    pub evaluation_config_changed: bool,
    /// Every evaluator, by id.
    #[serde(default)]
    pub scorers: Vec<ScorerComparison>,
}

/// The scores of one run of a compare document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareScoreSide {
    /// The identity of the evaluators over all cases; `null` when the run states none.
    #[serde(default)]
    pub evaluation_config_hash: Option<String>,
    /// Whether the scores were verified; `null` when nobody said.
    #[serde(default)]
    pub score_integrity: Option<ScoreIntegrity>,
    /// Completed trials with scores, in trials.
    #[serde(default)]
    pub scored_iterations: u64,
    /// Completed trials whose scores do not fit their definitions, in trials: counted here and in no rate.
    #[serde(default)]
    pub quarantined_iterations: u64,
}

/// One evaluator over both runs. Rates are over the rows of all cases that it graded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScorerComparison {
    /// The evaluator.
    pub scorer_id: String,
    /// Whether it decides.
    pub gating: bool,
    /// Whether equal evidence gives equal scores.
    pub deterministic: bool,
    /// Whether its definition changed in any case, or is known on one side alone.
    pub definition_changed: bool,
    /// Passed of the rows that apply, a fraction.
    pub pass_rate: NumericDiff,
    /// The mean of the scored rows.
    pub mean_value: NumericDiff,
    /// Rows that could not be scored.
    pub error_count: CountDiff,
}

/// A count in both runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountDiff {
    /// In the base run.
    pub base: u64,
    /// In the compared run.
    pub compare: u64,
}

/// How one case did in one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareSide {
    /// How it did: failed when a decided trial failed.
    pub outcome: SideOutcome,
    /// Its trials that began, as `case#trial`.
    pub iteration_ids: Vec<String>,
    /// The trial to look at: the first that failed, else the first.
    pub representative_iteration_id: Option<String>,
    /// What was wrong in that trial: its error, else its first failed required check.
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
    /// In the base run; `null` when the evaluator has no row there.
    pub base: Option<ScoreSide>,
    /// In the compared run.
    pub compare: Option<ScoreSide>,
    /// How the value moved.
    #[serde(default)]
    pub value: Option<NumericDiff>,
}

/// The scores of one case by one evaluator in one run, taken together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreSide {
    /// `scored` when a row was scored, else what became of the rows.
    pub status: String,
    /// The mean of the scored rows.
    pub value: Option<f64>,
    /// Whether every scored row passed.
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
