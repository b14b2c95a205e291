//! The derivation document: six rows, the first failed stage and the failure category (derivation, section 8).

use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::vocabulary::{FailureCategory, Stage, StageReason, StageState};

/// The level of the rules that this analyzer applies. Stored on every document; an older document may be recomputed.
pub const STAGE_ANALYZER_VERSION: u32 = 12;

/// The first analyzer level that reports a tool error of a case which expects no call.
pub const EVIDENCE_TRIGGERED_RESPONSE: u32 = 7;

/// The largest analyzer version a document may carry: 2^53 − 1.
pub const MAX_ANALYZER_VERSION: u64 = (1 << 53) - 1;

/// How many span ids, and how many reasons, a derived row cites at most.
pub const MAX_EVIDENCE_ITEMS: usize = 5;

/// How many UTF-16 code units a cited reason has at most.
pub const MAX_REASON_UNITS: usize = 500;

/// What one trial says about each link of the chain.
///
/// Reading with serde checks shapes only; whether a stored document is sound is decided by the validator of
/// derivation, section 14.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageDerivation {
    /// One row per stage, in chain order.
    pub stage_results: [StageRow; 6],
    /// The first stage whose row is `failed`; absent when none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_failed_stage: Option<Stage>,
    /// The bucket of a trial that did not pass. May be present without a failed stage: then nothing about the server
    /// was measured to fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_category: Option<FailureCategory>,
    /// The level of the rules that made the document, at most 2^53 − 1.
    pub stage_analyzer_version: u64,
}

impl StageDerivation {
    /// The row of a stage.
    pub const fn row(&self, stage: Stage) -> &StageRow {
        &self.stage_results[stage.index()]
    }
}

/// What one trial says about one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageRow {
    /// The stage.
    pub stage: Stage,
    /// What is known about it.
    pub state: StageState,
    /// Why; every row of this analyzer has a reason, stored rows need not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<StageReason>,
    /// What the row cites; absent when it cites nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<StageEvidence>,
}

/// What a row cites. A list that was looked for and found empty stays, as an empty list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageEvidence {
    /// Ids of spans; at most 5 when derived here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span_ids: Option<Vec<String>>,
    /// Indexes of prompts, copied as they were recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_indexes: Option<Vec<Number>>,
    /// Reasons of checks, judges or setup failures; at most 5 of at most 500 UTF-16 units when derived here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate_reasons: Option<Vec<String>>,
}

/// What readers see of a stored chain (derivation, section 14).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ChainProjection {
    /// A sound document, with nothing but its own keys.
    Verified(Box<StageDerivation>),
    /// A document that did not hold up; none of its rows is shown.
    Unverified(UnverifiedChain),
    /// Nothing was ever derived.
    NeverMeasured {},
}

/// A stored chain that did not hold up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnverifiedChain {
    /// Always `true`.
    pub stage_results_unverified: bool,
    /// The analyzer version it names; absent when that is no version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage_analyzer_version: Option<u64>,
}
