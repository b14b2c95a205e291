//! Suites, as their stored runs name them, and the runs of one suite side by side.

use serde::{Deserialize, Serialize};

use super::runs::RunIdentity;
use crate::analytics::SliceRow;
use crate::record::RunListRow;
use crate::vocabulary::{MeasurementUnit, ParityBlocker};

/// The suites of which runs are stored, that with the newest run first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SuiteList {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `suite-list`.
    pub kind: String,
    /// The suites of this page.
    pub suites: Vec<SuiteRow>,
    /// How many suites there are, on all pages.
    pub total_suites: u64,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// One suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SuiteRow {
    /// The declared id.
    pub suite_id: String,
    /// The name, as the newest run has it.
    pub suite_name: String,
    /// How many runs are stored.
    pub runs: u64,
    /// The newest of them, with its verdict.
    pub last_run: RunListRow,
}

/// Runs of one suite side by side, newest first. A series, never a sum (run-documents, section 7.10).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SuiteTrend {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `suite-trend`.
    pub kind: String,
    /// The suite's declared id.
    pub suite_id: String,
    /// The name, as the newest run has it.
    pub suite_name: String,
    /// What the tallies of every point count; always `trial`.
    pub unit: MeasurementUnit,
    /// The runs of this page.
    pub points: Vec<TrendPoint>,
    /// How many runs of the suite are stored, on all pages.
    pub total_runs: u64,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// One run of a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrendPoint {
    /// The run.
    pub run: RunListRow,
    /// What the run has to share with its neighbour.
    pub identity: RunIdentity,
    /// How far its trials got: the overall slice of its analytics. Absent when it has none, which is not zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<SliceRow>,
    /// Whether a line may be drawn from this run to the next older one of the series; absent at its oldest run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_older: Option<TrendBreak>,
}

/// What stands between two neighbours of a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrendBreak {
    /// The next older run.
    pub run_id: String,
    /// Why the two may not be compared, in emission order (run-documents, section 7.9); an empty list is the only yes.
    /// Absent when one of the two has no analytics: then nobody can say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blockers: Option<Vec<ParityBlocker>>,
}
