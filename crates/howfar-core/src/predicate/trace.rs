//! What the trace of a trial says: its messages, its last answer and its tool errors (predicates 4.2 and 4.3).

use howfar_wire::canon::is_blank;
use howfar_wire::transcript::{ToolError, ToolErrorKind};
use serde_json::Value;

use super::text::template_text;

/// The messages of a trace: the trace itself when it is a list, its `messages` when it is an object.
pub fn trace_messages(trace: &Value) -> Option<&[Value]> {
    match trace {
        Value::Array(messages) => Some(messages),
        Value::Object(object) => {
            object.get("messages").and_then(Value::as_array).map(Vec::as_slice)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// The number of user messages.
pub fn user_turns(messages: &[Value]) -> usize {
    messages.iter().filter(|message| role(message) == Some("user")).count()
}

/// The text of the last assistant message. That message alone decides: an earlier one is never taken instead.
pub fn final_assistant_message(messages: &[Value]) -> Option<String> {
    let last = messages.iter().rev().find(|message| role(message) == Some("assistant"))?;
    let text = match last.get("content")? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(part_text).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    Some(text).filter(|text| !is_blank(text))
}

fn role(message: &Value) -> Option<&str> {
    message.get("role").and_then(Value::as_str)
}

fn part_text(part: &Value) -> Option<String> {
    if part.get("type").and_then(Value::as_str) != Some("text") {
        return None;
    }
    part.get("text").filter(|text| !text.is_null()).map(|text| template_text(Some(text)))
}

/// The tool failures that a trace shows: failed spans first, then results in messages. The two are not compared, so one
/// failure may be there twice.
pub fn trace_tool_errors(trace: &Value) -> Vec<ToolError> {
    let spans = trace.get("spans").and_then(Value::as_array).into_iter().flatten();
    let parts = trace_messages(trace).unwrap_or_default().iter().flat_map(result_parts);
    spans.filter_map(span_error).chain(parts.filter_map(part_error)).collect()
}

fn span_error(span: &Value) -> Option<ToolError> {
    let is = |key: &str, word: &str| span.get(key).and_then(Value::as_str) == Some(word);
    let failed = is("category", "tool") && is("status", "error");
    failed.then(|| tool_error(ToolErrorKind::ProtocolError, span.get("name")))
}

/// The tool results inside a message.
fn result_parts(message: &Value) -> impl Iterator<Item = &Value> {
    let content = role(message).and_then(|_| message.get("content")).and_then(Value::as_array);
    let is_result = |part: &&Value| part.get("type").and_then(Value::as_str) == Some("tool-result");
    content.into_iter().flatten().filter(is_result)
}

fn part_error(part: &Value) -> Option<ToolError> {
    let output = part.get("output");
    let protocol = part.get("error").is_some_and(is_error_text)
        || output.and_then(|output| output.get("type")).and_then(Value::as_str)
            == Some("error-text");
    let kind = if protocol {
        ToolErrorKind::ProtocolError
    } else if part.get("result").is_some_and(is_flagged)
        || output.map(unwrapped).is_some_and(is_flagged)
        || is_flagged(part)
    {
        ToolErrorKind::ContentError
    } else {
        return None;
    };
    Some(tool_error(kind, part.get("toolName")))
}

/// A non-blank text, or an object with a non-blank `message`.
fn is_error_text(error: &Value) -> bool {
    let text = if error.is_object() { error.get("message") } else { Some(error) };
    text.and_then(Value::as_str).is_some_and(|text| !is_blank(text))
}

fn is_flagged(value: &Value) -> bool {
    value.get("isError") == Some(&Value::Bool(true))
}

/// The value of an output that names its type next to it.
fn unwrapped(output: &Value) -> &Value {
    match (output.get("type"), output.get("value")) {
        (Some(_), Some(value)) => value,
        (_, _) => output,
    }
}

fn tool_error(kind: ToolErrorKind, tool_name: Option<&Value>) -> ToolError {
    let tool_name = tool_name.and_then(Value::as_str).map(str::to_owned);
    ToolError { kind, tool_name, message: None, tool_call_id: None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_assistant_message_decides_alone() {
        let messages = [
            json!({"role": "assistant", "content": "first"}),
            json!({"role": "assistant", "content": [{"type": "tool-call"}]}),
        ];
        assert_eq!(final_assistant_message(&messages), None);
        let parts = json!([{"type": "text", "text": "a"}, {"type": "text", "text": 5}]);
        let messages = [json!({"role": "assistant", "content": parts})];
        assert_eq!(final_assistant_message(&messages).as_deref(), Some("a5"));
    }

    #[test]
    fn failed_spans_and_results_are_both_listed() {
        let part = json!({"type": "tool-result", "toolName": "t", "output": {"type": "json", "value": {"isError": true}}});
        let trace = json!({
            "spans": [{"category": "tool", "status": "error", "name": "s"}],
            "messages": [{"role": "tool", "content": [part]}],
        });
        let errors = trace_tool_errors(&trace);
        assert_eq!(errors.len(), 2);
        assert_eq!(errors[0].kind, ToolErrorKind::ProtocolError);
        assert_eq!(errors[1].kind, ToolErrorKind::ContentError);
    }
}
