//! The grading policy: what decides pass and fail, read from any source (run-documents, section 3).

use serde::{Deserialize, Serialize};

use crate::shape::{nullable, present};
use crate::suite::Validity;
use crate::verdict::VerdictPolicy;

/// What decides pass and fail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradingPolicy {
    /// The bar.
    pub pass_criterion: PassCriterion,
    /// How often a case runs.
    pub iteration_rule: IterationRule,
    /// Whether a run must be valid before anything is decided.
    pub validity: ValidityRule,
    /// What single cases say otherwise.
    pub case_overrides: Vec<CaseOverride>,
    /// Where the policy was read.
    pub origin: PolicyOrigin,
}

/// The bar. A percentage of a whole suite and a fraction per case are two bars, not one bar in two units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "scope",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PassCriterion {
    /// Every case has its own.
    PerCase {
        /// The share of gradeable trials that must pass, a fraction.
        threshold: f64,
    },
    /// One for all, of foreign runs only.
    SuiteWide {
        /// The share that must pass, in percent.
        threshold_percent: f64,
        /// What is counted.
        population: Population,
        /// The share when nothing was counted: 0 or 1.
        empty_population_rate: u8,
    },
}

/// What a suite-wide bar counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Population {
    /// Iterations, also those that never ran.
    Iterations,
    /// Cases, with the iterations of all providers and models in one.
    CasesIgnoringExecutionVariant,
}

/// How often a case runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum IterationRule {
    /// The suite's number, unless the case has its own.
    DefaultCount {
        /// 1 to 100.
        iterations: u64,
    },
    /// The case's own number, but not less than the floor.
    CaseCountWithFloor {
        /// 1 to 10; `null` for no floor.
        #[serde(deserialize_with = "nullable")]
        minimum_iterations: Option<u64>,
    },
}

/// Whether a run must be valid before anything is decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidityRule {
    /// Whether it must; then both other members are there.
    pub enforced: bool,
    /// What was declared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub declared: Option<Validity>,
    /// What it comes to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub resolved: Option<VerdictPolicy>,
}

/// What a single case says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseOverride {
    /// The case: its id, else its title; 1 to 200 UTF-16 units.
    pub case_ref: String,
    /// 1 to 100.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// A fraction; not under a suite-wide bar.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub pass_threshold: Option<f64>,
}

/// Where a grading policy was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PolicyOrigin {
    /// A suite file.
    SuiteFile,
    /// A hosted suite with thresholds per case.
    HostedPerCase,
    /// A hosted suite with one threshold.
    HostedSuiteWide,
    /// A run that somebody reported; cannot be edited.
    RunReporting,
}
