//! The tool-call matcher and its relatives.

use howfar_core::matching::{
    CaseMatching, TurnExpectation, arguments_match, compile_assertions, evaluate_assertions,
    match_any_tool_call, match_case, match_no_tool_calls, match_tool_argument,
    match_tool_call_count, match_tool_call_with_args, match_tool_call_with_partial_args,
    match_tool_calls, match_tool_calls_equal, match_tool_calls_subset, resolve_match_options,
    score_text,
};
use howfar_wire::Vocabulary;
use howfar_wire::matching::ArgumentMatching;
use howfar_wire::transcript::ToolCall;
use serde_json::{Map, Value, json};

use super::{input, read, same};

/// Argument matching alone.
pub(super) fn arg_match(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let matcher = &input["matcher"];
    let mode = matcher["argumentMatching"].as_str().and_then(ArgumentMatching::from_wire);
    let mode = mode.unwrap_or(ArgumentMatching::Partial);
    let matches = arguments_match(mode, &matcher["args"], &input["actual"]);
    same(&json!({ "matches": matches }), &vector["expect"])
}

/// Options in layers.
pub(super) fn options(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let layers: Vec<Option<&Value>> =
        input["layers"].as_array().into_iter().flatten().map(Some).collect();
    let found = match resolve_match_options(&layers) {
        Ok(options) => json!(options),
        Err(_) => json!({"error": true}),
    };
    same(&found, &vector["expect"])
}

/// One turn.
pub(super) fn matcher(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let Ok(options) = resolve_match_options(&[Some(&input["options"])]) else {
        return same(&json!({"error": true}), &vector["expect"]);
    };
    let negative = input["options"]["isNegativeTest"] == json!(true);
    let result = match_tool_calls(
        &calls(&input["expected"])?,
        &calls(&input["actual"])?,
        &options,
        negative,
    );
    let mut found = json!(result);
    found["rationale"] = json!(score_text(&result));
    same(&found, &vector["expect"])
}

/// A list of calls; anything but a list is empty.
fn calls(value: &Value) -> Result<Vec<ToolCall>, String> {
    if value.is_array() { read(value) } else { Ok(Vec::new()) }
}

/// A whole case.
pub(super) fn multi_turn(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let turns: Vec<TurnExpectation> =
        input["turns"].as_array().into_iter().flatten().map(turn).collect::<Result<_, _>>()?;
    let by_turn: Vec<Vec<ToolCall>> = input["callsByTurn"]
        .as_array()
        .into_iter()
        .flatten()
        .map(calls)
        .collect::<Result<_, _>>()?;
    let matching = matching(&input["matchOptions"], &input["isNegativeTest"], &input["context"])?;
    same(&json!(match_case(&turns, &by_turn, &matching)), &vector["expect"])
}

fn turn(value: &Value) -> Result<TurnExpectation, String> {
    Ok(TurnExpectation {
        prompt: value["prompt"].as_str().unwrap_or_default().to_owned(),
        expected_tool_calls: calls(&value["expectedToolCalls"])?,
        expected_output: value["expectedOutput"].as_str().map(str::to_owned),
        pinned: ["toolCall", "pinned", "pinnedToolCall"]
            .iter()
            .any(|key| value.get(*key).is_some_and(|value| *value != json!(false))),
    })
}

fn matching(options: &Value, negative: &Value, context: &Value) -> Result<CaseMatching, String> {
    Ok(CaseMatching {
        options: resolve_match_options(&[Some(options)]).map_err(|error| error.to_string())?,
        is_negative_test: *negative == json!(true),
        skill_tools_active: context["skillToolsActive"] == json!(true),
    })
}

/// Comparisons of names.
pub(super) fn name_validators(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let names = |key: &str| -> Result<Vec<String>, String> { read(&input[key]) };
    let (expected, actual) = (names("expected")?, names("actual")?);
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    let actual: Vec<&str> = actual.iter().map(String::as_str).collect();
    let counts = expected.first().map(|first| {
        json!({
            "one": match_tool_call_count(first, &actual, 1),
            "two": match_tool_call_count(first, &actual, 2),
        })
    });
    let found = json!({
        "matchToolCalls": match_tool_calls_equal(&expected, &actual),
        "matchToolCallsSubset": match_tool_calls_subset(&expected, &actual),
        "matchAnyToolCall": match_any_tool_call(&expected, &actual),
        "matchNoToolCalls": match_no_tool_calls(&actual),
        "countOfFirst": counts,
    });
    same(&found, &vector["expect"])
}

/// Comparisons of arguments.
pub(super) fn argument_validators(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let tool = input["toolName"].as_str().unwrap_or_default();
    let calls = calls(&input["calls"])?;
    let expected: Map<String, Value> = read(&input["expected"])?;
    let argument =
        expected.iter().next().map(|(key, value)| match_tool_argument(tool, key, value, &calls));
    let found = json!({
        "exact": match_tool_call_with_args(tool, &expected, &calls),
        "partial": match_tool_call_with_partial_args(tool, &expected, &calls),
        "argument": argument,
    });
    same(&found, &vector["expect"])
}

/// One result per authored assertion.
pub(super) fn assertions(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let steps: Vec<Value> = read(&input["steps"])?;
    let by_turn: Vec<Vec<ToolCall>> = read(&input["callsByTurn"])?;
    let options = &input["options"];
    let matching =
        matching(&options["matchOptions"], &options["isNegativeTest"], &input["context"])?;
    let compiled = compile_assertions(&steps, &matching);
    let result = evaluate_assertions(&compiled, &by_turn, &matching);
    same(&json!({ "compiled": compiled, "result": result }), &vector["expect"])
}
