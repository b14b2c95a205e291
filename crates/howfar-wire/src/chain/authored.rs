//! What a case asserts, as far as the chain needs to know.

use serde::{Deserialize, Serialize};

/// What the case asserts (derivation, section 2.1). Only a flag that is present and `true` counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Authored {
    /// Whether a model chooses tools.
    pub mode: AuthoredMode,
    /// Whether the case asserts that no call happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_negative_test: Option<bool>,
    /// Whether at least one call is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects_tool_call: Option<bool>,
    /// Whether the case asserts something about a rendered widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects_widget_render: Option<bool>,
    /// The number of authored assertions about the answer; absent means 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion_count: Option<u64>,
    /// Whether someone asked for something; set for chat sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_user_ask: Option<bool>,
    /// What the ask says about calling a tool; set for chat sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_expectation: Option<ToolExpectation>,
}

impl Authored {
    /// A case of this mode that asserts nothing.
    pub const fn new(mode: AuthoredMode) -> Self {
        Self {
            mode,
            is_negative_test: None,
            expects_tool_call: None,
            expects_widget_render: None,
            assertion_count: None,
            has_user_ask: None,
            tool_expectation: None,
        }
    }
}

/// Whether anything chooses a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AuthoredMode {
    /// A model chooses.
    ModelDriven,
    /// Nothing chooses: every call is authored.
    ModelFree,
}

/// What an ask says about calling a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ToolExpectation {
    /// It needs a call.
    Required,
    /// It needs no call.
    NotRequired,
    /// It leaves the choice open.
    Open,
}
