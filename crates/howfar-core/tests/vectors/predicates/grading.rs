//! Kinds, policy, and whether a case can fail.

use howfar_core::predicate::{
    CanFail, CaseGraders, REQUIRED_JUDGE, case_can_fail as can_fail, failed_row_reason,
    is_written_as_required, presentation_group, stored_form, warns, without_policy,
};
use howfar_wire::Vocabulary as _;
use howfar_wire::predicate::EffectiveRole;
use howfar_wire::vocabulary::PredicateKind;
use serde_json::{Value, json};

use super::evaluation::compiled;
use super::{input, same};

/// What is known about a kind.
pub(super) fn kind(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let name = input["type"].as_str().unwrap_or_default();
    let kind = PredicateKind::from_wire(name).ok_or_else(|| format!("{name} is no kind"))?;
    let found = json!({
        "link": kind.stage(),
        "observation": kind.is_observation(),
        "turnScopable": kind.is_turn_scopable(),
        "needsRenderObservations": kind.needs_render(),
        "presentationGroup": presentation_group(kind),
        "failedRowLandsAt": kind.decides_at(),
        "failedRowReason": failed_row_reason(kind),
    });
    same(&found, &vector["expect"])
}

/// Role and severity.
pub(super) fn policy(vector: &Value) -> Result<(), String> {
    let check = &input(vector)["predicate"];
    let found = json!({
        "effectiveRole": EffectiveRole::of(check),
        "severity": warns(check).then_some("warn"),
        "stripped": without_policy(check),
        "stored": stored_form(check),
        "isRequired": is_written_as_required(check),
    });
    same(&found, &vector["expect"])
}

/// Whether a case can fail.
pub(super) fn case_can_fail(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let options = &input["options"];
    let turn_checks: Vec<_> = options["turnChecks"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|turn| (turn["promptIndex"].as_u64().unwrap_or_default(), compiled(&turn["checks"])))
        .collect();
    let report = can_fail(&CaseGraders {
        is_negative_test: input["isNegativeTest"] == json!(true),
        expected_tool_calls: input["expectedToolCalls"].as_array().map_or(0, Vec::len),
        predicates: &compiled(&input["predicates"]),
        turn_checks: &turn_checks,
        user_turns: user_turns(&options["userTurns"]),
        external: &external(options),
    });
    let rows: Vec<&str> = report.rows.iter().filter_map(|row| row.kind_text()).collect();
    let found = json!({
        "verdict": report.verdict.as_str(),
        "vacuous": report.verdict == CanFail::Vacuous,
        "reason": report.reason,
        "unmeasured": report.unmeasured,
        "rows": rows,
    });
    same(&found, &vector["expect"])
}

/// Rounded down, at least 0, and 1 when absent.
fn user_turns(authored: &Value) -> u64 {
    authored.as_f64().map_or(1, |turns| turns.floor().max(0.0) as u64)
}

fn external(options: &Value) -> Vec<String> {
    let checks = options["externalChecks"].as_array().into_iter().flatten();
    let mut names: Vec<String> = checks.filter_map(Value::as_str).map(str::to_owned).collect();
    let judge = options.get("goalCompletionJudgeRole").and_then(Value::as_str);
    if judge.is_some_and(|role| role != "advisory") {
        names.push(REQUIRED_JUDGE.to_owned());
    }
    names
}
