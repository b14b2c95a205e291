//! From chunks, or one whole answer, to a turn. Lenient: members of another type than expected count as absent.

use serde_json::Value;

use crate::conversation::{ModelTurn, ToolCall, Usage};
use crate::tool_names::ToolNames;

/// A turn in the making.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    text: String,
    reasoning: String,
    calls: Vec<PartialCall>,
    usage: Option<Usage>,
    cost_usd: Option<f64>,
    finish_reason: Option<String>,
    id: Option<String>,
    model: Option<String>,
    created: Option<i64>,
    saw_choice: bool,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    opaque: Option<Value>,
}

impl Assembly {
    /// Takes a chunk (`delta`) or a whole answer (`message`).
    pub(super) fn take(&mut self, piece: &Value) {
        keep_first(&mut self.id, text(piece, "id"));
        keep_first(&mut self.model, text(piece, "model"));
        self.created = self.created.or_else(|| piece.get("created").and_then(Value::as_i64));
        if let Some(usage) = piece.get("usage").and_then(usage) {
            self.usage = Some(usage);
        }
        self.cost_usd = piece.get("usage").and_then(cost).or(self.cost_usd);
        let Some(choice) = piece.get("choices").and_then(|choices| choices.get(0)) else { return };
        self.saw_choice = true;
        if let Some(reason) = text(choice, "finish_reason") {
            self.finish_reason = Some(reason.to_owned());
        }
        if let Some(message) = choice.get("delta").or_else(|| choice.get("message")) {
            self.take_message(message);
        }
    }

    fn take_message(&mut self, message: &Value) {
        match message.get("content") {
            Some(Value::String(content)) => self.text.push_str(content),
            Some(Value::Array(parts)) => {
                self.text.extend(parts.iter().filter_map(|part| text(part, "text")));
            }
            None | Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) => {}
        }
        // What the model says when it declines is what the user reads.
        self.text.push_str(text(message, "refusal").unwrap_or_default());
        self.reasoning.push_str(text(message, "reasoning_content").unwrap_or_default());
        let calls = message.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            self.take_call(call);
        }
    }

    fn take_call(&mut self, piece: &Value) {
        let index = piece.get("index").and_then(Value::as_u64);
        let id = text(piece, "id").unwrap_or_default();
        let call = self.call_for(index, id);
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if let Some(extra) = piece.get("extra_content") {
            call.opaque = Some(extra.clone());
        }
        let Some(function) = piece.get("function") else { return };
        if call.name.is_empty() {
            text(function, "name").unwrap_or_default().clone_into(&mut call.name);
        }
        match function.get("arguments") {
            Some(Value::String(arguments)) => call.arguments.push_str(arguments),
            Some(object @ Value::Object(_)) => call.arguments.push_str(&object.to_string()),
            None | Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) => {}
        }
    }

    /// The call that a piece continues. The index decides; a new id under a used or missing index is a new call, since
    /// some servers number nothing, or number every call 0.
    fn call_for(&mut self, index: Option<u64>, id: &str) -> &mut PartialCall {
        let continued = match index {
            Some(index) => self.calls.iter().rposition(|call| call.index == Some(index)),
            None => self.calls.len().checked_sub(1),
        };
        let continued = continued.filter(|at| {
            let known = &self.calls[*at].id;
            id.is_empty() || known.is_empty() || known == id
        });
        let at = continued.unwrap_or(self.calls.len());
        if at == self.calls.len() {
            self.calls.push(PartialCall { index, ..PartialCall::default() });
        }
        &mut self.calls[at]
    }

    /// The finished turn. `messages` is the length of the history, for the ids of calls that came without one.
    ///
    /// An answer without any choice, or one that ends with the reason `error`, is not a turn.
    pub(super) fn turn(
        self,
        messages: usize,
        names: &ToolNames,
    ) -> Result<ModelTurn, &'static str> {
        if !self.saw_choice {
            return Err("the answer holds no choice");
        }
        if self.finish_reason.as_deref() == Some("error") {
            return Err("the provider ended the answer with the finish reason `error`");
        }
        let calls = self.calls.into_iter().enumerate();
        let calls = calls.map(|(at, call)| call.finished(messages, at, names));
        Ok(ModelTurn {
            text: self.text,
            tool_calls: calls.collect(),
            reasoning: Some(self.reasoning).filter(|reasoning| !reasoning.is_empty()),
            usage: self.usage,
            cost_usd: self.cost_usd,
            finish_reason: self.finish_reason,
            response_id: self.id,
            created: self.created,
            model: self.model,
            ..ModelTurn::default()
        })
    }
}

impl PartialCall {
    fn finished(self, messages: usize, at: usize, names: &ToolNames) -> ToolCall {
        let id = if self.id.is_empty() { format!("call-{messages}-{}", at + 1) } else { self.id };
        let call = ToolCall::new(id, names.original(&self.name), self.arguments);
        ToolCall { opaque: self.opaque, ..call }
    }
}

/// Both counts, or nothing.
fn usage(usage: &Value) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    Some(Usage { input: count("prompt_tokens")?, output: count("completion_tokens")? })
}

/// What an endpoint that states prices says the answer cost, in US dollars.
fn cost(usage: &Value) -> Option<f64> {
    usage.get("cost").and_then(Value::as_f64).filter(|cost| *cost >= 0.0)
}

fn text<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value.get(member).and_then(Value::as_str)
}

fn keep_first(kept: &mut Option<String>, found: Option<&str>) {
    if kept.is_none() {
        *kept = found.filter(|found| !found.is_empty()).map(str::to_owned);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turn(pieces: &[Value]) -> Result<ModelTurn, &'static str> {
        let mut assembly = Assembly::default();
        pieces.iter().for_each(|piece| assembly.take(piece));
        assembly.turn(1, &ToolNames::default())
    }

    fn chunk(calls: &Value) -> Value {
        json!({"choices": [{"delta": {"tool_calls": calls}}]})
    }

    #[track_caller]
    fn check_calls(pieces: &[Value], expected: &[(&str, &str, &str)]) {
        let turn = turn(pieces).expect("a turn");
        let calls = turn.tool_calls.iter();
        let calls: Vec<_> = calls
            .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments_text.as_str()))
            .collect();
        assert_eq!(calls, expected);
    }

    #[test]
    fn interleaved_calls_are_told_apart_by_index() {
        let pieces = [
            chunk(&json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}])),
            chunk(
                &json!([{"index": 1, "id": "b", "function": {"name": "g", "arguments": "{\"x\""}}]),
            ),
            chunk(&json!([{"index": 0, "function": {"arguments": "{}"}}])),
            chunk(&json!([{"index": 1, "function": {"arguments": ": 1}"}}])),
        ];
        check_calls(&pieces, &[("a", "f", "{}"), ("b", "g", "{\"x\": 1}")]);
    }

    #[test]
    fn calls_without_an_index_are_told_apart_by_id() {
        let pieces = [
            chunk(&json!([{"id": "a", "function": {"name": "f", "arguments": "{}"}}])),
            chunk(&json!([{"id": "b", "function": {"name": "f", "arguments": "{}"}}])),
        ];
        check_calls(&pieces, &[("a", "f", "{}"), ("b", "f", "{}")]);
    }

    #[test]
    fn a_reused_index_with_a_new_id_is_a_new_call() {
        let pieces = [
            chunk(&json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}])),
            chunk(&json!([{"index": 0, "id": "b", "function": {"name": "g", "arguments": "{}"}}])),
        ];
        check_calls(&pieces, &[("a", "f", "{}"), ("b", "g", "{}")]);
    }

    #[test]
    fn a_missing_id_is_made_up() {
        let pieces = [chunk(&json!([{"index": 0, "function": {"name": "f", "arguments": ""}}]))];
        check_calls(&pieces, &[("call-1-1", "f", "")]);
    }

    #[test]
    fn an_answer_that_says_nothing_is_a_turn() {
        let piece = json!({"choices": [{"delta": {"content": ""}, "finish_reason": "stop"}]});
        assert_eq!(turn(&[piece]).map(|turn| turn.text), Ok(String::new()));
    }

    #[test]
    fn an_answer_without_a_choice_is_none() {
        assert_eq!(turn(&[json!({"choices": []})]), Err("the answer holds no choice"));
    }

    #[test]
    fn a_stated_cost_is_kept_and_none_is_made_up() {
        let cost = |usage: Value| {
            turn(&[json!({"choices": [{}], "usage": usage})]).expect("a turn").cost_usd
        };
        assert_eq!(cost(json!({"cost": 0.00014})), Some(0.00014));
        for unknown in [json!({}), json!({"cost": null}), json!({"cost": {"total": 1}})] {
            assert_eq!(cost(unknown), None);
        }
    }

    #[test]
    fn usage_needs_both_counts() {
        let piece = json!({"choices": [{}], "usage": {"prompt_tokens": 3}});
        assert_eq!(turn(&[piece]).map(|turn| turn.usage), Ok(None));
    }
}
