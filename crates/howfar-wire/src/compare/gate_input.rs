//! What the gates over two runs read (run-documents 9.2).

use serde::{Deserialize, Serialize};

use crate::gate::GateInput;

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
