//! What a stored result says, whatever it was wrapped in (friction, section A5).

use serde_json::{Map, Value};

/// One result in the form in which the rules read it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NormalizedResult<'a> {
    /// Structured content; a present null is content, `None` is none.
    pub structured_content: Option<&'a Value>,
    /// The text parts in order, empty ones included.
    pub text_parts: Vec<&'a str>,
    /// Whether the result says, or its producer knows, that the call failed.
    pub is_error: bool,
}

/// The result behind what was stored: a `tool-result` item, a bare `CallToolResult`, or anything else.
pub fn normalize_result(raw: &Value) -> NormalizedResult<'_> {
    let payload = payload(raw);
    NormalizedResult {
        structured_content: member(payload, "structuredContent"),
        text_parts: text_parts(payload),
        is_error: is_error(raw),
    }
}

/// The item, its `result` or its output's value says exactly `true`; other truthy values do not count.
fn is_error(raw: &Value) -> bool {
    [Some(raw), member(raw, "result"), member(raw, "output").and_then(|part| member(part, "value"))]
        .into_iter()
        .flatten()
        .filter_map(|part| member(part, "isError"))
        .any(|flag| *flag == Value::Bool(true))
}

fn payload(raw: &Value) -> &Value {
    member(raw, "result")
        .or_else(|| member(raw, "output").and_then(|output| member(output, "value")))
        .unwrap_or(raw)
}

fn text_parts(payload: &Value) -> Vec<&str> {
    if let Value::String(text) = payload {
        return vec![text];
    }
    let content = member(payload, "content").and_then(Value::as_array);
    content.into_iter().flatten().filter_map(Value::as_object).filter_map(part_text).collect()
}

/// The text of a part whose type is absent or `text`; a null type is not absent.
fn part_text(part: &Map<String, Value>) -> Option<&str> {
    let is_text = part.get("type").is_none_or(|kind| kind == "text");
    part.get("text").filter(|_| is_text).and_then(Value::as_str)
}

/// A member of a JSON object; `None` for anything that is no object.
fn member<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.as_object()?.get(key)
}
