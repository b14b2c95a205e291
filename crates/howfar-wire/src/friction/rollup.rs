//! Friction over the trials of a run (friction, section A16). Trials are counted, never signals.

use serde::{Deserialize, Serialize};

use crate::rate::Rate;
use crate::vocabulary::{FrictionGap, FrictionSignalKind, MeasurementUnit};

/// The share of measured trials that show a kind, with what left the denominator.
pub type FrictionRate = Rate<FrictionGap>;

/// The friction of one run. Never merged with that of another run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrictionRollup {
    /// [`super::FRICTION_VERSION`].
    pub version: u64,
    /// What every count counts: always trials.
    pub unit: MeasurementUnit,
    /// Over all included trials.
    pub run: FrictionTally,
    /// Per case variant, in order of first appearance. A variant of which no trial has a document has no row.
    pub cases: Vec<CaseFriction>,
    /// Per tool and kind, by tool name, then in kind order.
    pub tools: Vec<ToolFriction>,
}

/// The friction of one case variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseFriction {
    /// The case.
    pub case_id: String,
    /// The model; absent for a case that needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Over the variant's included trials.
    pub friction: FrictionTally,
}

/// How many trials show a kind with one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolFriction {
    /// The tool.
    pub tool_name: String,
    /// The kind.
    pub kind: FrictionSignalKind,
    /// How many trials have at least one signal of the kind with the tool.
    pub trial_count: u64,
}

/// What was measured over some trials, and what was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrictionTally {
    /// The trials that were looked at.
    pub trial_count: u64,
    /// Those that have a friction document; the others were never measured.
    pub document_count: u64,
    /// Those whose document is measured.
    pub measured_trial_count: u64,
    /// Those whose document is measured, the identifier half included.
    pub identifier_measured_trial_count: u64,
    /// One rate per kind.
    pub rates: FrictionRates,
}

/// One rate per signal kind, each with its own denominator.
///
/// What left a denominator is counted by reason; trials without a document stand in no denominator and in no exclusion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrictionRates {
    /// Of trials whose identifier half is measured.
    pub identifier_surfaced_unused: FrictionRate,
    /// Of trials whose identifier half is measured.
    pub search_repeated_after_identifier: FrictionRate,
    /// Of measured trials.
    pub identical_retry: FrictionRate,
    /// Of measured trials.
    pub changed_retry: FrictionRate,
    /// Of measured trials.
    pub pagination_continuation: FrictionRate,
}

impl FrictionRates {
    /// The rate that `rate` gives for each kind.
    pub fn from_fn(rate: impl Fn(FrictionSignalKind) -> FrictionRate) -> Self {
        Self {
            identifier_surfaced_unused: rate(FrictionSignalKind::IdentifierSurfacedUnused),
            search_repeated_after_identifier: rate(
                FrictionSignalKind::SearchRepeatedAfterIdentifier,
            ),
            identical_retry: rate(FrictionSignalKind::IdenticalRetry),
            changed_retry: rate(FrictionSignalKind::ChangedRetry),
            pagination_continuation: rate(FrictionSignalKind::PaginationContinuation),
        }
    }

    /// The rate of a kind.
    pub const fn of(&self, kind: FrictionSignalKind) -> &FrictionRate {
        match kind {
            FrictionSignalKind::IdentifierSurfacedUnused => &self.identifier_surfaced_unused,
            FrictionSignalKind::SearchRepeatedAfterIdentifier => {
                &self.search_repeated_after_identifier
            }
            FrictionSignalKind::IdenticalRetry => &self.identical_retry,
            FrictionSignalKind::ChangedRetry => &self.changed_retry,
            FrictionSignalKind::PaginationContinuation => &self.pagination_continuation,
        }
    }
}
