//! The conversation of a trial: what the user asked, what the model said and called, what tools answered.
//!
//! Messages are read leniently: a shape that is not known is shown as the JSON that it is.

use std::borrow::Cow;

use askama::Template;
use serde_json::Value;

use super::{JsonView, Level, LongText};
use crate::text::clip;

/// How many messages are shown.
const MESSAGES: usize = 80;

/// The messages of one trial, in order.
#[derive(Debug, Template)]
#[template(path = "component/messages.html")]
pub struct Conversation<'a> {
    level: Level,
    messages: Vec<Message<'a>>,
    in_all: usize,
}

#[derive(Debug)]
struct Message<'a> {
    role: Cow<'a, str>,
    /// `user`, `assistant`, `tool` or `other`: decides the look.
    class: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Debug)]
enum Part<'a> {
    Text(LongText<'a>),
    Reasoning(LongText<'a>),
    Call { tool: Cow<'a, str>, input: JsonView<'a> },
    ResultText { tool: Cow<'a, str>, is_error: bool, text: LongText<'a> },
    ResultJson { tool: Cow<'a, str>, is_error: bool, value: JsonView<'a> },
    Unknown(JsonView<'a>),
}

impl<'a> Conversation<'a> {
    /// The messages of an evidence document.
    pub fn new(messages: &'a [Value], level: Level) -> Self {
        let shown = messages.iter().take(MESSAGES).map(message).collect();
        Self { level, messages: shown, in_all: messages.len() }
    }
}

fn message(message: &Value) -> Message<'_> {
    let role = message.get("role").and_then(Value::as_str).unwrap_or("message");
    let class = match role {
        "user" => "user",
        "assistant" => "assistant",
        "tool" => "tool",
        _ => "other",
    };
    let parts = match message.get("content") {
        Some(Value::String(text)) => vec![Part::Text(LongText::new(text))],
        Some(Value::Array(parts)) => parts.iter().map(part).collect(),
        Some(_) | None => vec![Part::Unknown(JsonView(message))],
    };
    Message { role: clip(role, 40), class, parts }
}

fn part(part: &Value) -> Part<'_> {
    let text_of = |key: &str| part.get(key).and_then(Value::as_str);
    let tool = || clip(text_of("toolName").unwrap_or("(no name)"), 128);
    match (text_of("type"), text_of("text")) {
        (Some("text"), Some(text)) => Part::Text(LongText::new(text)),
        (Some("reasoning"), Some(text)) => Part::Reasoning(LongText::new(text)),
        (Some("tool-call"), _) => match part.get("input") {
            Some(input) => Part::Call { tool: tool(), input: JsonView(input) },
            None => Part::Unknown(JsonView(part)),
        },
        (Some("tool-result"), _) => match part.get("output") {
            Some(output) => result(tool(), output),
            None => Part::Unknown(JsonView(part)),
        },
        _ => Part::Unknown(JsonView(part)),
    }
}

/// What a tool answered: `{type, value}`, where the type says whether it is text and whether it is an error.
fn result<'a>(tool: Cow<'a, str>, output: &'a Value) -> Part<'a> {
    let kind = output.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_error = kind.starts_with("error");
    match output.get("value") {
        Some(Value::String(text)) => Part::ResultText { tool, is_error, text: LongText::new(text) },
        Some(value) => Part::ResultJson { tool, is_error, value: JsonView(value) },
        None => Part::ResultJson { tool, is_error, value: JsonView(output) },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(messages: &[Value]) -> String {
        Conversation::new(messages, Level::Case).to_string()
    }

    #[test]
    fn each_role_shows_what_it_said() {
        let shown = shown(&[
            json!({"role": "user", "content": "find <it>"}),
            json!({"role": "assistant", "content": [
                {"type": "text", "text": "looking"},
                {"type": "tool-call", "toolName": "find", "input": {"q": 1}}]}),
            json!({"role": "tool", "content": [
                {"type": "tool-result", "toolName": "find", "output": {"type": "error-text", "value": "no"}}]}),
        ]);
        for words in ["find &#60;it&#62;", "looking", "{&#34;q&#34;: 1}", "answered with an error"]
        {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }

    #[test]
    fn an_unknown_shape_is_shown_as_it_is() {
        let shown =
            shown(&[json!({"role": "critic", "content": [{"type": "thought", "x": 1}]}), json!(7)]);
        assert!(shown.contains("critic") && shown.contains("thought"), "{shown}");
        assert!(shown.contains("<code>7</code>"), "{shown}");
    }

    #[test]
    fn bidi_controls_in_a_message_are_visible() {
        assert!(shown(&[json!({"role": "user", "content": "a\u{202e}b"})]).contains("a\\u{202e}b"));
    }
}
