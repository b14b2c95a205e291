//! The chat request.

use serde_json::{Map, Value, json};

use crate::conversation::{AssistantMessage, Message, ModelRequest, ToolCall, ToolSpec};
use crate::provider::Provider;
use crate::tool_names::ToolNames;

/// What does not change between the requests of one model.
#[derive(Debug)]
pub(super) struct BodyOptions {
    pub(super) model: String,
    pub(super) max_output_tokens: Option<u32>,
    /// Which fields the provider knows by which name.
    pub(super) provider: &'static Provider,
}

/// The request's body.
pub(super) fn chat_body(options: &BodyOptions, request: &ModelRequest, names: &ToolNames) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    body.insert("messages".into(), messages(options, request, names).into());
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| wire_tool(tool, names));
        body.insert("tools".into(), tools.collect());
    }
    if let Some(temperature) = request.temperature {
        body.insert("temperature".into(), temperature.into());
    }
    if let (Some(field), Some(seed)) = (options.provider.seed_field, request.trial.seed) {
        body.insert(field.into(), seed.into());
    }
    if let Some(limit) = options.max_output_tokens {
        body.insert(options.provider.max_tokens_field.into(), limit.into());
    }
    body.insert("stream".into(), true.into());
    body.insert("stream_options".into(), json!({"include_usage": true}));
    Value::Object(body)
}

fn messages(options: &BodyOptions, request: &ModelRequest, names: &ToolNames) -> Vec<Value> {
    let mut messages = Vec::new();
    if let Some(system) = &request.system {
        messages.push(json!({"role": "system", "content": system}));
    }
    for message in &request.messages {
        match message {
            Message::User(text) => messages.push(json!({"role": "user", "content": text})),
            Message::Assistant(turn) => messages.push(assistant(options, turn, names)),
            // The wire has no error flag: the text alone tells the model.
            Message::ToolResults(results) => messages.extend(results.iter().map(|result| {
                json!({"role": "tool", "tool_call_id": result.call_id, "content": result.text()})
            })),
        }
    }
    messages
}

fn assistant(options: &BodyOptions, turn: &AssistantMessage, names: &ToolNames) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), "assistant".into());
    let only_calls = turn.text.is_empty() && !turn.tool_calls.is_empty();
    let content = if only_calls { Value::Null } else { turn.text.clone().into() };
    message.insert("content".into(), content);
    if turn.tool_calls.is_empty() {
        return Value::Object(message);
    }
    let calls = turn.tool_calls.iter().map(|call| wire_call(call, names));
    message.insert("tool_calls".into(), calls.collect());
    if let (true, Some(reasoning)) = (options.provider.wants_reasoning_back, &turn.reasoning) {
        message.insert("reasoning_content".into(), reasoning.clone().into());
    }
    Value::Object(message)
}

/// A call as the model made it, its argument text unchanged; blank text is spelled `{}`, since servers parse it.
fn wire_call(call: &ToolCall, names: &ToolNames) -> Value {
    let blank = call.arguments_text.trim().is_empty();
    let arguments = if blank { "{}" } else { &call.arguments_text };
    let function = json!({"name": names.wire(&call.name), "arguments": arguments});
    let mut wire = json!({"id": call.id, "type": "function", "function": function});
    if let Some(opaque) = &call.opaque {
        wire["extra_content"] = opaque.clone();
    }
    wire
}

fn wire_tool(tool: &ToolSpec, names: &ToolNames) -> Value {
    let mut function = Map::new();
    function.insert("name".into(), names.wire(&tool.name).into());
    if let Some(description) = &tool.description {
        function.insert("description".into(), description.clone().into());
    }
    function.insert("parameters".into(), parameters(&tool.input_schema));
    json!({"type": "function", "function": function})
}

/// The schema as the server sent it; an object schema gets the empty `properties` that the wire insists on.
fn parameters(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(members) = schema.as_object_mut()
        && members.get("type").is_some_and(|kind| kind == "object")
    {
        members.entry("properties").or_insert_with(|| json!({}));
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{ContentPart, ToolResult, TrialContext};
    use crate::provider::provider;

    fn request() -> ModelRequest {
        let call = ToolCall::new("c1", "a.b", "{\"x\": ");
        let turn = AssistantMessage {
            tool_calls: vec![call],
            reasoning: Some("because".into()),
            ..AssistantMessage::default()
        };
        let result = ToolResult {
            call_id: "c1".into(),
            tool_name: "a.b".into(),
            content: vec![ContentPart::Text("no".into())],
            structured: None,
            is_error: true,
        };
        ModelRequest {
            system: Some("be brief".into()),
            messages: vec![
                Message::User("go".into()),
                Message::Assistant(turn),
                Message::ToolResults(vec![result]),
            ],
            tools: vec![ToolSpec {
                name: "a.b".into(),
                description: None,
                input_schema: json!({"type": "object"}),
            }],
            temperature: None,
            trial: TrialContext { case_id: "c".into(), trial: 1, seed: Some(7) },
        }
    }

    fn body(provider_name: &str, max_output_tokens: Option<u32>) -> Value {
        let provider = provider(provider_name).expect("the test names a provider");
        let options = BodyOptions { model: "m".into(), max_output_tokens, provider };
        let request = request();
        chat_body(&options, &request, &ToolNames::of(&request))
    }

    #[test]
    fn the_whole_body() {
        let call = json!({"id": "c1", "type": "function", "function": {"name": "a_b", "arguments": "{\"x\": "}});
        let expected = json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": null, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c1", "content": "no"},
            ],
            "tools": [{"type": "function", "function": {"name": "a_b", "parameters": {"type": "object", "properties": {}}}}],
            "seed": 7,
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        assert_eq!(howfar_testkit::json::difference(&body("xai", None), &expected), None);
    }

    #[test]
    fn each_provider_has_its_names_for_limit_and_seed() {
        assert_eq!(body("openai", Some(9))["max_completion_tokens"], 9);
        assert_eq!(body("mistral", Some(9))["max_tokens"], 9);
        assert_eq!(body("mistral", None)["random_seed"], 7);
        assert_eq!(body("google", None).get("seed"), None);
    }

    #[test]
    fn reasoning_goes_back_only_where_it_is_wanted() {
        assert_eq!(body("openai", None)["messages"][2].get("reasoning_content"), None);
        assert_eq!(body("deepseek", None)["messages"][2]["reasoning_content"], "because");
    }
}
