//! The cases of a run.

use serde::{Deserialize, Serialize};

use super::chain::ChainTally;
use crate::rate::Counts;
use crate::verdict::CaseDecision;
use crate::vocabulary::{CaseState, CaseVerdict, IterationStatus, MeasurementUnit};

/// The cases of a run, in file order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CasePage {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `case-page`.
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The cases of this page.
    pub cases: Vec<CaseRow>,
    /// How many cases the run has, on all pages.
    pub total_cases: u64,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// One case of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CaseRow {
    /// The declared id.
    pub case_id: String,
    /// The title.
    pub title: String,
    /// The intent label; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// The provider; absent when the case needs no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model as planned (`provider/model`); absent when the case needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The fraction of gradeable trials that must pass.
    pub pass_threshold: f64,
    /// Digest of what the case means: title, steps and expected output.
    pub content_hash: String,
    /// The case's verdict; absent as long as nothing is decided about the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<CaseVerdict>,
    /// How far the case got; absent as long as nothing is decided about the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<CaseState>,
    /// Why, with its counts of trials; absent when no decision was formed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<CaseDecision>,
    /// Its trials.
    pub trials: CaseTrials,
    /// How far they got.
    pub chain: ChainTally,
}

/// How many trials a case has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CaseTrials {
    /// Always `trial`.
    pub unit: MeasurementUnit,
    /// Trials asked for.
    pub configured: u64,
    /// Trials that are stored.
    pub stored: u64,
    /// Of those, trials that grading decided as passed.
    pub passed: u64,
    /// Of those, trials that grading decided as failed. Trials that cannot be graded are in neither count.
    pub failed: u64,
    /// The stored trials by whether they ran.
    pub statuses: Counts<IterationStatus>,
}
