//! Every document that is derived from the evidence of one run, in one answer (`howfar derive --all`).

use serde::{Deserialize, Serialize};

use crate::analytics::StageAnalytics;
use crate::chain::StageDerivation;
use crate::friction::{FrictionDocument, FrictionRollup};
use crate::measurement::StageMeasurements;
use crate::rollup::ScorerRollup;
use crate::summary::DecisionSummary;
use crate::verdict::{TrialStatistics, VerdictDecision};

/// The version of [`RunDocuments`].
pub const RUN_DOCUMENTS_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`RunDocuments`].
pub const RUN_DOCUMENTS_KIND: &str = "run-documents";

/// Every document of one run. A document that did not keep its own contract is absent and stands in `refused`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunDocuments {
    /// [`RUN_DOCUMENTS_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`RUN_DOCUMENTS_KIND`].
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The suite's declared id.
    pub suite_id: String,
    /// The documents of each trial, in the order of the evidence.
    pub trials: Vec<TrialDocuments>,
    /// Verdict policy v2 over the trials; absent when it could not be formed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<VerdictDecision>,
    /// Beside the decision, never gating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial_statistics: Option<TrialStatistics>,
    /// What was decided, with a diagnostic per trial that did not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_summary: Option<DecisionSummary>,
    /// How far the trials got.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage_analytics: Option<StageAnalytics>,
    /// What every scorer found; absent when the run does not state its scorers, as in evidence alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scorer_rollup: Option<ScorerRollup>,
    /// Friction over the gradeable trials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionRollup>,
    /// Documents that were derived and not given out, with every reason.
    pub refused: Vec<RefusedDocument>,
}

/// The documents of one trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrialDocuments {
    /// The case's declared id.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// The chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage_derivation: Option<StageDerivation>,
    /// Reach and latency per stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage_measurements: Option<StageMeasurements>,
    /// Report-only patterns; absent for a trial that never began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_signals: Option<FrictionDocument>,
}

/// A document that did not keep its own contract: a bug of the deriver, never of the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RefusedDocument {
    /// Which document, for example `stageAnalytics`.
    pub document: String,
    /// The case and trial, when it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<String>,
    /// Every problem: the path in the document, and what is wrong there.
    pub problems: Vec<String>,
}
