//! The chat wire: good answers.

use serde_json::{Value, json};

use crate::fake::{Ending, Fake, KEY, answer, ask, events};

fn chunk(delta: &Value) -> String {
    json!({"id": "r1", "model": "exact", "created": 7, "choices": [{"index": 0, "delta": delta}]})
        .to_string()
}

#[tokio::test]
async fn a_streamed_call_keeps_its_text_and_its_name() {
    let start =
        json!({"index": 0, "id": "c1", "function": {"name": "math_sum", "arguments": "{\"a\""}});
    let rest = json!({"index": 0, "function": {"arguments": ":  2}"}});
    let end = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string();
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}});
    let pieces = [
        chunk(&json!({"tool_calls": [start]})),
        chunk(&json!({"tool_calls": [rest]})),
        end,
        usage.to_string(),
        "[DONE]".to_owned(),
    ];
    let stream = events(&pieces.each_ref().map(String::as_str));
    let fake = Fake::start(stream, Ending::Close).await;
    let turn = ask("openai-compatible", &fake).await.expect("a turn");
    assert_eq!(turn.tool_calls[0].name, "math.sum");
    assert_eq!(turn.tool_calls[0].arguments_text, "{\"a\":  2}");
    assert_eq!(turn.usage.map(|usage| usage.total()), Some(13));
    assert_eq!(turn.finish_reason.as_deref(), Some("tool_calls"));
    assert_eq!((turn.response_id.as_deref(), turn.created), (Some("r1"), Some(7)));
    assert!(turn.time_to_first_chunk.is_some());
}

#[tokio::test]
async fn the_request_names_model_key_and_tool() {
    let stream = events(&[&chunk(&json!({"content": "5"})), "[DONE]"]);
    let fake = Fake::start(stream, Ending::Close).await;
    ask("openai-compatible", &fake).await.expect("a turn");
    let (head, body) = (fake.head(), fake.body());
    assert!(head.starts_with("POST /chat/completions HTTP/1.1"), "{head}");
    assert!(head.contains(&format!("authorization: Bearer {KEY}")), "{head}");
    assert_eq!(body["model"], "some-model");
    assert_eq!(body["stream_options"]["include_usage"], true);
    assert_eq!(body["tools"][0]["function"]["name"], "math_sum");
    assert_eq!(body["temperature"], 0.5);
}

#[tokio::test]
async fn the_stream_ends_at_done_although_the_connection_stays() {
    let stream = events(&[&chunk(&json!({"content": "5"})), "[DONE]"]);
    let fake = Fake::start(stream, Ending::Hang).await;
    assert_eq!(ask("openai-compatible", &fake).await.expect("a turn").text, "5");
}

#[tokio::test]
async fn an_unstreamed_answer_is_read() {
    let message = json!({"content": null, "tool_calls": [{"id": "c", "function": {"name": "math_sum", "arguments": "{"}}]});
    let whole =
        json!({"id": "r", "choices": [{"message": message, "finish_reason": "tool_calls"}]});
    let fake = Fake::start(answer("200 OK", "application/json", &whole.to_string()), Ending::Close);
    let fake = fake.await;
    let turn = ask("openai-compatible", &fake).await.expect("a turn");
    assert!(turn.tool_calls[0].arguments.is_err());
    assert_eq!(turn.tool_calls[0].arguments_text, "{");
}

#[tokio::test]
async fn a_stream_without_content_type_and_last_blank_line_is_read() {
    let body = format!("data: {}\n\ndata: [DONE]", chunk(&json!({"content": "5"})));
    let fake = Fake::start(answer("200 OK", "text/plain", &body), Ending::Close).await;
    assert_eq!(ask("openai-compatible", &fake).await.expect("a turn").text, "5");
}
