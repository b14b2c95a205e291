use howfar_wire::vocabulary::{FailureCategory, Stage, StageReason};
use serde_json::{Value, json};

use super::*;
use crate::fixture::{broke, case, report};

/// A trial of one step with a model answer and a call that failed.
fn evidence() -> TrialEvidence<'static> {
    let span = |id: &str, parent: Value, category: &str, name: &str, more: Value| {
        let mut span = json!({"id": id, "parentId": parent, "name": name, "category": category,
            "startMs": 1.5, "endMs": 40.0, "promptIndex": 0, "stepIndex": 0, "status": "ok"});
        let more = more.as_object().cloned().unwrap_or_default();
        span.as_object_mut().expect("an object").extend(more);
        span
    };
    let timeline = json!([
        span("s", Value::Null, "step", "Step 1", json!({})),
        span(
            "m",
            json!("s"),
            "llm",
            "Model",
            json!({"modelId": "openai/gpt-x", "inputTokens": 7, "outputTokens": 3, "finishReason": "tool"})
        ),
        span(
            "c",
            json!("s"),
            "tool",
            "find",
            json!({"toolCallId": "k1", "toolName": "find", "serverId": "shop", "mcpErrorCode": -32602, "status": "error"})
        ),
        span("e", Value::Null, "error", "secret words", json!({"status": "error"})),
    ]);
    let text = json!({
        "schemaVersion": 1, "kind": "trial-evidence", "runId": "run-1", "suiteId": "hotels",
        "caseId": "a", "title": "T", "iterationNumber": 1, "model": "openai/gpt-x",
        "authored": {"mode": "model_driven"}, "evidence": {}, "iteration": {"status": "completed"},
        "case": {}, "transcript": {
            "toolCalls": [{"toolName": "find", "toolCallId": "k1", "arguments": {"q": "secret question"}}],
            "toolResults": [{"toolName": "find", "toolCallId": "k1", "text": "secret result"}],
            "finalAssistantMessage": "secret answer"},
        "messages": [{"role": "user", "content": "secret prompt"}], "timeline": timeline,
        "durationMs": 50.0,
    })
    .to_string();
    let document: TrialEvidence<'_> =
        serde_json::from_str(&text).expect("the fixture is an evidence document");
    document.into_owned()
}

fn traces(content: TraceContent) -> Value {
    let failed = broke(Stage::Call, StageReason::ToolError, FailureCategory::ServerData);
    let report = report(vec![case("a", "A", vec![failed])]);
    let mut traces = OtlpTraces::new(&report, content);
    traces.add(&evidence());
    serde_json::from_str(&traces.finish()).expect("the document is JSON")
}

/// The spans, each with its attributes as one object.
fn spans(traces: &Value) -> Vec<Value> {
    let spans = traces["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array();
    spans.cloned().unwrap_or_default()
}

fn attribute<'a>(span: &'a Value, key: &str) -> &'a Value {
    let attributes = span["attributes"].as_array().into_iter().flatten();
    attributes
        .into_iter()
        .find(|pair| pair["key"] == key)
        .map_or(&Value::Null, |pair| &pair["value"])
}

#[test]
fn a_trial_is_one_trace_under_one_root() {
    let spans = spans(&traces(TraceContent::Off));
    let parents: Vec<Option<usize>> = spans
        .iter()
        .map(|span| spans.iter().position(|other| other["spanId"] == span["parentSpanId"]))
        .collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0)]);
    assert!(spans.iter().all(|span| span["traceId"] == spans[0]["traceId"]));
    let names: Vec<_> = spans.iter().filter_map(|span| span["name"].as_str()).collect();
    assert_eq!(names, ["trial a 1", "step 1", "chat openai/gpt-x", "execute_tool find", "error"]);
}

#[test]
fn identifiers_and_times_are_text_of_the_encoding() {
    for span in spans(&traces(TraceContent::Off)) {
        let hex = |key: &str, digits: usize| {
            let text = span[key].as_str().unwrap_or_default();
            text.len() == digits && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
        };
        assert!(hex("traceId", 32) && hex("spanId", 16), "{span}");
        let time = |key: &str| span[key].as_str().and_then(|text| text.parse::<u64>().ok());
        assert!(time("startTimeUnixNano") < time("endTimeUnixNano"), "{span}");
        assert!(!span.to_string().contains("null"), "{span}");
    }
    let first = &spans(&traces(TraceContent::Off))[1];
    assert_eq!(first["startTimeUnixNano"], "1767323045001500000");
}

#[test]
fn a_call_says_which_tool_of_which_server_and_how_it_ended() {
    let call = &spans(&traces(TraceContent::Off))[3];
    assert_eq!(attribute(call, "gen_ai.tool.name")["stringValue"], "find");
    assert_eq!(attribute(call, "howfar.server")["stringValue"], "shop");
    assert_eq!(attribute(call, "rpc.jsonrpc.error_code")["intValue"], "-32602");
    assert_eq!((&call["kind"], &call["status"]["code"]), (&json!(3), &json!(2)));
}

#[test]
fn the_root_says_what_was_measured() {
    let root = &spans(&traces(TraceContent::Off))[0];
    assert_eq!(attribute(root, "howfar.stage.discovery")["stringValue"], "passed");
    assert_eq!(attribute(root, "howfar.first_failed_stage")["stringValue"], "call");
    assert_eq!(attribute(root, "howfar.stage.userValue")["stringValue"], "notReached");
}

#[test]
fn nothing_that_was_said_is_there_unless_asked_for() {
    let silent = traces(TraceContent::Off).to_string();
    assert!(!silent.contains("secret"), "{silent}");
    let told = traces(TraceContent::On).to_string();
    for words in ["question", "result", "answer", "prompt", "words"] {
        assert!(told.contains(&format!("secret {words}")), "{words}: {told}");
    }
}
