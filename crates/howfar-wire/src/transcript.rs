//! What one trial leaves for its checks: calls, results, errors, timings, catalog captures and the last answer
//! (predicates, section 4).
//!
//! Parts that come from a server or a model are read leniently: a member of the wrong JSON type is kept as it is where
//! a check has to talk about it, and counts as absent elsewhere. An absent key and a present null differ for
//! `structuredContent`, `json`, `inputSchema`, `outputSchema`, `description` and `annotations`.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::shape::{number_or_none, text_or_none};
use crate::vocabulary::{CaptureChannel, Vocabulary as _, vocabulary};

/// The evidence that the checks of one trial read.
///
/// Missing lists are empty for calls and errors; for results, timings, inventory and declarations an absent list is a
/// different fact from an empty one, and [`Capture`] says whether a list is everything there was.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Transcript {
    /// Every call of the trial, in order.
    #[serde(default, deserialize_with = "list_or_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Every observed tool failure. Absence means none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_errors: Option<Vec<ToolError>>,
    /// The text of the last assistant message; absent when there was none.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub final_assistant_message: Option<String>,
    /// Token use of the whole trial; absent when no provider reported any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Widget renders that were observed; absent when there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub render_observations: Option<Vec<RenderObservation>>,
    /// The number of user messages. Any other JSON value is kept, so that a check can say that it is no count; absent
    /// means unknown, which is not 0.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub turn_count: Option<Value>,
    /// Results in call order, capped at [`Transcript::MAX_RESULTS`] rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_results: Option<Vec<ToolResultRow>>,
    /// Call durations, capped at [`Transcript::MAX_TIMINGS`] rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_timings: Option<Vec<ToolCallTiming>>,
    /// The tools as the model saw them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_inventory: Option<Vec<InventoryTool>>,
    /// Raw `tools/list` entries of every server and page, before any merge, rename or removal of duplicates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_declarations: Option<Vec<ToolDeclaration>>,
    /// How complete each captured channel is; absent means that no channel was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<Capture>,
}

impl Transcript {
    /// The most UTF-16 code units of a result text that are kept.
    pub const MAX_RESULT_TEXT_UNITS: usize = 64_000;
    /// The most result rows that are kept.
    pub const MAX_RESULTS: usize = 200;
    /// The most timing rows that are kept.
    pub const MAX_TIMINGS: usize = 500;

    /// Observed tool failures, empty when the list is absent.
    pub fn errors(&self) -> &[ToolError] {
        self.tool_errors.as_deref().unwrap_or_default()
    }

    /// Result rows, empty when the list is absent.
    pub fn results(&self) -> &[ToolResultRow] {
        self.tool_results.as_deref().unwrap_or_default()
    }

    /// Timing rows, empty when the list is absent.
    pub fn timings(&self) -> &[ToolCallTiming] {
        self.tool_call_timings.as_deref().unwrap_or_default()
    }

    /// Inventory entries, empty when the list is absent.
    pub fn inventory(&self) -> &[InventoryTool] {
        self.tool_inventory.as_deref().unwrap_or_default()
    }

    /// Render observations, empty when the list is absent.
    pub fn renders(&self) -> &[RenderObservation] {
        self.render_observations.as_deref().unwrap_or_default()
    }

    /// The capture state of a channel; a missing object or key means absent.
    pub fn capture_state(&self, channel: CaptureChannel) -> CaptureState {
        let Some(capture) = &self.capture else { return CaptureState::Absent };
        match channel {
            CaptureChannel::ToolResults => capture.tool_results,
            CaptureChannel::ToolCallTimings => capture.tool_call_timings,
            CaptureChannel::ToolInventory => capture.tool_inventory,
            CaptureChannel::ToolDeclarations => {
                capture.tool_declarations.unwrap_or(CaptureState::Absent)
            }
        }
    }
}

/// One tool call that the model made, or that an author pinned or expects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The tool's name as the model spelled it; empty when the record has none.
    #[serde(default, deserialize_with = "text_or_empty")]
    pub tool_name: String,
    /// The arguments, an object. Null or absent stands for the empty object.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub arguments: Value,
    /// The provider's identifier of the call; absent when it gave none.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

impl ToolCall {
    /// A call without identifier.
    pub fn new(tool_name: impl Into<String>, arguments: Value) -> Self {
        Self { tool_name: tool_name.into(), arguments, tool_call_id: None }
    }
}

/// One observed tool failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolError {
    /// Which layer said that the call failed.
    pub kind: ToolErrorKind,
    /// The tool; absent when the trace does not name it.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The error text; absent when the trace carries none.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The identifier of the failed call; absent when unknown.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

vocabulary! {
    /// Which layer reported a tool failure.
    ToolErrorKind = "toolErrorKinds", "Which layer said that a tool call failed." {
        /// The tool answered with `isError`.
        ContentError = "content-error" => "the tool answered with an error",
        /// The call failed below the tool: transport, protocol, unknown tool.
        ProtocolError = "protocol-error" => "the call failed in the protocol",
    }
}

/// Token use, in tokens. A number that no provider reported is absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens sent to the model.
    #[serde(default, deserialize_with = "number_or_none", skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<f64>,
    /// Tokens that the model wrote.
    #[serde(default, deserialize_with = "number_or_none", skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<f64>,
    /// The provider's own total.
    #[serde(default, deserialize_with = "number_or_none", skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<f64>,
}

/// The stored result of one call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolResultRow {
    /// The tool that answered.
    #[serde(default, deserialize_with = "text_or_empty")]
    pub tool_name: String,
    /// The identifier of the call; absent when the provider gave none.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The text parts as the model read them; absent when there were none.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the row was cut for storage.
    #[serde(default, deserialize_with = "flag_or_none", skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// Structured content; a present null is content, an absent key is none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// A JSON part; a present null is content, an absent key is none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub json: Option<Value>,
    /// Whether the tool answered with `isError`.
    #[serde(default, deserialize_with = "flag_or_none", skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// The size of the whole part, measured before any cut; absent when it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<ResultSize>,
    /// The size of the raw result in bytes, where it was measured besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_bytes: Option<u64>,
}

/// The measured size of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResultSize {
    /// The size in bytes.
    pub bytes: u64,
    /// What was measured.
    pub basis: SizeBasis,
    /// Whether the measurement covers the whole part.
    pub complete: bool,
}

vocabulary! {
    /// What a result size measures.
    SizeBasis = "sizeBases", "What a result size measures." {
        /// The output as the model reads it.
        ModelVisibleOutput = "model_visible_output" => "the output as the model reads it",
        /// The result as the server sent it.
        RawResult = "raw_result" => "the result as the server sent it",
    }
}

/// The duration of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolCallTiming {
    /// The tool that was called.
    pub tool_name: String,
    /// The duration in milliseconds.
    pub duration_ms: f64,
    /// Where the duration comes from.
    pub provenance: TimingProvenance,
    /// The identifier of the call; absent when unknown.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

vocabulary! {
    /// Where a call's duration comes from.
    TimingProvenance = "timingProvenances", "Where a call's duration comes from." {
        /// A span of the trace.
        Span = "span" => "a span of the trace",
        /// The recorded evidence of the call.
        Evidence = "evidence" => "the recorded evidence of the call",
    }
}

/// One tool as the model saw it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InventoryTool {
    /// The name that the model calls.
    #[serde(default, deserialize_with = "text_or_empty")]
    pub name: String,
    /// The description as declared: a text, or whatever else the server sent.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub description: Option<Value>,
    /// The input schema as declared; a present null is a declared schema that cannot be used.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// The annotations as declared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Value>,
}

/// One raw `tools/list` entry of one server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolDeclaration {
    /// The key of the server in the suite.
    pub server_key: String,
    /// The name as declared.
    #[serde(default, deserialize_with = "text_or_empty")]
    pub name: String,
    /// The description as declared: a text, or whatever else the server sent.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub description: Option<Value>,
    /// The input schema as declared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// The output schema as declared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// The annotations as declared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Value>,
}

/// One observed widget render.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RenderObservation {
    /// The tool whose result was rendered.
    pub tool_name: String,
    /// How the render ended.
    pub status: RenderStatus,
    /// The time until then, in milliseconds.
    pub elapsed_ms: f64,
    /// The identifier of the call; absent when unknown.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The server of the tool; absent when unknown.
    #[serde(default, deserialize_with = "text_or_none", skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// What the widget wrote to its error console. Absence means nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub console_errors: Option<Vec<String>>,
}

vocabulary! {
    /// How the render of a widget ended. Only `rendered` is a success.
    RenderStatus = "renderStatuses", "How the render of a widget ended. Only `rendered` is a success." {
        /// It rendered.
        Rendered = "rendered" => "rendered",
        /// The result names no resource to render.
        NoUiResource = "no_ui_resource" => "no resource to render",
        /// The resource could not be read.
        ResourceReadFailed = "resource_read_failed" => "the resource could not be read",
        /// The widget could not be mounted.
        MountFailed = "mount_failed" => "the widget could not be mounted",
        /// The bridge to the widget did not answer in time.
        BridgeTimeout = "bridge_timeout" => "the bridge did not answer in time",
        /// The widget threw.
        RenderError = "render_error" => "the widget threw an error",
        /// The picture shows nothing.
        BlankScreenshot = "blank_screenshot" => "the picture is blank",
        /// No picture could be taken.
        ScreenshotFailed = "screenshot_failed" => "no picture could be taken",
        /// There was no browser.
        BrowserUnavailable = "browser_unavailable" => "no browser was available",
    }
}

/// How complete each captured channel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Capture {
    /// Results of calls.
    #[serde(default = "CaptureState::absent", deserialize_with = "state_or_absent")]
    pub tool_results: CaptureState,
    /// Durations of calls.
    #[serde(default = "CaptureState::absent", deserialize_with = "state_or_absent")]
    pub tool_call_timings: CaptureState,
    /// The tools as the model saw them.
    #[serde(default = "CaptureState::absent", deserialize_with = "state_or_absent")]
    pub tool_inventory: CaptureState,
    /// Raw declarations; an absent key counts as absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_declarations: Option<CaptureState>,
}

vocabulary! {
    /// How much of a channel was captured.
    CaptureState = "captureStates", "How much of a channel of evidence was captured." {
        /// All of it.
        Complete = "complete" => "complete",
        /// Some of it.
        Partial = "partial" => "partial",
        /// None of it.
        Absent = "absent" => "absent",
    }
}

/// A state that this reader does not know proves nothing was captured whole.
fn state_or_absent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CaptureState, D::Error> {
    let state = text_or_none(deserializer)?;
    Ok(state.as_deref().and_then(CaptureState::from_wire).unwrap_or(CaptureState::Absent))
}

impl CaptureState {
    const fn absent() -> Self {
        Self::Absent
    }
}

/// Keeps a present null apart from an absent key.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn text_or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    text_or_none(deserializer).map(Option::unwrap_or_default)
}

fn flag_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Value::deserialize(deserializer).map(|value| value.as_bool())
}

fn list_or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ToolCall>, D::Error> {
    Option::<Vec<ToolCall>>::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_object_is_a_transcript() {
        let transcript: Transcript = serde_json::from_value(json!({})).expect("reads");
        assert_eq!(transcript, Transcript::default());
        assert_eq!(transcript.capture_state(CaptureChannel::ToolResults), CaptureState::Absent);
    }

    #[test]
    fn a_present_null_is_content() {
        let row = json!({"toolName": "t", "structuredContent": null});
        let read: ToolResultRow = serde_json::from_value(row.clone()).expect("reads");
        assert_eq!(read.structured_content, Some(Value::Null));
        assert_eq!(read.json, None);
        assert_eq!(serde_json::to_value(&read).expect("writes"), row);
    }

    #[test]
    fn members_of_a_wrong_type_count_as_absent() {
        let usage: Usage = serde_json::from_value(json!({"inputTokens": null, "totalTokens": "9"}))
            .expect("reads");
        assert_eq!(usage, Usage::default());
    }
}
