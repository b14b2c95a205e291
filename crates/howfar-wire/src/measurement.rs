//! Stage measurements: beside the chain of one trial, was each stage reached and how long did it take (run-documents,
//! section 6).

use serde::{Deserialize, Serialize};

use crate::shape::{number_or_none, present, text_or_none};
use crate::vocabulary::{Reach, Stage};

/// The version of [`StageMeasurements`].
pub const MEASUREMENTS_SCHEMA_VERSION: u64 = 1;

/// The measurements of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageMeasurements {
    /// [`MEASUREMENTS_SCHEMA_VERSION`] when written here; a newer one is met only by readers of foreign runs.
    pub schema_version: u64,
    /// The level of the rules that made the chain.
    pub stage_analyzer_version: u64,
    /// One row per stage, in chain order.
    pub rows: Vec<MeasurementRow>,
}

/// The measurement of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasurementRow {
    /// The stage.
    pub stage: Stage,
    /// Whether the trial got there.
    pub reach: Reach,
    /// How long it took; only for selection, call and response, and only when reached.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub latency: Option<StageLatency>,
}

/// How long a stage took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageLatency {
    /// Always milliseconds.
    pub unit: LatencyUnit,
    /// What was measured.
    pub basis: LatencyBasis,
    /// The time; 0 is a real measurement.
    pub value: f64,
}

/// The unit of a latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum LatencyUnit {
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
}

/// What a latency measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum LatencyBasis {
    /// The union of the intervals of the spans that a row cites.
    EvidenceSpanUnion,
    /// The wall time of a setup phase.
    SetupPhaseWall,
}

/// A span, as far as a measurement needs it. A member of another JSON type counts as absent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimedSpan {
    /// Its id; a span without one, or with an empty one, is never cited.
    #[serde(default, deserialize_with = "text_or_none")]
    pub id: Option<String>,
    /// When it began, in milliseconds on the trial's clock.
    #[serde(default, deserialize_with = "number_or_none")]
    pub started_at: Option<f64>,
    /// When it ended, on the same clock.
    #[serde(default, deserialize_with = "number_or_none")]
    pub ended_at: Option<f64>,
}
