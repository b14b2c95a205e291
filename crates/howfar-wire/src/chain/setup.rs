//! How setting up the servers went, folded over all of them (derivation, section 10).

use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::evidence::owned;
use super::text::{Text, null_as_default};
use crate::vocabulary::{Attribution, SetupOutcome};

/// How connecting to, and listing from, all configured servers went (derivation, section 10).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetupSignals<'a> {
    /// Connecting; absent when it ran for no server.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<SetupSignal<'a>>,
    /// Listing; absent when it ran for no server.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub discovery: Option<SetupSignal<'a>>,
}

impl SetupSignals<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> SetupSignals<'static> {
        SetupSignals {
            connection: self.connection.map(SetupSignal::into_owned),
            discovery: self.discovery.map(SetupSignal::into_owned),
        }
    }
}

/// How one setup phase went over all configured servers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetupSignal<'a> {
    /// Whether every server was fine.
    pub outcome: SetupOutcome,
    /// Whose side the failure lies on; read only with outcome `failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Attribution>,
    /// Whether our own network path was shown to work; absent when nobody tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egress_verified: Option<bool>,
    /// Ids of the failing servers' spans.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub span_ids: Vec<Text<'a>>,
    /// Wall time of the phase in milliseconds; never read by a derivation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<Number>,
    /// One line per failing server, in configured order.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub reasons: Vec<Text<'a>>,
}

impl SetupSignal<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> SetupSignal<'static> {
        SetupSignal {
            outcome: self.outcome,
            attribution: self.attribution,
            egress_verified: self.egress_verified,
            span_ids: owned(self.span_ids, Text::into_owned),
            duration_ms: self.duration_ms,
            reasons: owned(self.reasons, Text::into_owned),
        }
    }
}
