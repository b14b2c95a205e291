//! Friction signals of one trial, the roll-up of a run, and what a judge suspects (friction, sections A13, A16 and B2).
//!
//! Report-only: no document here changes a stage, a category, a score, a gate, a verdict or an exit code. Reading with
//! serde checks shapes only; whether a stored document is sound is decided by the validator of friction, section A13.

mod condition;
mod projection;
mod rollup;
mod signal;

use serde::{Deserialize, Serialize};

use crate::vocabulary::FrictionGap;

pub use condition::{
    ConditionEvidence, ConditionOutcome, ConditionProvenance, MAX_FIELD_PATH_CHARS,
    MAX_REMEDIATION_CHARS, SuspectedConditionVerdict,
};
pub use projection::{FrictionProjection, Stored};
pub use rollup::{
    CaseFriction, FrictionRate, FrictionRates, FrictionRollup, FrictionTally, ToolFriction,
};
pub use signal::{
    CallIndex, FrictionSignal, IdentifierUnused, PaginationContinuation, Retry, SearchRepeated,
};

/// The version of the rules behind a [`FrictionDocument`]; a document with another one is invalid for this reader.
pub const FRICTION_VERSION: u64 = 1;

/// The most calls that a measured trial has.
pub const MAX_CALLS: usize = 200;

/// The most signals that a document keeps.
pub const MAX_SIGNALS: usize = 24;

/// The most key paths that a signal names.
pub const MAX_KEY_PATHS: usize = 8;

/// The most repeats that a signal names.
pub const MAX_REPEAT_INDEXES: usize = 8;

/// The most pagination keys that a signal names.
pub const MAX_PAGINATION_KEYS: usize = 4;

/// The fewest later calls for `identifierSurfacedUnused`.
pub const MIN_LATER_CALLS: u64 = 2;

/// The friction signals of one trial.
///
/// Holds tool names, call ids, key paths, counts, indexes and pagination keys; never an argument, a result text or an
/// identifier value, except where a result uses identifiers as object keys, which key paths repeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrictionDocument {
    /// [`FRICTION_VERSION`].
    pub version: u64,
    /// Whether the trial was measured, in the keys `state` and `notMeasuredReason`.
    #[serde(flatten)]
    pub measurement: FrictionMeasurement,
    /// How many calls the trial has, before any cap.
    pub call_count: u64,
    /// How many of them have a retained result.
    pub result_available_count: u64,
    /// How many of them are placed in time by the clock.
    pub timed_call_count: u64,
    /// Whether the two kinds that need results were measured.
    pub identifier_signals: IdentifierMeasurement,
    /// What was seen, in order of observation; empty when not measured.
    pub signals: Vec<FrictionSignal>,
}

impl FrictionDocument {
    /// Why the trial was not measured; `None` when it was.
    pub const fn gap(&self) -> Option<FrictionGap> {
        match self.measurement {
            FrictionMeasurement::Measured => None,
            FrictionMeasurement::NotMeasured { reason } => Some(reason),
        }
    }

    /// Why the two identifier kinds were not measured; `None` when they were.
    pub const fn identifier_gap(&self) -> Option<FrictionGap> {
        match self.identifier_signals {
            IdentifierMeasurement::Measured => None,
            IdentifierMeasurement::NotMeasured { reason } => Some(reason),
        }
    }
}

/// Whether a trial's friction was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FrictionMeasurement {
    /// It was; no signals then means that none was seen.
    Measured,
    /// It was not; no signals then means nothing.
    NotMeasured {
        /// Why.
        #[serde(rename = "notMeasuredReason")]
        reason: FrictionGap,
    },
}

/// Whether the two kinds that need results were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum IdentifierMeasurement {
    /// They were.
    Measured,
    /// They were not; the other three may have been.
    NotMeasured {
        /// Why.
        reason: FrictionGap,
    },
}

#[cfg(test)]
mod tests;
