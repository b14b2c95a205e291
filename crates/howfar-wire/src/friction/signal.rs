//! The five signals (friction, section A13).

use serde::{Deserialize, Serialize};

use crate::vocabulary::{FrictionSignalKind, PaginationKey};

/// A call's position in the trial's call list, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallIndex(pub u64);

impl std::fmt::Display for CallIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One pattern that was seen.
///
/// The identifier kinds have an information call and an observed call; the others have a prior call and a call, which
/// are neighbours when derived here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FrictionSignal {
    /// Identifiers surfaced, and none was used later.
    IdentifierSurfacedUnused(IdentifierUnused),
    /// The same tool was asked again after identifiers.
    SearchRepeatedAfterIdentifier(SearchRepeated),
    /// The same call again.
    IdenticalRetry(Retry),
    /// The same tool with changed arguments.
    ChangedRetry(Retry),
    /// The next page.
    PaginationContinuation(PaginationContinuation),
}

impl FrictionSignal {
    /// The signal's kind.
    pub const fn kind(&self) -> FrictionSignalKind {
        match self {
            Self::IdentifierSurfacedUnused(_) => FrictionSignalKind::IdentifierSurfacedUnused,
            Self::SearchRepeatedAfterIdentifier(_) => {
                FrictionSignalKind::SearchRepeatedAfterIdentifier
            }
            Self::IdenticalRetry(_) => FrictionSignalKind::IdenticalRetry,
            Self::ChangedRetry(_) => FrictionSignalKind::ChangedRetry,
            Self::PaginationContinuation(_) => FrictionSignalKind::PaginationContinuation,
        }
    }

    /// The tool that was called.
    pub fn tool_name(&self) -> &str {
        match self {
            Self::IdentifierSurfacedUnused(signal) => &signal.tool_name,
            Self::SearchRepeatedAfterIdentifier(signal) => &signal.tool_name,
            Self::IdenticalRetry(signal) | Self::ChangedRetry(signal) => &signal.tool_name,
            Self::PaginationContinuation(signal) => &signal.tool_name,
        }
    }

    /// The call from which the pattern starts: the information call or the prior call.
    pub const fn anchor(&self) -> CallIndex {
        match self {
            Self::IdentifierSurfacedUnused(signal) => signal.information_call_index,
            Self::SearchRepeatedAfterIdentifier(signal) => signal.information_call_index,
            Self::IdenticalRetry(signal) | Self::ChangedRetry(signal) => signal.prior_call_index,
            Self::PaginationContinuation(signal) => signal.prior_call_index,
        }
    }

    /// The call with which the pattern is seen; documents are sorted by it.
    pub const fn observation(&self) -> CallIndex {
        match self {
            Self::IdentifierSurfacedUnused(signal) => signal.observed_at_call_index,
            Self::SearchRepeatedAfterIdentifier(signal) => signal.observed_at_call_index,
            Self::IdenticalRetry(signal) | Self::ChangedRetry(signal) => signal.call_index,
            Self::PaginationContinuation(signal) => signal.call_index,
        }
    }
}

/// A result named identifiers, and no later call carried one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdentifierUnused {
    /// The call whose result named them.
    pub information_call_index: CallIndex,
    /// The last later call.
    pub observed_at_call_index: CallIndex,
    /// The tool of the information call.
    pub tool_name: String,
    /// The id of the information call; absent when it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// Where in the result they stood, at most 8 paths; `$` for the result itself.
    pub identifier_key_paths: Vec<String>,
    /// How many different ones there were.
    pub identifier_count: u64,
    /// How many calls came later, at least 2.
    pub later_call_count: u64,
}

/// A result named identifiers, and the same tool was asked again without one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchRepeated {
    /// The call whose result named them.
    pub information_call_index: CallIndex,
    /// The last repeat, which can lie behind the last one that is named.
    pub observed_at_call_index: CallIndex,
    /// The tool.
    pub tool_name: String,
    /// The id of the information call; absent when it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The first repeats, 1 to 8.
    pub repeat_call_indexes: Vec<CallIndex>,
    /// Where in the result the identifiers stood, at most 8 paths; `$` for the result itself.
    pub identifier_key_paths: Vec<String>,
    /// How many different ones there were.
    pub identifier_count: u64,
}

/// Two neighbouring calls of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Retry {
    /// The second call.
    pub call_index: CallIndex,
    /// The first call.
    pub prior_call_index: CallIndex,
    /// The tool.
    pub tool_name: String,
    /// Whether the first call's result is known to be an error.
    pub after_error: bool,
}

/// Two neighbouring calls of one tool that differ in pagination keys alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaginationContinuation {
    /// The second call.
    pub call_index: CallIndex,
    /// The first call.
    pub prior_call_index: CallIndex,
    /// The tool.
    pub tool_name: String,
    /// The first keys that changed, 1 to 4.
    pub pagination_keys: Vec<PaginationKey>,
}
