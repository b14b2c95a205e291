//! Stage analytics: how far the trials of one run got (run-documents, section 7). It never decides anything.

mod input;

use serde::{Deserialize, Serialize};

use crate::measurement::{LatencyBasis, LatencyUnit};
use crate::rate::{Counts, Rate};
use crate::shape::{nullable, present};
use crate::vocabulary::{
    ExclusionClass, ExclusionDetail, FailureCategory, Materialization, MeasurementUnit, Stage,
    StageReason,
};

pub use input::{AnalyticsRun, AnalyticsTrial, PhaseSignal};

/// The version of [`StageAnalytics`].
pub const STAGE_ANALYTICS_SCHEMA_VERSION: u32 = 1;

/// How far the trials of one run got. Counts are trials; times are milliseconds since the epoch.
///
/// Tallies of different stages are never added up, and neither are documents of different runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageAnalytics {
    /// [`STAGE_ANALYTICS_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `trial`.
    pub measurement_unit: MeasurementUnit,
    /// The run.
    pub run_id: String,
    /// The suite.
    pub suite_id: String,
    /// The group of runs that may be compared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub run_group_id: Option<String>,
    /// The identity of the run's configuration.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub config_revision: Option<String>,
    /// The identity of the cases that ran.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub case_set_fingerprint: Option<String>,
    /// The organization.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<String>,
    /// The workspace.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
    /// The project.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// When the run ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub run_completed_at: Option<u64>,
    /// How many trials were read.
    pub source_iteration_count: u64,
    /// When the newest of them changed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source_max_updated_at: Option<u64>,
    /// The newest analyzer level among included trials.
    pub stage_analyzer_version: u64,
    /// All of them, ascending, when there is more than one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source_stage_analyzer_versions: Option<Vec<u64>>,
    /// The newest measurement schema among included trials.
    pub measurements_schema_version: u64,
    /// All of them, ascending, when there is more than one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source_measurements_schema_versions: Option<Vec<u64>>,
    /// Whether the counts can still change.
    pub materialization_state: Materialization,
    /// When the document was first made.
    pub created_at: u64,
    /// When it was made this time.
    pub updated_at: u64,
    /// Trials that the tallies are about.
    pub included_trials: u64,
    /// The other trials, by class.
    pub excluded_trials: Counts<ExclusionClass>,
    /// All trials.
    pub total_trials: u64,
    /// The other trials, by detail.
    pub excluded_trial_detail: Counts<ExclusionDetail>,
    /// Overall first, then by intent, model and host.
    pub slices: Vec<SliceRow>,
    /// The setup phases that occurred, in phase order.
    pub setup: Vec<SetupTally>,
    /// The dimensions of which not every value has a slice.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub slice_truncation: Option<Vec<SliceTruncation>>,
}

/// What one slice counts over.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(
    tag = "dimension",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Slice {
    /// Every trial.
    Overall {},
    /// The trials of one intent.
    Intent {
        /// The label; `null` for trials without one.
        #[serde(deserialize_with = "nullable")]
        intent: Option<String>,
    },
    /// The trials of one provider and model.
    Model {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
    },
    /// The trials of one host.
    Host {
        /// The host's key.
        host_key: String,
        /// Its name.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        host_name: Option<String>,
        /// Its engine.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        execution_engine: Option<String>,
    },
}

/// The dimension of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SliceDimension {
    /// Every trial.
    Overall,
    /// By intent.
    Intent,
    /// By provider and model.
    Model,
    /// By host.
    Host,
}

/// What one slice counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SliceRow {
    /// What it counts over.
    pub slice: Slice,
    /// Trials that the tallies are about.
    pub included_trials: u64,
    /// The other trials, by class.
    pub excluded_trials: Counts<ExclusionClass>,
    /// The buckets of included trials that did not pass, in contract order.
    pub failure_categories: Vec<CategoryCount>,
    /// One tally per stage, in chain order.
    pub stages: [StageTally; 6],
}

/// How often a category occurred; at least once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CategoryCount {
    /// The category.
    pub category: FailureCategory,
    /// Trials.
    pub count: u64,
}

/// How often a reason occurred; at least once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasonCount {
    /// The reason.
    pub reason: StageReason,
    /// Trials.
    pub count: u64,
}

/// What became of the included trials at one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageTally {
    /// The stage.
    pub stage: Stage,
    /// The stage applies: `reached + notReached + reachUnknown`.
    pub applicable: u64,
    /// Got there: `measured + notMeasured`.
    pub reached: u64,
    /// An earlier stage failed first.
    pub not_reached: u64,
    /// Nothing captured says whether it was reached. Not a drop-off.
    pub reach_unknown: u64,
    /// Evidence decided: `passed + failed`.
    pub measured: u64,
    /// Held.
    pub passed: u64,
    /// Did not hold.
    pub failed: u64,
    /// Reached, and nothing decided it.
    pub not_measured: u64,
    /// The stage does not apply.
    pub not_applicable: u64,
    /// What left a denominator at this stage, by class.
    pub excluded: Counts<ExclusionClass>,
    /// The reasons of the rows, whatever their state, in contract order.
    pub reasons: Vec<ReasonCount>,
    /// How long the stage took; absent without a sample.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub latency: Option<LatencyTally>,
}

/// Samples of a latency, added up in trial order.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LatencyTally {
    /// Always milliseconds.
    pub unit: LatencyUnit,
    /// What was measured.
    pub basis: LatencyBasis,
    /// Samples; at least 1.
    pub sample_count: u64,
    /// Their sum.
    pub total_ms: f64,
    /// The smallest.
    pub min_ms: f64,
    /// The largest.
    pub max_ms: f64,
}

/// What is known of one setup phase. All trials of a run describe one attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetupTally {
    /// `connection` or `discovery`.
    pub phase: Stage,
    /// Always 1.
    pub unique_attempts: u64,
    /// 1 when the attempt failed.
    pub failed_attempts: u64,
    /// 1 when it failed on the server's side, with proof that our own network path works.
    pub server_attributed_failures: u64,
    /// Trials that say it failed.
    pub impacted_trials: u64,
    /// How long the phase took; absent when the trials do not agree on a time.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub latency: Option<LatencyTally>,
}

/// A dimension of which not every value has a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SliceTruncation {
    /// The dimension.
    pub dimension: SliceDimension,
    /// How many values it has.
    pub distinct_values: u64,
    /// How many of them have a slice.
    pub retained: u64,
}

/// The rates of one stage tally: derived when shown, never stored (run-documents, section 7.8).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageRates {
    /// Measured among reached.
    pub measurement_coverage: Rate<ExclusionClass>,
    /// Passed among measured.
    pub measured_pass: Rate<ExclusionClass>,
    /// Reached among reached and not reached.
    pub reach: Rate<ExclusionClass>,
    /// The mean of the latency samples in milliseconds; `null` without a sample.
    pub latency_mean_ms: Option<f64>,
}
