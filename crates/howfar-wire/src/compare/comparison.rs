//! The whole comparison of two runs: whether they may be compared first, then what moved.

use serde::{Deserialize, Serialize};

use super::{
    CaseLinks, CompareDocument, ComparedSide, PassRateVerdict, RateDifference, ScoreRegression,
    ToolDifference,
};
use crate::gate::{CostTotal, GateReport};
use crate::verdict::PassRateInterval;
use crate::vocabulary::{MeasurementUnit, ParityBlocker, Verdict};

/// The version of [`RunComparison`].
pub const RUN_COMPARISON_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`RunComparison`].
pub const RUN_COMPARISON_KIND: &str = "run-comparison";

/// Two runs compared. Read `parityBlockers` first: while one stands, nothing here is a trend, and what is left are facts
/// about single cases. A difference is a difference: nothing here names what it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunComparison {
    /// [`RUN_COMPARISON_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`RUN_COMPARISON_KIND`].
    pub kind: String,
    /// What every count below counts: always `trial`.
    pub measurement_unit: MeasurementUnit,
    /// Every reason why the runs may not be compared; none is the only yes.
    pub parity_blockers: Vec<ParityBlocker>,
    /// Runs that decided nothing, so that no gate is decided over them.
    pub undecided: Vec<UndecidedRun>,
    /// Whether both runs measured the same cases alike.
    pub population: ComparePopulation,
    /// The tools that each run's model saw.
    pub catalogs: CompareCatalogs,
    /// The pass rates of both runs; absent when the runs may not be compared, or did not measure the same cases alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_rate: Option<PassRateComparison>,
    /// Deterministic evaluators that decide, with one definition, that went from passed to failed. They stand whatever
    /// the blockers.
    pub deterministic_regressions: Vec<ScoreRegression>,
    /// Whether any score could be compared at all.
    pub score_deltas_available: bool,
    /// Cases with trials of both outcomes in one run: reported, never gated.
    pub flaky_cases: FlakyCases,
    /// What each run cost, and of how many trials that is known.
    pub cost: CompareCost,
    /// Case by case, how each link did in both runs. Nothing is added up over links or cases.
    pub links: Vec<CaseLinks>,
    /// Runs and cases side by side.
    pub compare: CompareDocument,
    /// What the gates that were asked for came to; without any, `passed` means that nothing was asked.
    pub gates: GateReport,
}

/// What both runs cost, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareCost {
    /// The base run.
    pub base: CostTotal,
    /// The compared run.
    pub compare: CostTotal,
}

/// A run that decided nothing: it was cut off, or too little was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UndecidedRun {
    /// Which of the two.
    pub side: ComparedSide,
    /// Whether every configured trial ran.
    pub complete: bool,
    /// Its verdict: `inconclusive` or `notEstablished`.
    pub verdict: Verdict,
}

/// Whether two runs measured the same cases alike. Whole-run gates need all four to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparePopulation {
    /// Whether a case was decided in one run only.
    pub case_set_changed: bool,
    /// Whether a case changed.
    pub scenario_config_changed: bool,
    /// Whether an evaluator changed.
    pub evaluation_config_changed: bool,
    /// Whether every shared case has equally many trials in both runs.
    pub iteration_weighting_equal: bool,
}

impl ComparePopulation {
    /// Whether rates of the two runs may stand side by side.
    pub const fn is_comparable(&self) -> bool {
        !self.case_set_changed
            && !self.scenario_config_changed
            && !self.evaluation_config_changed
            && self.iteration_weighting_equal
    }
}

/// The tools that the model of each run saw. A change of them is what a comparison is for, and no blocker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareCatalogs {
    /// Digest of the base run's tools: names, descriptions and schemas; `null` when they could not be listed.
    pub base: Option<String>,
    /// The compared run's.
    pub compare: Option<String>,
    /// Whether they differ; `null` when a side is unknown.
    pub changed: Option<bool>,
    /// The tools that the servers declare otherwise, those of the base run first, at most 100; `null` when the catalog of
    /// a side was not recorded, or only a part of it, so that nothing is said of single tools. An empty list beside
    /// `changed: true` means that the tools come in another order, or that the model was let see others of them.
    pub tools: Option<Vec<ToolDifference>>,
    /// How many more tools differ than `tools` lists.
    pub tools_left_out: u64,
}

/// The pass rates of both runs with Newcombe's interval of their difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassRateComparison {
    /// What is counted: always `trial`, over the decided ones.
    pub unit: MeasurementUnit,
    /// The base run.
    pub base: PassRateSide,
    /// The compared run.
    pub compare: PassRateSide,
    /// The difference; absent when a side has no decided trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<RateDifference>,
    /// What it means.
    pub verdict: PassRateVerdict,
    /// The least number of decided trials on each side.
    pub min_sample_size: f64,
    /// The least fall that counts, a fraction.
    pub min_effect_size: f64,
}

/// The pass rate of one run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassRateSide {
    /// Decided trials that passed.
    pub passed: u64,
    /// Decided trials.
    pub total: u64,
    /// Wilson's interval of the rate; `null` without a decided trial.
    pub interval: Option<PassRateInterval>,
}

/// The flaky cases of each run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlakyCases {
    /// Of the base run.
    pub base: Vec<FlakyCase>,
    /// Of the compared run.
    pub compare: Vec<FlakyCase>,
}

/// A case with trials of both outcomes in one run: reported, never gated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlakyCase {
    /// Names the case.
    pub case_key: String,
    /// Its decided trials.
    pub total: u64,
    /// Of those, passed.
    pub passed: u64,
    /// Of those, failed.
    pub failed: u64,
}
