//! The reference server over its transports, and real HTTP fakes of model providers.

use howfar_testkit::peers;
use serde_json::{Value, json};

use crate::support::{Bench, only_trial, stage};

const SUM: &str = "\
  - id: c_sum
    title: Adds
    steps:
      - { id: p, kind: prompt, prompt: what is 2 plus 3 }
      - { id: r, kind: assert, assertion: { type: toolCalledWith, toolName: TOOL, args: { args: { a: 2, b: 3 } } } }
    assertions: [ { type: responseContains, needle: \"5\" }, { type: argumentsMatchToolSchema } ]
  - id: c_direct
    title: Echoes directly
    steps:
      - { id: c, kind: toolCall, serverName: server, toolName: echo, arguments: { message: hello } }
      - { id: a, kind: assert, assertion: { type: toolResultContains, needle: hello } }
";

const SCRIPT: &str = "\
scripts:
  - turns:
      - call: { tool: get-sum, arguments: { a: 2, b: 3 } }
      - say: \"It is 5.\"
";

fn sum(tool: &str) -> String {
    SUM.replace("TOOL", tool)
}

#[test]
fn stdio_passes() {
    let Some(server) = peers::node("everything") else { return };
    let output = Bench::new(&[("server", server)], "scripted/script", &sum("get-sum"))
        .script(SCRIPT)
        .run(&[]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let report = output.json();
    assert_eq!(
        report["summary"],
        json!({
            "total": 2, "passed": 2, "failed": 0,
            "byCategory": { "eval-case": { "total": 2, "passed": 2, "failed": 0 } },
        })
    );
    assert_eq!(report["metadata"]["execution"]["servers"][0]["protocolVersion"], "2025-11-25");
}

#[test]
fn streamable_http_passes() {
    let Some(peer) = peers::everything_http() else { return };
    let bench =
        Bench::over_http(&peer.url("/mcp"), "scripted/script", &sum("get-sum")).script(SCRIPT);
    let output = bench.run(&[]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
}

#[test]
fn the_older_sse_transport_passes() {
    let Some(peer) = peers::everything_sse() else { return };
    let bench =
        Bench::over_http(&peer.url("/sse"), "scripted/script", &sum("get-sum")).script(SCRIPT);
    let output = bench.run(&[]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
}

#[test]
fn another_expected_tool_fails_selection() {
    let Some(server) = peers::node("everything") else { return };
    let output =
        Bench::new(&[("server", server)], "scripted/script", &sum("echo")).script(SCRIPT).run(&[]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let report = output.json();
    assert_eq!(stage(only_trial(&report), 2), ("failed", "missingToolCall"));
}

const TWO_CASES: &str = "\
  - id: c_sum
    title: Adds
    steps:
      - { id: p, kind: prompt, prompt: please use get_sum for 2 and 3 }
      - { id: r, kind: assert, assertion: { type: toolCalledWith, toolName: get-sum, args: { args: { a: 2, b: 3 } } } }
    assertions: [ { type: responseContains, needle: \"5\" } ]
  - id: c_talk
    title: Talks
    steps: [ { id: p, kind: prompt, prompt: say hello } ]
    assertions: [ { type: responseContains, needle: hello } ]
";

fn fixtures(bench: &Bench) -> std::path::PathBuf {
    let sum = json!({ "name": "get-sum", "arguments": "{\"a\":2,\"b\":3}" });
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 });
    let fixtures = json!({ "fixtures": [
        { "match": { "userMessage": "get_sum", "hasToolResult": false }, "response": { "toolCalls": [sum], "usage": usage } },
        { "match": { "userMessage": "get_sum", "hasToolResult": true }, "response": { "content": "The sum is 5." } },
        { "match": { "userMessage": "say hello" }, "response": { "content": "hello" } },
    ]});
    bench.home.write("fixtures.json", &fixtures.to_string())
}

/// Runs the two cases on a fake provider; `None` without peers.
fn on_provider(model: &str, path: &str, flags: &[&str]) -> Option<(Option<i32>, Value)> {
    let server = peers::node("everything")?;
    let bench = Bench::new(&[("server", server)], model, TWO_CASES);
    let provider = peers::aimock(&fixtures(&bench), flags)?;
    let output = bench
        .home
        .invoke(crate::support::howfar())
        .args(["run", "suite.yaml", "--base-url", &provider.url(path)])
        .env("OPENAI_API_KEY", "sk-test-key-of-no-one")
        .env("ANTHROPIC_API_KEY", "sk-test-key-of-no-one")
        .run();
    Some((output.code, output.json()))
}

#[test]
fn the_chat_wire_passes_and_records_usage() {
    let Some((code, report)) = on_provider("openai/gpt-test", "/v1", &[]) else { return };
    assert_eq!(code, Some(0), "{report}");
    assert!(
        only_trial(&report)["tokens"]["total"].as_u64().is_some_and(|total| total > 0),
        "{report}"
    );
}

#[test]
fn the_messages_wire_passes_and_records_usage() {
    let Some((code, report)) = on_provider("anthropic/claude-test", "", &[]) else { return };
    assert_eq!(code, Some(0), "{report}");
    assert!(only_trial(&report)["tokens"]["total"].is_u64(), "{report}");
}

#[test]
fn a_rate_limit_is_a_provider_error_and_never_1() {
    let Some((code, report)) = on_provider("openai/gpt-test", "/v1", &["--chaos-ratelimit", "1"])
    else {
        return;
    };
    assert_eq!(code, Some(5), "{report}");
    let trial = only_trial(&report);
    assert_eq!(
        (trial["status"].as_str(), trial["refusal"].as_str()),
        (Some("failed"), Some("rateLimited"))
    );
    assert_eq!(stage(trial, 2), ("notMeasured", "providerError"));
    assert_eq!(
        report["metadata"]["decision"]["cases"][0]["passRate"]["exclusions"]["executionFailed"],
        1
    );
}

#[test]
fn a_disconnect_is_a_provider_error_and_never_1() {
    let Some((code, report)) =
        on_provider("anthropic/claude-test", "", &["--chaos-disconnect", "1"])
    else {
        return;
    };
    assert_eq!(code, Some(5), "{report}");
    assert_eq!(stage(only_trial(&report), 2), ("notMeasured", "providerError"));
}
