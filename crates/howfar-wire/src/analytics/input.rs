//! What stage analytics are made from (run-documents, section 7.1).

use serde::Deserialize;

use crate::chain::{StageDerivation, StageRow};
use crate::measurement::StageMeasurements;
use crate::shape::known;
use crate::vocabulary::{
    Attribution, FailureCategory, IterationStatus, Materialization, SetupOutcome, Stage,
};

/// The run that a document is about, and who reads it. Times are milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalyticsRun {
    /// The run.
    pub run_id: String,
    /// The suite.
    pub suite_id: String,
    /// Whether a result is still owed.
    pub materialization_state: Materialization,
    /// When the document is made.
    pub now: u64,
    /// The analyzer level of this reader.
    pub reader_stage_analyzer_version: u64,
    /// The measurement schema of this reader; absent means 1.
    #[serde(default)]
    pub reader_measurements_schema_version: Option<u64>,
    /// The group of runs that may be compared.
    #[serde(default)]
    pub run_group_id: Option<String>,
    /// The identity of the run's configuration.
    #[serde(default)]
    pub config_revision: Option<String>,
    /// The identity of the cases that ran.
    #[serde(default)]
    pub case_set_fingerprint: Option<String>,
    /// The organization.
    #[serde(default)]
    pub organization_id: Option<String>,
    /// The workspace.
    #[serde(default)]
    pub workspace_id: Option<String>,
    /// The project.
    #[serde(default)]
    pub project_id: Option<String>,
    /// When the run ended.
    #[serde(default)]
    pub run_completed_at: Option<u64>,
    /// When the newest trial changed.
    #[serde(default)]
    pub source_max_updated_at: Option<u64>,
    /// When the document was first made; absent means now.
    #[serde(default)]
    pub created_at: Option<u64>,
}

/// One trial of the run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalyticsTrial {
    /// Names the trial within the run.
    pub trial_key: String,
    /// Whether the trial ran; `None` for a status that this reader does not know.
    #[serde(deserialize_with = "known")]
    pub status: Option<IterationStatus>,
    /// Whether the grader broke.
    #[serde(default)]
    pub evaluator_errored: bool,
    /// The rows of the chain; empty when none is stored.
    #[serde(default)]
    pub stage_results: Vec<StageRow>,
    /// The level of the rules that made the chain.
    #[serde(default)]
    pub stage_analyzer_version: Option<u64>,
    /// Whether the chain was found sound when it was stored.
    #[serde(default)]
    pub chain_verified: bool,
    /// The bucket of a trial that did not pass.
    #[serde(default)]
    pub failure_category: Option<FailureCategory>,
    /// The measurements; absent when none are stored.
    #[serde(default)]
    pub measurements: Option<StageMeasurements>,
    /// Whether the measurements are sound and agree with the chain.
    #[serde(default)]
    pub measurements_verified: bool,
    /// The case's intent label.
    #[serde(default)]
    pub intent: Option<String>,
    /// The provider.
    #[serde(default)]
    pub provider: Option<String>,
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// The host's key.
    #[serde(default)]
    pub host_key: Option<String>,
    /// The host's name.
    #[serde(default)]
    pub host_name: Option<String>,
    /// The host's engine.
    #[serde(default)]
    pub execution_engine: Option<String>,
}

impl AnalyticsTrial {
    /// A trial of which nothing but its status is known.
    pub fn new(trial_key: impl Into<String>, status: IterationStatus) -> Self {
        Self {
            trial_key: trial_key.into(),
            status: Some(status),
            evaluator_errored: false,
            stage_results: Vec::new(),
            stage_analyzer_version: None,
            chain_verified: false,
            failure_category: None,
            measurements: None,
            measurements_verified: false,
            intent: None,
            provider: None,
            model: None,
            host_key: None,
            host_name: None,
            execution_engine: None,
        }
    }

    /// The same trial with a sound chain and sound measurements that agree with it.
    pub fn with_chain(self, chain: &StageDerivation, measurements: StageMeasurements) -> Self {
        Self {
            stage_results: chain.stage_results.to_vec(),
            stage_analyzer_version: Some(chain.stage_analyzer_version),
            chain_verified: true,
            failure_category: chain.failure_category,
            measurements: Some(measurements),
            measurements_verified: true,
            ..self
        }
    }
}

/// One trial's copy of how a setup phase went.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseSignal {
    /// `connection` or `discovery`; any other phase, and `None`, is ignored.
    #[serde(deserialize_with = "known")]
    pub phase: Option<Stage>,
    /// Whether every server was fine.
    pub outcome: SetupOutcome,
    /// Whose side the failure lies on.
    #[serde(default)]
    pub attribution: Option<Attribution>,
    /// Whether our own network path was shown to work.
    #[serde(default)]
    pub egress_verified: Option<bool>,
    /// Wall time of the phase in milliseconds.
    #[serde(default)]
    pub duration_ms: Option<f64>,
    /// The trial whose copy this is.
    #[serde(default)]
    pub trial_key: Option<String>,
}
