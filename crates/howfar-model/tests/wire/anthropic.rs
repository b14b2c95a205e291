//! The messages wire: good answers and its own error events.

use howfar_model::ModelErrorKind;
use howfar_wire::vocabulary::RefusalKind;
use serde_json::json;

use crate::fake::{Ending, Fake, KEY, ask, events};

fn start() -> String {
    let usage = json!({"input_tokens": 12, "output_tokens": 1});
    let message = json!({"id": "msg_1", "model": "exact", "usage": usage});
    json!({"type": "message_start", "message": message}).to_string()
}

#[tokio::test]
async fn a_streamed_call_keeps_its_text_and_its_name() {
    let block = json!({"type": "tool_use", "id": "t1", "name": "math_sum", "input": {}});
    let delta = json!({"type": "input_json_delta", "partial_json": "{\"a\":  2"});
    let pieces = [
        start(),
        json!({"type": "ping"}).to_string(),
        json!({"type": "content_block_start", "index": 0, "content_block": block}).to_string(),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}).to_string(),
        json!({"type": "content_block_stop", "index": 0}).to_string(),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 8}})
            .to_string(),
        json!({"type": "message_stop"}).to_string(),
    ];
    let fake = Fake::start(events(&pieces.each_ref().map(String::as_str)), Ending::Hang).await;
    let turn = ask("anthropic", &fake).await.expect("a turn");
    assert_eq!(turn.tool_calls[0].name, "math.sum");
    assert_eq!(turn.tool_calls[0].arguments_text, "{\"a\":  2");
    assert!(turn.tool_calls[0].arguments.is_err());
    assert_eq!(turn.usage.map(|usage| (usage.input, usage.output)), Some((12, 8)));
    assert_eq!(turn.finish_reason.as_deref(), Some("tool_use"));
}

#[tokio::test]
async fn the_request_names_version_key_and_limit() {
    let stream = events(&[&start(), &json!({"type": "message_stop"}).to_string()]);
    let fake = Fake::start(stream, Ending::Close).await;
    ask("anthropic", &fake).await.expect("a turn");
    let (head, body) = (fake.head(), fake.body());
    assert!(head.starts_with("POST /v1/messages HTTP/1.1"), "{head}");
    assert!(head.contains("anthropic-version: 2023-06-01"), "{head}");
    assert!(head.contains(&format!("x-api-key: {KEY}")), "{head}");
    assert_eq!(body["max_tokens"], 4096);
    assert_eq!(body["system"], "be brief");
    assert_eq!(body["tools"][0]["name"], "math_sum");
}

#[tokio::test]
async fn an_overload_inside_the_stream_is_an_outage() {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    let fake = Fake::start(events(&[&start(), &error.to_string()]), Ending::Close).await;
    let error = ask("anthropic", &fake).await.expect_err("an error event");
    assert_eq!(error.kind, ModelErrorKind::Refused(RefusalKind::Unavailable));
    assert_eq!(error.code.as_deref(), Some("overloaded_error"));
}

#[tokio::test]
async fn a_stream_without_its_end_broke_off() {
    let fake = Fake::start(events(&[&start()]), Ending::Close).await;
    let error = ask("anthropic", &fake).await.expect_err("no message_stop");
    assert_eq!(error.kind, ModelErrorKind::Disconnected);
}

#[tokio::test]
async fn an_end_without_a_message_is_no_answer() {
    let stop = json!({"type": "message_stop"}).to_string();
    let fake = Fake::start(events(&[&stop]), Ending::Close).await;
    let error = ask("anthropic", &fake).await.expect_err("no message");
    assert_eq!(error.kind, ModelErrorKind::Malformed);
}
