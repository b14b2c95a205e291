//! The messages request.

use serde_json::{Map, Value, json};

use crate::conversation::{
    AssistantMessage, ContentPart, Message, ModelRequest, ToolCall, ToolResult, ToolSpec,
};
use crate::tool_names::ToolNames;

/// The picture types that the wire takes; others are told to the model as text.
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The request's body.
pub(super) fn messages_body(
    model: &str,
    max_tokens: u32,
    request: &ModelRequest,
    names: &ToolNames,
) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("max_tokens".into(), max_tokens.into());
    if let Some(system) = request.system.as_ref().filter(|system| !system.is_empty()) {
        body.insert("system".into(), system.clone().into());
    }
    body.insert("messages".into(), messages(request, names).into());
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| wire_tool(tool, names));
        body.insert("tools".into(), tools.collect());
    }
    if let Some(temperature) = request.temperature {
        body.insert("temperature".into(), temperature.into());
    }
    body.insert("stream".into(), true.into());
    Value::Object(body)
}

/// The conversation in alternating roles. Tool results and a prompt that follows them are one user message, and an
/// assistant turn that said nothing is left out, because the wire refuses empty content.
fn messages(request: &ModelRequest, names: &ToolNames) -> Vec<Value> {
    let mut grouped: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, blocks) = match message {
            Message::User(text) => ("user", text_block(text).into_iter().collect()),
            Message::Assistant(turn) => ("assistant", assistant_blocks(turn, names)),
            Message::ToolResults(results) => ("user", results.iter().map(result_block).collect()),
        };
        match grouped.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, content)) if *last == role => content.extend(blocks),
            Some(_) | None => grouped.push((role, blocks)),
        }
    }
    grouped.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

fn text_block(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({"type": "text", "text": text}))
}

fn assistant_blocks(turn: &AssistantMessage, names: &ToolNames) -> Vec<Value> {
    let calls = turn.tool_calls.iter().map(|call| {
        let name = names.wire(&call.name);
        json!({"type": "tool_use", "id": call.id, "name": name, "input": input(call)})
    });
    text_block(&turn.text).into_iter().chain(calls).collect()
}

/// The arguments as the object that the wire insists on; malformed text stands verbatim under one member.
fn input(call: &ToolCall) -> Value {
    match &call.arguments {
        Ok(arguments) => Value::Object(arguments.clone()),
        Err(_) => json!({"INVALID_JSON": call.arguments_text}),
    }
}

fn result_block(result: &ToolResult) -> Value {
    let mut block = Map::new();
    block.insert("type".into(), "tool_result".into());
    block.insert("tool_use_id".into(), result.call_id.clone().into());
    let content = result_content(result);
    if !content.is_empty() {
        block.insert("content".into(), content.into());
    }
    if result.is_error {
        block.insert("is_error".into(), true.into());
    }
    Value::Object(block)
}

fn result_content(result: &ToolResult) -> Vec<Value> {
    if result.content.is_empty() {
        return text_block(&result.text()).into_iter().collect();
    }
    result.content.iter().filter_map(part_block).collect()
}

fn part_block(part: &ContentPart) -> Option<Value> {
    match part {
        ContentPart::Image { media_type, data } if PICTURES.contains(&media_type.as_str()) => {
            let source = json!({"type": "base64", "media_type": media_type, "data": data});
            Some(json!({"type": "image", "source": source}))
        }
        ContentPart::Text(_) | ContentPart::Image { .. } | ContentPart::Other(_) => {
            text_block(&part.text())
        }
    }
}

fn wire_tool(tool: &ToolSpec, names: &ToolNames) -> Value {
    let mut wire = Map::new();
    wire.insert("name".into(), names.wire(&tool.name).into());
    if let Some(description) = &tool.description {
        wire.insert("description".into(), description.clone().into());
    }
    wire.insert("input_schema".into(), tool.input_schema.clone());
    Value::Object(wire)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::TrialContext;

    fn result(call_id: &str, content: Vec<ContentPart>, is_error: bool) -> ToolResult {
        let call_id = call_id.to_owned();
        ToolResult { call_id, tool_name: "t".into(), content, structured: None, is_error }
    }

    #[track_caller]
    fn check_messages(messages: Vec<Message>, expected: &Value) {
        let trial = TrialContext { case_id: "c".into(), trial: 1, seed: None };
        let request =
            ModelRequest { system: None, messages, tools: Vec::new(), temperature: None, trial };
        let body = messages_body("m", 9, &request, &ToolNames::of(&request));
        assert_eq!(howfar_testkit::json::difference(&body["messages"], expected), None);
    }

    #[test]
    fn results_of_one_turn_and_the_next_prompt_are_one_user_message() {
        let results = vec![
            result("1", vec![ContentPart::Text("ok".into())], false),
            result("2", Vec::new(), true),
        ];
        let expected = json!([{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "ok"}]},
            {"type": "tool_result", "tool_use_id": "2", "is_error": true},
            {"type": "text", "text": "next"},
        ]}]);
        let messages = vec![Message::ToolResults(results), Message::User("next".into())];
        check_messages(messages, &expected);
    }

    #[test]
    fn malformed_arguments_go_back_verbatim() {
        let tool_calls = vec![ToolCall::new("1", "t", "{\"a\":")];
        let turn = AssistantMessage { tool_calls, ..AssistantMessage::default() };
        let input = json!({"INVALID_JSON": "{\"a\":"});
        let block = json!({"type": "tool_use", "id": "1", "name": "t", "input": input});
        let expected = json!([{"role": "assistant", "content": [block]}]);
        check_messages(vec![Message::Assistant(turn)], &expected);
    }

    #[test]
    fn an_empty_assistant_turn_is_left_out() {
        let messages = vec![
            Message::User("a".into()),
            Message::Assistant(AssistantMessage::default()),
            Message::User("b".into()),
        ];
        let block = |text: &str| json!({"type": "text", "text": text});
        let expected = json!([{"role": "user", "content": [block("a"), block("b")]}]);
        check_messages(messages, &expected);
    }

    #[test]
    fn pictures_go_as_pictures() {
        let part = ContentPart::Image { media_type: "image/png".into(), data: "AA==".into() };
        let block = result_block(&result("1", vec![part], false));
        assert_eq!(block["content"][0]["source"]["media_type"], "image/png");
    }
}
