//! Chains: the six rows of one trial, and the tallies of several.

use serde::{Deserialize, Serialize};

use crate::chain::StageRow;
use crate::rate::Counts;
use crate::vocabulary::{FailureCategory, MeasurementUnit, Stage, StageState};

/// What one trial says about one link, without its reason and evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkState {
    /// The link.
    pub stage: Stage,
    /// What is known about it.
    pub state: StageState,
}

/// How often each state occurred at each link, over the trials of one case or one run. Tallies of different links are
/// never added up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChainTally {
    /// Always `trial`.
    pub unit: MeasurementUnit,
    /// One row per link, in chain order.
    pub links: Vec<LinkTally>,
    /// Trials of which no chain is stored; they are in no row.
    pub without_chain: u64,
    /// Where the chains broke first; trials whose chain did not break are in no count. A place, not a cause.
    pub first_failed_stages: Counts<Stage>,
    /// The buckets of trials that did not pass; others are in no count.
    pub failure_categories: Counts<FailureCategory>,
}

/// How often each state occurred at one link. Only states that occurred are there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkTally {
    /// The link.
    pub stage: Stage,
    /// Trials by state.
    pub states: Counts<StageState>,
}

/// The chain of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrialChain {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `trial-chain`.
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The case's declared id.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// The six rows, in chain order.
    pub stage_results: Vec<StageRow>,
    /// Where the chain broke first: a place, not a cause. Absent when no link failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_failed_stage: Option<Stage>,
    /// The bucket of a trial that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_category: Option<FailureCategory>,
    /// Who should look next, in the category's own words; absent without a category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_owner: Option<String>,
    /// The analyzer that derived the rows.
    pub stage_analyzer_version: u64,
}

/// The chains of a case's trials, or of all trials of a run, tallied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TalliedChain {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `chain-tally`.
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The case's declared id; absent when all cases of the run are tallied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    /// The tallies.
    pub chain: ChainTally,
}
