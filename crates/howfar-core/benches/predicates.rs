//! Evaluating every kind of check over a transcript of 200 calls, and compiling the checks.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use howfar_core::matching::match_tool_calls;
use howfar_core::predicate::{CompiledChecks, EvaluationContext, Predicate, evaluate_all};
use howfar_wire::matching::MatchOptions;
use howfar_wire::transcript::{ToolCall, Transcript};
use serde_json::{Value, json};

const CALLS: usize = 200;
const TOOLS: usize = 40;

fn evaluation(c: &mut Criterion) {
    let transcript = transcript();
    let authored = checks();
    let compiled: Vec<Predicate> = authored.iter().map(Predicate::compile).collect();
    let context = EvaluationContext::new();
    c.bench_function("predicates/compile-all-kinds", |b| {
        b.iter(|| authored.iter().map(Predicate::compile).collect::<Vec<_>>());
    });
    // In a run nothing is compiled twice: with every check known, a case costs the look-ups alone, and a trial whose
    // tools' schemas are known costs the evaluation alone.
    let mut checks = CompiledChecks::default();
    c.bench_function("predicates/compile-all-kinds-again", |b| {
        b.iter(|| authored.iter().map(|check| checks.compile(check)).collect::<Vec<_>>());
    });
    let arguments = json!({"type": "argumentsMatchToolSchema"});
    let arguments = [Predicate::compile(&arguments)];
    c.bench_function("predicates/argumentsMatchToolSchema-first-trial", |b| {
        b.iter(|| evaluate_all(black_box(&arguments), &transcript, &EvaluationContext::new()));
    });
    c.bench_function("predicates/evaluate-all-kinds-200-calls", |b| {
        b.iter(|| evaluate_all(black_box(&compiled), black_box(&transcript), &context));
    });
    for (predicate, authored) in compiled.iter().zip(&authored) {
        let name = authored["type"].as_str().expect("every check has a type");
        let one = std::slice::from_ref(predicate);
        c.bench_function(&format!("predicates/{name}"), |b| {
            b.iter(|| evaluate_all(black_box(one), black_box(&transcript), &context));
        });
    }
}

fn matcher(c: &mut Criterion) {
    let actual = calls();
    let expected: Vec<ToolCall> = actual.iter().rev().step_by(2).cloned().collect();
    let options = MatchOptions::default();
    c.bench_function("predicates/matcher-100-of-200", |b| {
        b.iter(|| match_tool_calls(black_box(&expected), black_box(&actual), &options, false));
    });
}

fn calls() -> Vec<ToolCall> {
    let call = |at: usize| ToolCall {
        tool_name: tool_name(at),
        arguments: json!({"query": format!("item {at}"), "limit": 10, "filter": {"open": true}}),
        tool_call_id: Some(format!("call-{at}")),
    };
    (0..CALLS).map(call).collect()
}

fn tool_name(at: usize) -> String {
    format!("tool_{}", at % TOOLS)
}

fn transcript() -> Transcript {
    let schema = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "filter": {"type": "object", "properties": {"open": {"type": "boolean"}}},
        },
        "required": ["query"],
    });
    let tool = |at: usize| {
        json!({
            "name": tool_name(at),
            "description": format!("Looks for items of collection {at}"),
            "inputSchema": schema,
            "annotations": {"readOnlyHint": true, "destructiveHint": false},
        })
    };
    let declaration = |at: usize| {
        let mut declaration = tool(at);
        declaration["serverKey"] = json!("main");
        declaration["outputSchema"] = json!({"type": "object"});
        declaration
    };
    let result = |at: usize| {
        json!({
            "toolName": tool_name(at),
            "toolCallId": format!("call-{at}"),
            "text": "found an item in the collection. ".repeat(20),
            "structuredContent": {"items": vec![json!({"id": at}); 10], "nextCursor": "c"},
            "size": {"bytes": 700 + at, "basis": "raw_result", "complete": true},
        })
    };
    let timing =
        |at: usize| json!({"toolName": tool_name(at), "durationMs": at, "provenance": "span"});
    let value = json!({
        "toolCalls": calls(),
        "toolErrors": [],
        "finalAssistantMessage": "The items are listed above. ".repeat(40),
        "usage": {"inputTokens": 900, "outputTokens": 300},
        "turnCount": 3,
        "toolResults": (0..CALLS).map(result).collect::<Vec<_>>(),
        "toolCallTimings": (0..CALLS).map(timing).collect::<Vec<_>>(),
        "toolInventory": (0..TOOLS).map(tool).collect::<Vec<_>>(),
        "toolDeclarations": (0..TOOLS).map(declaration).collect::<Vec<_>>(),
        "renderObservations": [{"toolName": "tool_1", "status": "rendered", "elapsedMs": 20}],
        "capture": {
            "toolResults": "complete",
            "toolCallTimings": "complete",
            "toolInventory": "complete",
            "toolDeclarations": "complete",
        },
    });
    serde_json::from_value(value).expect("the transcript is well formed")
}

/// One check per kind, most of which hold, so that everything is read.
fn checks() -> Vec<Value> {
    let names: Vec<String> = (0..TOOLS).map(tool_name).collect();
    vec![
        json!({"type": "toolDescriptionsPresent"}),
        json!({"type": "toolAnnotationsPresent"}),
        json!({"type": "toolNamesUnique"}),
        json!({"type": "noDeprecatedToolExposed", "role": "advisory"}),
        json!({"type": "toolInputSchemasWellFormed"}),
        json!({"type": "toolOutputSchemasPresent"}),
        json!({"type": "toolCalledWith", "toolName": "tool_3", "args": {"args": {"limit": 10}}}),
        json!({"type": "toolCalledAtLeastOnce", "toolName": "tool_3"}),
        json!({"type": "toolNeverCalled", "toolName": "delete"}),
        json!({"type": "onlyToolsCalled", "toolNames": names}),
        json!({"type": "firstToolWas", "toolName": "tool_0"}),
        json!({"type": "responseCloseTo", "reference": "The items are listed.", "maxDistance": 0.9}),
        json!({"type": "responseContains", "needle": "LISTED"}),
        json!({"type": "responseMatches", "pattern": r"\bnothing\b"}),
        json!({"type": "noToolErrors"}),
        json!({"type": "finalAssistantMessageNonEmpty"}),
        json!({"type": "tokenBudgetUnder", "tokens": 5000}),
        json!({"type": "widgetRendered"}),
        json!({"type": "widgetRenderLatencyUnder", "ms": 100}),
        json!({"type": "widgetNoConsoleErrors"}),
        json!({"type": "turnCountUnder", "turns": 6}),
        json!({"type": "noEndingQuestion", "role": "advisory"}),
        json!({"type": "toolLatencyUnder", "ms": 5000}),
        json!({"type": "toolResultContains", "needle": "no such text"}),
        json!({"type": "toolResultMatchesSchema", "schema": {"type": "object", "required": ["items"]}}),
        json!({"type": "toolResultSizeUnder", "maxBytes": 64000}),
        json!({"type": "argumentsMatchToolSchema"}),
        json!({"type": "noRepeatedIdenticalCall", "role": "advisory"}),
        json!({"type": "toolCallCountUnder", "count": 500}),
        json!({"type": "toolCalledBefore", "toolName": "tool_0", "beforeToolName": "tool_9"}),
        json!({"type": "noDeprecatedToolCalled", "role": "advisory"}),
        json!({"type": "noDestructiveToolCalled"}),
        json!({"type": "toolErrorNamesInput", "role": "advisory"}),
        json!({"type": "fullPageHasContinuation", "role": "advisory"}),
        json!({"type": "toolInputMatches", "toolName": "tool_3", "patterns": ["item \\d+"]}),
        json!({"type": "toolResultMatches", "patterns": ["collection"], "min": 200}),
    ]
}

criterion_group!(benches, evaluation, matcher);
criterion_main!(benches);
