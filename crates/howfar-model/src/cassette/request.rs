//! What a request means, as a value that a replay compares.

use howfar_wire::cassette::TrialRef;
use serde_json::{Value, json};

use crate::conversation::{AssistantMessage, ContentPart, Message, ModelRequest, ToolResult};

/// The meaning of a request: everything that can change its answer, and the case. The trial is not part of it: it only
/// keeps the order of several answers to one request.
pub(super) fn request_value(request: &ModelRequest) -> Value {
    let ModelRequest { system, messages, tools, temperature, trial } = request;
    let tool = |tool: &crate::ToolSpec| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "inputSchema": tool.input_schema,
        })
    };
    json!({
        "case": trial.case_id,
        "messages": messages.iter().map(message).collect::<Vec<_>>(),
        "seed": trial.seed,
        "system": system,
        "temperature": temperature,
        "tools": tools.iter().map(tool).collect::<Vec<_>>(),
    })
}

/// The trial that asks.
pub(super) fn trial_ref(request: &ModelRequest) -> TrialRef {
    TrialRef { case_id: request.trial.case_id.clone(), number: request.trial.trial }
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({ "user": text }),
        Message::Assistant(AssistantMessage { text, tool_calls, reasoning }) => {
            let call = |call: &crate::ToolCall| {
                json!({
                    "id": call.id,
                    "name": call.name,
                    "arguments": call.arguments_text,
                    "opaque": call.opaque,
                })
            };
            let calls: Vec<Value> = tool_calls.iter().map(call).collect();
            json!({ "assistant": { "text": text, "calls": calls, "reasoning": reasoning } })
        }
        Message::ToolResults(results) => {
            json!({ "results": results.iter().map(result).collect::<Vec<_>>() })
        }
    }
}

fn result(result: &ToolResult) -> Value {
    let ToolResult { call_id, tool_name, content, structured, is_error } = result;
    json!({
        "call": call_id,
        "tool": tool_name,
        "content": content.iter().map(part).collect::<Vec<_>>(),
        "structured": structured,
        "isError": is_error,
    })
}

fn part(part: &ContentPart) -> Value {
    match part {
        ContentPart::Text(text) => json!({ "text": text }),
        ContentPart::Image { media_type, data } => json!({ "image": media_type, "data": data }),
        ContentPart::Other(value) => json!({ "other": value }),
    }
}
