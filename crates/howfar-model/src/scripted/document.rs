//! The script file as it is written.

use serde::Deserialize;
use serde_json::{Map, Value};
use serde_saphyr::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptDocument {
    pub(super) scripts: Vec<Spanned<RuleDocument>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleDocument {
    pub(super) when: Option<WhenDocument>,
    pub(super) turns: Vec<Spanned<TurnDocument>>,
}

#[derive(Debug, Clone, Deserialize, PartialEq, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct WhenDocument {
    pub(super) user: Option<String>,
    pub(super) case: Option<String>,
    pub(super) prompt: Option<usize>,
    pub(super) trials: Option<Vec<u32>>,
    pub(super) catalog: Option<CatalogDocument>,
}

#[derive(Debug, Clone, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct CatalogDocument {
    pub(super) tool: Option<String>,
    pub(super) description_contains: Option<String>,
    pub(super) has_argument: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct TurnDocument {
    pub(super) say: Option<String>,
    pub(super) call: Option<Spanned<CallDocument>>,
    pub(super) calls: Option<Vec<Spanned<CallDocument>>>,
    pub(super) error: Option<SimulatedFailure>,
    pub(super) usage: Option<UsageDocument>,
    pub(super) finish_reason: Option<String>,
    pub(super) delay_ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct CallDocument {
    pub(super) tool: String,
    pub(super) arguments: Option<Map<String, Value>>,
    pub(super) arguments_text: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct UsageDocument {
    pub(super) input: u64,
    pub(super) output: u64,
    /// In US dollars.
    pub(super) cost_usd: Option<f64>,
}

/// A provider failure that a script plays.
#[derive(Debug, Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(super) enum SimulatedFailure {
    Credentials,
    Billing,
    RateLimited,
    Unavailable,
    Timeout,
    Disconnect,
    Malformed,
}
