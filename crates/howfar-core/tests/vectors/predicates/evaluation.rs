//! Evaluation of checks, lists and turns.

use howfar_core::predicate::schema::{CompiledSchema, SchemaError};
use howfar_core::predicate::{
    CaseVerdictInput, DistanceOptions, EvaluationContext, Predicate, TurnChecks, case_passes,
    gate_passes, response_distance,
};
use howfar_wire::predicate::PredicateRow;
use howfar_wire::transcript::Transcript;
use serde_json::{Map, Value, json};

use super::{input, read, same};

/// One check over one transcript.
pub(super) fn evaluate(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let expect = &vector["expect"];
    let check = Predicate::compile(&input["predicate"]);
    let transcript = read(&input["transcript"])?;
    let row = howfar_core::predicate::evaluate(&check, &transcript, &EvaluationContext::new());
    same(&json!(row.passed), &expect["passed"])?;
    same(&json!(row.status), expect.get("status").unwrap_or(&Value::Null))?;
    same(&row.predicate, expect.get("predicate").unwrap_or(&input["predicate"]))?;
    if let Some(prefix) = expect.get("reasonPrefix").and_then(Value::as_str)
        && !row.reason.starts_with(prefix)
    {
        return Err(format!("{:?} does not start with {prefix:?}", row.reason));
    }
    match expect.get("reason") {
        Some(reason) if expect.get("engineText") != Some(&json!(true)) => {
            same(&json!(row.reason), reason)
        }
        _ => Ok(()),
    }
}

/// A list of checks and its gate.
pub(super) fn evaluate_all(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let transcript = read(&input["transcript"])?;
    let rows = howfar_core::predicate::evaluate_all(
        &compiled(&input["predicates"]),
        &transcript,
        &EvaluationContext::new(),
    );
    let found = json!({
        "rows": rows.iter().map(shown).collect::<Vec<_>>(),
        "allPassed": gate_passes(&rows),
    });
    same(&found, &vector["expect"])
}

/// Checks of turns.
pub(super) fn evaluate_turns(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let turns = input["turns"].as_array().into_iter().flatten();
    let turns: Vec<(u64, Vec<Predicate>, Transcript)> = turns
        .map(|turn| {
            let index = turn["promptIndex"].as_u64().unwrap_or_default();
            Ok((index, compiled(&turn["checks"]), read(&turn["transcript"])?))
        })
        .collect::<Result<_, String>>()?;
    let turns: Vec<TurnChecks<'_>> = turns
        .iter()
        .map(|(prompt_index, checks, transcript)| TurnChecks {
            prompt_index: *prompt_index,
            checks,
            transcript,
        })
        .collect();
    let rows = howfar_core::predicate::evaluate_turns(&turns, &EvaluationContext::new());
    let rows: Vec<Value> = rows.iter().map(shown).collect();
    same(&json!({ "rows": rows }), &vector["expect"])
}

/// The distance between two texts.
pub(super) fn distance(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let text = |key: &str| input[key].as_str().unwrap_or_default().to_owned();
    let flag = |key: &str| input["options"][key] == json!(true);
    let options = DistanceOptions {
        case_sensitive: flag("caseSensitive"),
        normalize_whitespace: flag("normalizeWhitespace"),
    };
    let found = match response_distance(&text("message"), &text("reference"), options) {
        Ok(distance) => json!({ "distance": distance }),
        Err(_) => json!({"error": true}),
    };
    same(&found, &vector["expect"])
}

pub(super) fn compiled(checks: &Value) -> Vec<Predicate> {
    checks.as_array().into_iter().flatten().map(Predicate::compile).collect()
}

/// A row as list vectors show it: the kind in place of the check.
fn shown(row: &PredicateRow) -> Value {
    let mut shown = Map::new();
    shown.insert("type".to_owned(), row.predicate["type"].clone());
    for (key, value) in json!(row).as_object().into_iter().flatten() {
        if key != "predicate" {
            shown.insert(key.clone(), value.clone());
        }
    }
    Value::Object(shown)
}

/// Whether a case passes.
pub(super) fn case_verdict(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let rows: Vec<PredicateRow> = match input.get("predicateResults") {
        None => Vec::new(),
        Some(rows) => read(rows)?,
    };
    let passed = case_passes(&CaseVerdictInput {
        match_passed: input["matchPassed"] == json!(true),
        rows: &rows,
        fail_on_tool_error: input["failOnToolError"] != json!(false),
        iteration_error: input["iterationError"].as_str(),
        trace_failed: input["traceFailed"] == json!(true),
    });
    same(&json!(passed), &vector["expect"]["passed"])
}

/// Validation against a schema: the outcome alone, the list is the engine's.
pub(super) fn schema(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let compiled = CompiledSchema::new(&input["schema"]);
    let outcome = match compiled.and_then(|schema| schema.violations(&input["instance"])) {
        Err(SchemaError::UnsupportedDialect(_)) => "unsupported-dialect",
        Err(SchemaError::Unusable(_)) => "unusable-schema",
        Ok(violations) if violations.is_empty() => "valid",
        Ok(_) => "invalid",
    };
    same(&json!(outcome), &vector["expect"]["outcome"])
}
