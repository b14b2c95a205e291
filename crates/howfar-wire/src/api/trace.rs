//! One trial as it happened: messages, spans and calls, a page at a time.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::evidence::TimelineSpan;
use crate::report::ToolCallReport;

/// A part of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TracePart {
    /// The conversation.
    #[default]
    Messages,
    /// What happened when.
    Spans,
    /// Every tool call with its outcome.
    Calls,
}

/// One part of a trial's trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TracePage {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `trace-page`.
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The case's declared id.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// Which part.
    pub part: TracePart,
    /// The messages of this page, as they were sent and received; only of the part `messages`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
    /// The spans of this page; only of the part `spans`. Times are milliseconds from the trial's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spans: Option<Vec<TimelineSpan>>,
    /// The tool calls of this page; only of the part `calls`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<ToolCallReport>>,
    /// The place of the first item of this page among all items of the part, from 0.
    pub first_item: u64,
    /// How many items the part has, on all pages: messages, spans or calls.
    pub total_items: u64,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
