//! Which link moved: the links of one case in two runs.
//!
//! Every count is in trials. Nothing is added up over links, and no difference names what it comes from.

use serde::{Deserialize, Serialize};

use super::LinkChange;
use crate::vocabulary::{ExclusionDetail, FailureCategory, Stage};

/// The links of one case in both runs. A case that only one run has has no trial on the other side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseLinks {
    /// Names the case in both runs.
    pub case_key: String,
    /// The link to look at: the first of the chain that moved by more than chance explains, else the first whose
    /// measured pass rate differs at all, else the first whose shares of states do; absent when none does, and for a case
    /// that only one run has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_link: Option<Stage>,
    /// The trials of the base run.
    pub base: CaseLinkSide,
    /// The trials of the compared run.
    pub compare: CaseLinkSide,
    /// The six links, in order.
    pub links: Vec<LinkMovement>,
}

/// The trials of one case in one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseLinkSide {
    /// Recorded trials.
    pub trials: u64,
    /// Trials that the tallies count.
    pub included_trials: u64,
    /// The others, by reason.
    pub excluded: Vec<ExcludedTrials>,
    /// Where chains broke first, over all recorded trials, in chain order; empty when none broke. Places, not causes.
    pub first_failed_links: Vec<BrokenLink>,
    /// The buckets of the trials that grading failed, in contract order: each says who looks next, none is a cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failure_categories: Vec<BucketTrials>,
}

/// The failed trials of one bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BucketTrials {
    /// The bucket.
    pub category: FailureCategory,
    /// How many.
    pub trials: u64,
}

/// Trials that no tally counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExcludedTrials {
    /// Why.
    pub reason: ExclusionDetail,
    /// How many.
    pub trials: u64,
}

/// A link at which chains broke first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BrokenLink {
    /// The link.
    pub stage: Stage,
    /// In how many trials.
    pub trials: u64,
}

/// One link of one case in both runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkMovement {
    /// The link.
    pub stage: Stage,
    /// In the base run.
    pub base: LinkTally,
    /// In the compared run.
    pub compare: LinkTally,
    /// How it moved.
    pub change: LinkChange,
    /// The difference of the measured pass rates (passed of measured trials); absent when it is refused, a side has no
    /// measured trial, or a side has fewer than the minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<RateDifference>,
}

/// The included trials of one link: each is in exactly one count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkTally {
    /// Measured, and it held.
    pub passed: u64,
    /// Measured, and it did not hold.
    pub failed: u64,
    /// Nothing that could decide it was seen.
    pub not_measured: u64,
    /// An earlier link failed.
    pub not_reached: u64,
    /// The case does not use the link.
    pub not_applicable: u64,
}

impl LinkTally {
    /// Trials that decided the link.
    pub const fn measured(&self) -> u64 {
        self.passed + self.failed
    }
}

/// The difference of two rates, compared minus base, with Newcombe's interval. Fractions from −1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RateDifference {
    /// The difference.
    pub delta: f64,
    /// Always 0.95.
    pub confidence: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}
