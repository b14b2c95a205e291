//! The chain: what one trial recorded ([`StageInput`]) and what a derivation makes of it ([`StageDerivation`]).
//!
//! A [`StageInput`] parses from any trial evidence document, because the document's top-level keys `authored`,
//! `evidence`, `iteration` and `policy` mean the same there; every other key is ignored. Parsing borrows from the text
//! ([`Text`]), and call lists of which a derivation reads only the emptiness are counted, not kept ([`Elided`]). A
//! producer fills the same types with owned text and complete lists: `StageInput<'static, serde_json::Value>`.
//!
//! On input an optional key that is `null` is absent, and a value of the wrong type is an error (derivation,
//! section 16).

mod authored;
mod chat;
mod derivation;
mod evidence;
mod judge;
mod quick;
mod setup;
mod text;
mod write;

use serde::{Deserialize, Serialize};

use crate::vocabulary::IterationStatus;

pub use authored::{Authored, AuthoredMode, ToolExpectation};
pub use chat::{
    ChatCriteria, ChatLifecycle, ChatReadiness, ChatSession, ChatSource, CriteriaStatus,
    CriterionResult, GoalJudge, GoalJudgeStatus,
};
pub use derivation::{
    ChainProjection, EVIDENCE_TRIGGERED_RESPONSE, MAX_ANALYZER_VERSION, MAX_EVIDENCE_ITEMS,
    MAX_REASON_UNITS, STAGE_ANALYZER_VERSION, StageDerivation, StageEvidence, StageRow,
    UnverifiedChain,
};
pub use evidence::{
    Evidence, PredicateRef, PredicateResult, PromptRecord, RenderObservation, Span, StepError,
    StepErrorSource, ToolErrorRecord, ToolSignals,
};
pub use judge::{JudgeEvidence, JudgeStatus, JudgeVerdict, MetadataAttribution, PendingKind};
pub use setup::{SetupSignal, SetupSignals};
pub use text::{Elided, Text};

/// Everything a derivation reads about one finished trial (derivation, section 2).
///
/// `D` is what is kept of the entries of call lists: [`Elided`] (nothing, for deriving) or a JSON value (everything,
/// for documents). An input with elided lists cannot be serialized.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    bound(serialize = "D: Serialize", deserialize = "D: Deserialize<'de>, 'de: 'a")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageInput<'a, D = Elided> {
    /// What the case asserts.
    pub authored: Authored,
    /// What the trial recorded.
    pub evidence: Evidence<'a, D>,
    /// How the trial ended.
    pub iteration: Iteration<'a>,
    /// What a policy said about running it; absent when no policy spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy<'a>>,
}

impl<'a> StageInput<'a> {
    /// Reads an input, or a trial evidence document, from its JSON text: the same value, or the same error, as
    /// `serde_json::from_str`, faster for text that a program wrote.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, a needed key is missing or a value has the wrong type (derivation, section 16).
    pub fn from_json(text: &'a str) -> serde_json::Result<Self> {
        quick::from_str(text)
    }
}

impl<D> StageInput<'_, D> {
    /// The same input with owned text.
    pub fn into_owned(self) -> StageInput<'static, D> {
        StageInput {
            authored: self.authored,
            evidence: self.evidence.into_owned(),
            iteration: self.iteration.into_owned(),
            policy: self.policy.map(Policy::into_owned),
        }
    }
}

/// How a trial ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Iteration<'a> {
    /// Whether the trial ran.
    pub status: IterationStatus,
    /// What broke, for readers; a derivation never reads it.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Text<'a>>,
}

impl Iteration<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> Iteration<'static> {
        Iteration { status: self.status, error: self.error.map(Text::into_owned) }
    }
}

/// What a policy said about running the trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Policy<'a> {
    /// Whether the policy kept the trial from being measured; absent means no.
    #[serde(default, deserialize_with = "text::null_as_default")]
    pub blocked: bool,
    /// Why, for readers; a derivation never reads it.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text<'a>>,
}

impl Policy<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> Policy<'static> {
        Policy { blocked: self.blocked, reason: self.reason.map(Text::into_owned) }
    }
}

#[cfg(test)]
mod tests;
