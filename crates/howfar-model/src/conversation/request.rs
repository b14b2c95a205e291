//! One question to a model.

use serde_json::Value;

use super::message::Message;

/// One question to a model: the conversation so far and the tools it may call.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// The system prompt; `None` sends none, which differs from an empty one.
    pub system: Option<String>,
    /// The conversation so far, oldest first. The last message is the user's or tool results.
    pub messages: Vec<Message>,
    /// The tools on offer, each name once.
    pub tools: Vec<ToolSpec>,
    /// Sampling temperature; `None` sends none.
    pub temperature: Option<f64>,
    /// Which trial asks.
    pub trial: TrialContext,
}

impl ModelRequest {
    /// How many user prompts the conversation holds; 0 when none.
    pub fn prompts(&self) -> usize {
        self.messages.iter().filter(|message| matches!(message, Message::User(_))).count()
    }

    /// The text of the newest user prompt.
    pub fn last_prompt(&self) -> Option<&str> {
        self.messages.iter().rev().find_map(|message| match message {
            Message::User(text) => Some(text.as_str()),
            Message::Assistant(_) | Message::ToolResults(_) => None,
        })
    }

    /// How many assistant turns followed the newest user prompt.
    pub fn turns_since_prompt(&self) -> usize {
        let newest = self.messages.iter().rev();
        newest
            .take_while(|message| !matches!(message, Message::User(_)))
            .filter(|message| matches!(message, Message::Assistant(_)))
            .count()
    }
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// The name as the server spells it; a wire that refuses it sends another and translates back.
    pub name: String,
    /// The server's description; `None` when it gave none.
    pub description: Option<String>,
    /// The JSON Schema of the arguments, as the server sent it.
    pub input_schema: Value,
}

/// Which trial asks. Wires send at most the seed; scripts match on all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialContext {
    /// The case's id.
    pub case_id: String,
    /// The trial's number within its case, from 1.
    pub trial: u32,
    /// The seed of a repeatable run; `None` sends none. Providers without a seed parameter ignore it.
    pub seed: Option<u64>,
}
