//! The report of a comparison (run-documents 9.5).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Classification, RunComparison};
use crate::gate::GatedVerdict;
use crate::report::CategoryCounts;

/// The version of [`CompareReport`].
pub const COMPARE_REPORT_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`CompareReport`].
pub const COMPARE_REPORT_KIND: &str = "run-compare";

/// The report of a comparison: one row per case, and a last one for the gates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareReport {
    /// [`COMPARE_REPORT_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`COMPARE_REPORT_KIND`].
    pub kind: String,
    /// Whether the gates let it pass.
    pub passed: bool,
    /// What the gates came to as a verdict.
    pub verdict: GatedVerdict,
    /// Counts of rows.
    pub summary: CompareSummary,
    /// The rows.
    pub cases: Vec<CompareRow>,
    /// Wall time of the compared run in milliseconds.
    pub duration_ms: f64,
    /// What was compared, and what came of it.
    pub metadata: RunComparison,
}

/// Counts of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareSummary {
    /// All.
    pub total: u64,
    /// Passed.
    pub passed: u64,
    /// Failed.
    pub failed: u64,
    /// By category: a compare status, or `gate`.
    pub by_category: BTreeMap<String, CategoryCounts>,
    /// By classification.
    pub by_classification: BTreeMap<String, CategoryCounts>,
}

/// One row of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareRow {
    /// The case's key, or `gate`.
    pub id: String,
    /// The case's title; absent on the gate's row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What became of the case, or `gate`.
    pub category: String,
    /// Whether the row is fine.
    pub passed: bool,
    /// What it means for whoever merges.
    pub classification: Classification,
    /// What is wrong; only on a regressed case and on a gate that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
