//! The decision summary: what was decided about a run, from which source, and where its non-passing trials broke
//! (run-documents, section 5).

use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::chain::StageRow;
use crate::shape::present;
use crate::verdict::VerdictDecision;
use crate::vocabulary::{
    FailureCategory, MeasurementUnit, Stage, TaskVerdict, UndecidedReason, Verdict, VerdictSource,
};

/// The version of [`DecisionSummary`].
pub const DECISION_SUMMARY_SCHEMA_VERSION: u32 = 1;

/// What was decided about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecisionSummary {
    /// [`DECISION_SUMMARY_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The run.
    pub run_id: String,
    /// The run's own status, as it was recorded.
    pub run_status: String,
    /// The trials that did not pass, one page of them.
    pub diagnostics: DiagnosticsPage,
    /// What was decided.
    pub verdict: Verdict,
    /// Which rule set decided.
    pub verdict_source: VerdictSource,
    /// Counts in the source's own unit; absent when the source states none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub counts: Option<SummaryCounts>,
    /// The decision; only from verdict policy v2.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub decision: Option<VerdictDecision>,
    /// Why nothing was decided; only without a source.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub undecided: Option<Undecided>,
}

/// Counts of a run, all in one unit. An absent count was not stated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SummaryCounts {
    /// What is counted.
    pub measurement_unit: MeasurementUnit,
    /// All.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Passed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub passed: Option<u64>,
    /// Failed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub failed: Option<u64>,
    /// Measured too little; only of case variants.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<u64>,
}

/// Why nothing was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undecided {
    /// Why.
    pub reason: UndecidedReason,
    /// What is known about it; never empty.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// One page of the trials that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiagnosticsPage {
    /// Every trial of the page that did not pass, also those that are still pending. An empty list of a partial page
    /// does not mean that nothing failed.
    pub items: Vec<Diagnostic>,
    /// Whether the items are all there are.
    pub complete: bool,
    /// Where the next page begins; opaque.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How many trials the page was made from.
    pub scanned_iterations: u64,
}

/// One trial that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnostic {
    /// The trial.
    pub iteration_id: String,
    /// Its number.
    pub iteration_number: Number,
    /// The case's declared id; absent when it is not a valid one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    /// The stored case's id.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub test_case_id: Option<String>,
    /// The case's title.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The trial's own status, as it was recorded.
    pub status: String,
    /// What grading decided; absent when that is neither of the two.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<TaskVerdict>,
    /// How far the trial got.
    pub chain: DiagnosticChain,
    /// What the case expects.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub expected: Option<ExpectedTools>,
    /// What was seen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub observed: Option<ObservedTools>,
    /// Where to look.
    pub evidence: DiagnosticEvidence,
    /// Who should look next, in words.
    pub next_action: String,
}

/// The tools that a case expects; each once, in the order of the expectations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpectedTools {
    /// Names.
    pub tool_names: Vec<String>,
}

/// The tools that were called, and the error that ended the trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObservedTools {
    /// Names, each once, in call order.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool_names: Option<Vec<String>>,
    /// The error.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What is known of a trial's chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "status",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum DiagnosticChain {
    /// A sound chain.
    Verified {
        /// The six rows.
        stages: Box<[StageRow; 6]>,
        /// Where it broke first: a place, not a cause.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        first_failed_stage: Option<Stage>,
        /// The bucket.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        failure_category: Option<FailureCategory>,
        /// The level of the rules that made it.
        analyzer_version: u64,
        /// Set when that level is newer than this reader's.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        analyzer_version_ahead: Option<AnalyzerVersionAhead>,
    },
    /// A chain that did not hold up: none of its rows is shown.
    Unverified {
        /// The level it names, when that is one.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        analyzer_version: Option<u64>,
        /// Set when that level is newer than this reader's.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        analyzer_version_ahead: Option<AnalyzerVersionAhead>,
    },
    /// Nothing was ever derived.
    Absent {},
}

/// An analyzer level that this reader does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalyzerVersionAhead {
    /// The level that the chain names.
    pub reported: u64,
    /// The level of this reader.
    pub known: u64,
}

/// Where to look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiagnosticEvidence {
    /// The run.
    pub run_id: String,
    /// The trial.
    pub iteration_id: String,
    /// The path of the trial's trace.
    pub trace_path: String,
    /// The stage that broke first; the lists below are what its row cites.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// Ids of spans.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub span_ids: Option<Vec<String>>,
    /// Indexes of prompts, from 0.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub prompt_indexes: Option<Vec<u64>>,
    /// Reasons of checks.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<String>>,
}
