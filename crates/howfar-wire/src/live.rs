//! What `howfar check --against` found on the live servers (suite and runner, section D3).

use serde::{Deserialize, Serialize};

use crate::finding::{Location, PathSegment};
use crate::vocabulary::LiveFindingCode;

/// A suite held against its servers. It judges names and arguments only; nothing is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LiveCheck {
    /// The configuration that says how the servers are reached, as the user named it.
    pub config: String,
    /// The servers that the suite targets, in its order.
    pub servers: Vec<LiveServer>,
    /// What stops cases from doing what they say, in order of their places.
    pub findings: Vec<LiveFinding>,
    /// What is odd and stops nothing, in order of their places.
    pub warnings: Vec<LiveFinding>,
}

/// One target of the suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LiveServer {
    /// The name in the suite.
    pub name: String,
    /// How many usable tools it lists; absent when it could not be listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<usize>,
    /// Why it could not be listed; absent when it was, and when the configuration does not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One place of the suite that the servers disagree with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LiveFinding {
    /// The stable code.
    pub code: LiveFindingCode,
    /// Where in the document.
    pub path: Vec<PathSegment>,
    /// The path as text.
    pub pointer: String,
    /// What is wrong and what to do next.
    pub message: String,
    /// Where in the text; absent when the reader does not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}
