//! The messages of a conversation.

use serde_json::Value;

use super::turn::{ModelTurn, ToolCall};

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A user prompt.
    User(String),
    /// An assistant turn.
    Assistant(AssistantMessage),
    /// The results of all calls of the turn before, in call order.
    ToolResults(Vec<ToolResult>),
}

/// An assistant turn as part of the history.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssistantMessage {
    /// What it said; empty when it only called tools.
    pub text: String,
    /// What it called, in order.
    pub tool_calls: Vec<ToolCall>,
    /// The provider's separate reasoning text, kept because some providers demand it back within a tool loop.
    pub reasoning: Option<String>,
}

impl From<&ModelTurn> for AssistantMessage {
    fn from(turn: &ModelTurn) -> Self {
        Self {
            text: turn.text.clone(),
            tool_calls: turn.tool_calls.clone(),
            reasoning: turn.reasoning.clone(),
        }
    }
}

/// What one call gave, as the model may see it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The id of the call that this answers.
    pub call_id: String,
    /// The tool's name as the server spells it.
    pub tool_name: String,
    /// The content parts in order; may be empty.
    pub content: Vec<ContentPart>,
    /// The result's structured content; `None` when the server sent none.
    pub structured: Option<Value>,
    /// Whether the tool, the protocol or the policy reported an error.
    pub is_error: bool,
}

/// One part of a tool result.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentPart {
    /// Text.
    Text(String),
    /// A picture.
    Image {
        /// The media type, for example `image/png`.
        media_type: String,
        /// The bytes in base64, as the server sent them.
        data: String,
    },
    /// Any other part (audio, a resource, an unknown type), as the server sent it.
    Other(Value),
}

impl ToolResult {
    /// The result as one text: its parts joined by line breaks, or the structured content as JSON when there is no part.
    ///
    /// A picture is named by its media type and not spelled out; any other part is its JSON text.
    pub fn text(&self) -> String {
        if let (true, Some(structured)) = (self.content.is_empty(), &self.structured) {
            return structured.to_string();
        }
        self.content.iter().map(ContentPart::text).collect::<Vec<_>>().join("\n")
    }
}

impl ContentPart {
    /// The part as text, see [`ToolResult::text`].
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Image { media_type, data } => {
                format!("[{media_type}, {} base64 characters]", data.len())
            }
            Self::Other(part) => part.to_string(),
        }
    }
}
