//! Building transcripts from what a trial left.

use howfar_core::predicate::{
    TranscriptParts, build_transcript, final_assistant_message, trace_tool_errors,
};
use howfar_wire::transcript::Transcript;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{input, read, same};

/// A whole transcript; for the cap cases only lengths and capture states.
pub(super) fn build(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let built = build_transcript(parts(&input["input"])?);
    let expect = &vector["expect"];
    if let Some(transcript) = expect.get("transcript") {
        return same(&json!(built), transcript);
    }
    let mut found = json!({"capture": built.capture});
    if expect.get("kept").is_some() {
        let rows = built.results().len().max(built.timings().len());
        found["kept"] = json!(rows);
    } else {
        add_text_facts(&mut found, &built);
    }
    same(&found, expect)
}

fn add_text_facts(found: &mut Value, built: &Transcript) {
    if let Some(row) = built.results().first() {
        found["textLength"] = json!(row.text.as_deref().map(howfar_wire::canon::utf16_len));
        found["truncated"] = json!(row.truncated == Some(true));
        found["bytes"] = json!(row.size.map(|size| size.bytes));
    }
}

fn parts(value: &Value) -> Result<TranscriptParts, String> {
    let flag = |key: &str| value.get(key) == Some(&json!(true));
    Ok(TranscriptParts {
        tool_calls: optional(value, "toolCalls")?.unwrap_or_default(),
        trace: value.get("trace").cloned(),
        tool_errors: optional(value, "toolErrors")?.unwrap_or_default(),
        final_assistant_message: optional(value, "finalAssistantMessage")?,
        usage: optional(value, "usage")?,
        render_observations: optional(value, "renderObservations")?.unwrap_or_default(),
        turn_count: optional(value, "turnCount")?,
        tool_results: optional(value, "toolResults")?,
        results_captured: flag("resultsCaptured"),
        tool_call_timings: optional(value, "toolCallTimings")?,
        timings_captured: flag("timingsCaptured"),
        tool_inventory: optional(value, "toolInventory")?,
        tool_declarations: optional(value, "toolDeclarations")?,
        declarations_captured: optional(value, "declarationsCaptured")?,
    })
}

fn optional<T: DeserializeOwned>(value: &Value, key: &str) -> Result<Option<T>, String> {
    value.get(key).map(read).transpose()
}

/// The last answer.
pub(super) fn final_message(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let message = input["messages"].as_array().and_then(|list| final_assistant_message(list));
    same(&json!({ "message": message }), &vector["expect"])
}

/// Tool errors of a trace.
pub(super) fn tool_errors(vector: &Value) -> Result<(), String> {
    let errors = trace_tool_errors(&input(vector)["trace"]);
    same(&json!({ "errors": errors }), &vector["expect"])
}
