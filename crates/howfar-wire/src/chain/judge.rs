//! What judges said about a trial.

use serde::{Deserialize, Serialize};

use super::evidence::owned;
use super::text::{Text, null_as_default};

/// What a judge said about the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgeEvidence<'a> {
    /// How far the judging got.
    pub status: JudgeStatus,
    /// With `pending`: whether a verdict is owed at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_kind: Option<PendingKind>,
    /// With `scored`: the band of the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<JudgeVerdict>,
    /// The judge's reasons.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub reasons: Vec<Text<'a>>,
}

impl JudgeEvidence<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> JudgeEvidence<'static> {
        JudgeEvidence {
            status: self.status,
            pending_kind: self.pending_kind,
            verdict: self.verdict,
            reasons: owned(self.reasons, Text::into_owned),
        }
    }
}

/// Whether a wrong selection is put down to the catalog's names and descriptions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetadataAttribution<'a> {
    /// How far the attribution got.
    pub status: JudgeStatus,
    /// With `pending`: whether an attribution is owed at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_kind: Option<PendingKind>,
    /// With `scored`: whether the catalog is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributed: Option<bool>,
    /// Why.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub reasons: Vec<Text<'a>>,
}

impl MetadataAttribution<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> MetadataAttribution<'static> {
        MetadataAttribution {
            status: self.status,
            pending_kind: self.pending_kind,
            attributed: self.attributed,
            reasons: owned(self.reasons, Text::into_owned),
        }
    }
}

/// How far a judging got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum JudgeStatus {
    /// A score exists.
    Scored,
    /// The judge broke.
    Error,
    /// Left out on purpose.
    Skipped,
    /// Nothing to judge.
    NotApplicable,
    /// Not judged yet.
    Pending,
}

/// Whether a pending verdict is owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PendingKind {
    /// It will come.
    Scheduled,
    /// Nobody asked for one.
    NotRequested,
}

/// The band of a judge's score (derivation, section 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum JudgeVerdict {
    /// At or above the threshold.
    Pass,
    /// At or above the partial floor, below the threshold.
    Partial,
    /// Below the partial floor.
    Fail,
}
