//! One assistant turn.

use std::time::Duration;

use serde_json::{Map, Value};

/// One complete assistant turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelTurn {
    /// What the model said; empty when it only called tools, or really said nothing.
    pub text: String,
    /// What it called, in order.
    pub tool_calls: Vec<ToolCall>,
    /// The provider's separate reasoning text; never part of the answer.
    pub reasoning: Option<String>,
    /// The tokens as the provider counted them; `None` when it did not say, which is not zero.
    pub usage: Option<Usage>,
    /// What the provider says the turn cost, in US dollars; `None` when it did not say, which is not free.
    pub cost_usd: Option<f64>,
    /// Why the turn ended, in the provider's spelling.
    pub finish_reason: Option<String>,
    /// The provider's id of the answer.
    pub response_id: Option<String>,
    /// When the provider says it answered, in Unix seconds.
    pub created: Option<i64>,
    /// The model that the provider says answered; may be more exact than the one asked for.
    pub model: Option<String>,
    /// The provider's name, as in [`crate::ModelIdentity`].
    pub provider: String,
    /// From sending the request to the first piece of the answer; `None` where nothing was sent.
    pub time_to_first_chunk: Option<Duration>,
}

/// Tokens of one turn as the provider counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens of the request, cached ones included.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
}

impl Usage {
    /// Input and output together (suite and runner, section B9); a provider's own total is not used.
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// One tool call that a model made.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Names the call within its conversation; made up by us where the provider sent none.
    pub id: String,
    /// The tool's name as the server spells it, or whatever the model called instead.
    pub name: String,
    /// The arguments as an object, or why they are none.
    pub arguments: Result<Map<String, Value>, ArgumentsFault>,
    /// The arguments' text exactly as the model wrote it.
    pub arguments_text: String,
    /// Provider data that must go back with this call in the next request.
    pub opaque: Option<Value>,
}

impl ToolCall {
    /// A call from its verbatim argument text. Blank text is a call without arguments, so an empty object.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments_text: impl Into<String>,
    ) -> Self {
        let arguments_text = arguments_text.into();
        let arguments = parse_arguments(&arguments_text);
        Self { id: id.into(), name: name.into(), arguments, arguments_text, opaque: None }
    }
}

/// Why a call's argument text is not an object. A fact about the model's answer, not a failure of the call to the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentsFault {
    /// The text is not JSON.
    #[error("the arguments are not JSON: {0}")]
    NotJson(String),
    /// The text is JSON of another type.
    #[error("the arguments are {0} instead of an object")]
    NotAnObject(&'static str),
}

fn parse_arguments(text: &str) -> Result<Map<String, Value>, ArgumentsFault> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(Value::Null) => Err(ArgumentsFault::NotAnObject("null")),
        Ok(Value::Bool(_)) => Err(ArgumentsFault::NotAnObject("a boolean")),
        Ok(Value::Number(_)) => Err(ArgumentsFault::NotAnObject("a number")),
        Ok(Value::String(_)) => Err(ArgumentsFault::NotAnObject("a JSON string")),
        Ok(Value::Array(_)) => Err(ArgumentsFault::NotAnObject("an array")),
        Err(error) => Err(ArgumentsFault::NotJson(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_argument_text_is_an_empty_object() {
        assert_eq!(ToolCall::new("1", "t", " ").arguments, Ok(Map::new()));
    }

    #[test]
    fn malformed_argument_text_is_kept_verbatim() {
        let call = ToolCall::new("1", "t", "{\"a\": ");
        assert!(matches!(call.arguments, Err(ArgumentsFault::NotJson(_))));
        assert_eq!(call.arguments_text, "{\"a\": ");
    }

    #[test]
    fn a_json_string_is_not_an_object() {
        let call = ToolCall::new("1", "t", "\"{}\"");
        assert_eq!(call.arguments, Err(ArgumentsFault::NotAnObject("a JSON string")));
    }
}
