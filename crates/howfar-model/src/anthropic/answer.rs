//! From events, or one whole message, to a turn. Lenient: unknown events, blocks and members are skipped.

use serde_json::Value;

use crate::conversation::{ModelTurn, ToolCall, Usage};
use crate::tool_names::ToolNames;

/// A turn in the making.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// Whether a message or, from servers that announce none, a block began.
    started: bool,
    blocks: Vec<(u64, Block)>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    stop_reason: Option<String>,
    id: Option<String>,
    model: Option<String>,
}

#[derive(Debug)]
enum Block {
    Text(String),
    Thinking(String),
    ToolUse { id: String, name: String, arguments: String },
}

impl Assembly {
    /// A whole message from a server that does not stream. Without content it is no message.
    pub(super) fn whole(message: &Value) -> Self {
        let mut assembly = Self::default();
        let Some(content) = message.get("content").and_then(Value::as_array) else {
            return assembly;
        };
        assembly.take_message(message);
        for (index, block) in (0..).zip(content) {
            assembly.start_block(index, block);
        }
        assembly.stop_reason = text(message, "stop_reason").map(str::to_owned);
        assembly
    }

    /// Takes one event; true when it is the last.
    pub(super) fn take(&mut self, event: &Value) -> bool {
        let index = event.get("index").and_then(Value::as_u64).unwrap_or(0);
        match text(event, "type").unwrap_or_default() {
            "message_start" => {
                if let Some(message) = event.get("message") {
                    self.take_message(message);
                }
            }
            "content_block_start" => {
                if let Some(block) = event.get("content_block") {
                    self.start_block(index, block);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = event.get("delta") {
                    self.continue_block(index, delta);
                }
            }
            "message_delta" => {
                let reason = event.get("delta").and_then(|delta| text(delta, "stop_reason"));
                self.stop_reason = reason.map(str::to_owned).or(self.stop_reason.take());
                self.take_usage(event);
            }
            "message_stop" => return true,
            _ => {}
        }
        false
    }

    fn take_message(&mut self, message: &Value) {
        self.started = true;
        self.id = text(message, "id").map(str::to_owned);
        self.model = text(message, "model").map(str::to_owned);
        self.take_usage(message);
    }

    /// Counts are running totals, so the newest wins. Cached tokens are part of the input.
    fn take_usage(&mut self, carrier: &Value) {
        let Some(usage) = carrier.get("usage") else { return };
        let count = |name: &str| usage.get(name).and_then(Value::as_u64);
        if let Some(fresh) = count("input_tokens") {
            let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
            let cached: u64 = cached.iter().filter_map(|name| count(name)).sum();
            self.input_tokens = Some(fresh.saturating_add(cached));
        }
        self.output_tokens = count("output_tokens").or(self.output_tokens);
    }

    fn start_block(&mut self, index: u64, block: &Value) {
        let member = |name: &str| text(block, name).unwrap_or_default().to_owned();
        let started = match text(block, "type").unwrap_or_default() {
            "text" => Block::Text(member("text")),
            "thinking" => Block::Thinking(member("thinking")),
            "tool_use" => {
                let arguments = given_input(block);
                Block::ToolUse { id: member("id"), name: member("name"), arguments }
            }
            _ => return,
        };
        self.started = true;
        self.blocks.push((index, started));
    }

    fn continue_block(&mut self, index: u64, delta: &Value) {
        let block = self.blocks.iter_mut().rev().find(|(at, _)| *at == index);
        let (target, member) = match block {
            Some((_, Block::Text(content))) => (content, "text"),
            Some((_, Block::Thinking(content))) => (content, "thinking"),
            Some((_, Block::ToolUse { arguments, .. })) => (arguments, "partial_json"),
            None => return,
        };
        target.push_str(text(delta, member).unwrap_or_default());
    }

    /// The finished turn; `None` when nothing ever began. `messages` is the length of the history, for the ids of
    /// calls that came without one.
    pub(super) fn turn(self, messages: usize, names: &ToolNames) -> Option<ModelTurn> {
        if !self.started {
            return None;
        }
        let mut turn = ModelTurn {
            usage: self.input_tokens.zip(self.output_tokens).map(usage),
            finish_reason: self.stop_reason,
            response_id: self.id,
            model: self.model,
            ..ModelTurn::default()
        };
        for (_, block) in self.blocks {
            match block {
                Block::Text(content) => turn.text.push_str(&content),
                Block::Thinking(content) => {
                    turn.reasoning.get_or_insert_default().push_str(&content);
                }
                Block::ToolUse { id, name, arguments } => {
                    let made_up = || format!("call-{messages}-{}", turn.tool_calls.len() + 1);
                    let id = if id.is_empty() { made_up() } else { id };
                    turn.tool_calls.push(ToolCall::new(id, names.original(&name), arguments));
                }
            }
        }
        Some(turn)
    }
}

/// The input that a block starts with: the whole of it in an unstreamed message, and an empty placeholder in a stream.
fn given_input(block: &Value) -> String {
    match block.get("input") {
        None | Some(Value::Null) => String::new(),
        Some(Value::Object(members)) if members.is_empty() => String::new(),
        Some(input) => input.to_string(),
    }
}

fn usage((input, output): (u64, u64)) -> Usage {
    Usage { input, output }
}

fn text<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value.get(member).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turn(events: &[Value]) -> ModelTurn {
        let mut assembly = Assembly::default();
        for event in events {
            assembly.take(event);
        }
        assembly.turn(1, &ToolNames::default()).expect("the message began")
    }

    fn begun() -> Value {
        json!({"type": "message_start", "message": {}})
    }

    #[test]
    fn argument_pieces_join_verbatim() {
        let block = json!({"type": "tool_use", "id": "t1", "name": "f", "input": {}});
        let delta = |piece: &str| {
            let delta = json!({"type": "input_json_delta", "partial_json": piece});
            json!({"type": "content_block_delta", "index": 1, "delta": delta})
        };
        let start = json!({"type": "content_block_start", "index": 1, "content_block": block});
        let turn = turn(&[begun(), start, delta("{\"a\""), delta(":  1}")]);
        assert_eq!(turn.tool_calls, [ToolCall::new("t1", "f", "{\"a\":  1}")]);
    }

    #[test]
    fn cached_tokens_are_input_and_the_newest_output_counts() {
        let usage = json!({"input_tokens": 3, "cache_read_input_tokens": 5, "output_tokens": 1});
        let start = json!({"type": "message_start", "message": {"id": "m", "usage": usage}});
        let delta = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}});
        let turn = turn(&[start, delta]);
        assert_eq!(turn.usage, Some(Usage { input: 8, output: 9 }));
        assert_eq!(turn.finish_reason.as_deref(), Some("end_turn"));
    }

    #[test]
    fn a_block_without_a_message_start_is_an_answer() {
        let block = json!({"type": "text", "text": "hi"});
        let turn = turn(&[json!({"type": "content_block_start", "content_block": block})]);
        assert_eq!((turn.text.as_str(), turn.usage), ("hi", None));
    }

    #[test]
    fn a_whole_message_is_read() {
        let message = json!({"id": "m", "content": [
            {"type": "text", "text": "hi"},
            {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}},
        ], "stop_reason": "tool_use"});
        let assembly = Assembly::whole(&message);
        let turn = assembly.turn(1, &ToolNames::default()).expect("the message began");
        assert_eq!((turn.text.as_str(), turn.tool_calls.len()), ("hi", 1));
        assert_eq!(turn.tool_calls[0].arguments_text, "{\"a\":1}");
    }
}
