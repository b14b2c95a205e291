//! The suspected condition of one flagged trial (friction, section B2).

use serde::{Deserialize, Serialize};

use super::signal::CallIndex;
use crate::vocabulary::{ConditionConfidence, ConditionSkip, SuspectedCondition};

/// The most characters of a remediation: writers count UTF-16 units, readers code points.
pub const MAX_REMEDIATION_CHARS: usize = 300;

/// The most characters of a field path: writers count UTF-16 units, readers code points.
pub const MAX_FIELD_PATH_CHARS: usize = 120;

/// What a judge suspects behind one signal of one trial. Suspected, never established.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuspectedConditionVerdict {
    /// What came of the judging, in the key `status` and what belongs to it.
    #[serde(flatten)]
    pub outcome: ConditionOutcome,
    /// What was judged, by what.
    #[serde(flatten)]
    pub provenance: ConditionProvenance,
}

/// What came of a judging. A judge that was not asked differs from one that had no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ConditionOutcome {
    /// The judge answered.
    Scored {
        /// The condition; `unclear` when none could be named.
        condition: SuspectedCondition,
        /// As the judge said.
        confidence: ConditionConfidence,
        /// What the server's owner can try, 1 to [`MAX_REMEDIATION_CHARS`] characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remediation: Option<String>,
        /// Where it shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<ConditionEvidence>,
    },
    /// The judge was not asked.
    Skipped {
        /// Why.
        reason: ConditionSkip,
    },
    /// The judge gave no usable answer.
    Error {},
}

/// Where a suspected condition shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConditionEvidence {
    /// The call.
    pub call_index: CallIndex,
    /// The call's tool, not empty.
    pub tool_name: String,
    /// The place in its result, 1 to [`MAX_FIELD_PATH_CHARS`] characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_path: Option<String>,
}

/// What was judged, by what. Texts are not empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConditionProvenance {
    /// `<caseKey>#<iterationNumber>`.
    pub grading_key: String,
    /// The kind of the signal that triggered the judging; an open text.
    pub signal_kind: String,
    /// The signal's first call.
    pub information_call_index: CallIndex,
    /// The signal's last call; nothing after it was shown.
    pub observed_at_call_index: CallIndex,
    /// The version of the judge's prompt, from 1.
    pub judge_template_version: u64,
    /// The digest of the judge's prompt.
    pub judge_template_hash: String,
    /// The judge's model.
    pub model: String,
    /// When, in milliseconds since the epoch.
    pub generated_at: u64,
}
