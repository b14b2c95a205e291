//! `toolErrorNamesInput` (predicates 6.9).

use howfar_wire::canon::{number_text, utf16_len};
use howfar_wire::transcript::{ToolCall, ToolError};
use howfar_wire::vocabulary::CaptureChannel;
use serde_json::Value;

use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope, object_of};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{MESSAGE_CAP, scrubbed};

/// Shorter sent values are found in too many messages by chance.
const MIN_VALUE_LENGTH: usize = 3;

#[derive(Debug)]
struct ToolErrorNamesInput(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(ToolErrorNamesInput(fields.scope())))
}

impl Check for ToolErrorNamesInput {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let errors: Vec<&ToolError> =
            evidence.transcript.errors().iter().filter(|error| in_scope(&self.0, error)).collect();
        if errors.is_empty() {
            return Outcome::pass(format!("no errors from {} to inspect", self.0.label()));
        }
        if !evidence.is_complete(CaptureChannel::ToolInventory) {
            return Outcome::error(
                "no tool inventory captured; cannot tell an input key from any other word in the message",
            );
        }
        let problem = errors.iter().find_map(|error| problem(error, evidence));
        problem.unwrap_or_else(|| {
            Outcome::pass(format!(
                "all {} tool error(s) named an input key or a sent value",
                errors.len()
            ))
        })
    }
}

fn in_scope(scope: &ToolScope, error: &ToolError) -> bool {
    match &error.tool_name {
        Some(name) => scope.covers(name),
        None => scope.tool_name().is_none(),
    }
}

/// Why an error is no help; `None` when it names an input.
fn problem(error: &ToolError, evidence: Evidence<'_>) -> Option<Outcome> {
    let message = error.message.as_deref().unwrap_or_default();
    let lowered = message.to_lowercase();
    let tool_name = error.tool_name.as_deref().filter(|name| !name.is_empty());
    let who = tool_name.map_or_else(String::new, |name| format!(" (\"{name}\")"));
    if lowered.is_empty() {
        return Some(Outcome::fail(format!("a tool error carried no message at all{who}")));
    }
    if names_an_input_key(error, &lowered, evidence) {
        return None;
    }
    let candidates = candidates(error, evidence);
    let joined = joined_call(error, &candidates);
    let sent_by = joined.map_or_else(|| candidates.clone(), |call| vec![call]);
    let named =
        sent_by.iter().flat_map(|call| sent_values(call)).any(|value| lowered.contains(&value));
    match (named, joined) {
        (true, Some(_)) => None,
        (true, None) => Some(Outcome::error(format!(
            "a tool error names a value sent by one of {} calls to \"{}\" and carries no call id; cannot tell whether it named its own input",
            candidates.len(),
            error.tool_name.as_deref().unwrap_or("undefined"),
        ))),
        (false, _) => Some(Outcome::fail(format!(
            "a tool error did not name an input{who}: {}",
            scrubbed(message, MESSAGE_CAP)
        ))),
    }
}

/// Whether a top-level property of the tool's input schema stands anywhere in the message.
fn names_an_input_key(error: &ToolError, lowered: &str, evidence: Evidence<'_>) -> bool {
    let tool = error.tool_name.as_deref().and_then(|name| evidence.inventory_tool(name));
    let schema = tool.and_then(|tool| tool.input_schema.as_ref());
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.is_some_and(|keys| keys.keys().any(|key| lowered.contains(&key.to_lowercase())))
}

/// The calls that the error may belong to.
fn candidates<'a>(error: &ToolError, evidence: Evidence<'a>) -> Vec<&'a ToolCall> {
    let calls = evidence.transcript.tool_calls.iter();
    match error.tool_name.as_deref() {
        Some(name) => calls.filter(|call| call.tool_name == name).collect(),
        None => calls.collect(),
    }
}

/// The call that the error does belong to: by identifier, or because there is only one.
fn joined_call<'a>(error: &ToolError, candidates: &[&'a ToolCall]) -> Option<&'a ToolCall> {
    let by_id = error.tool_call_id.as_deref().and_then(|id| {
        candidates.iter().copied().find(|call| call.tool_call_id.as_deref() == Some(id))
    });
    match candidates {
        [only] => by_id.or(Some(*only)),
        _ => by_id,
    }
}

/// Top-level texts and numbers of a call's arguments that are long enough to recognize, lower-cased.
fn sent_values(call: &ToolCall) -> Vec<String> {
    let shown = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number_text(number)),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let values = object_of(&call.arguments).values().filter_map(shown);
    values
        .filter(|text| utf16_len(text) >= MIN_VALUE_LENGTH)
        .map(|text| text.to_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::outcome;

    fn check(message: &str, calls: Value) -> String {
        let transcript = json!({
            "toolCalls": calls,
            "toolErrors": [{"kind": "content-error", "toolName": "t", "message": message}],
            "toolInventory": [{"name": "t", "inputSchema": {"properties": {"limit": {}}}}],
            "capture": {"toolInventory": "complete"},
        });
        outcome(&json!({"type": "toolErrorNamesInput", "role": "advisory"}), transcript)
    }

    #[test]
    fn a_key_may_stand_inside_a_word() {
        assert!(check("Rate limited", json!([])).starts_with("pass"));
    }

    #[test]
    fn a_sent_value_counts_for_its_own_call_only() {
        let call = |value: &str| json!({"toolName": "t", "arguments": {"q": value}});
        assert!(check("no such thing: ABC", json!([call("abc")])).starts_with("pass"));
        assert!(check("no such thing: abc", json!([call("abc"), call("x")])).starts_with("error"));
        assert!(check("no such thing", json!([call("ab")])).starts_with("fail"));
    }

    #[test]
    fn an_error_without_a_message_fails() {
        assert_eq!(check("", json!([])), "fail: a tool error carried no message at all (\"t\")");
    }
}
