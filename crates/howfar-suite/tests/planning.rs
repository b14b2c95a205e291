//! From a suite to plans and refusals, through the public functions.

use howfar_suite::plan::{
    ModelSettings, PlanOptions, PlannedAction, PredicateOrigin, check_target, missing_import_tools,
    plan_cases, plan_models, select_cases,
};
use howfar_suite::{ResolvedSuite, case_content_hash, case_set_fingerprint, parse_suite, resolve};
use howfar_wire::chain::AuthoredMode;
use howfar_wire::finding::Refusal;
use howfar_wire::suite::CaseId;
use howfar_wire::vocabulary::{PredicateKind, ProblemReason, RefusalCode};
use serde_json::{Value, json};

fn suite(defaults: &Value, cases: &Value) -> ResolvedSuite {
    let mut whole =
        json!({"model": "scripted/s", "iterations": 1, "passThreshold": 1, "validity": {}});
    for (key, value) in defaults.as_object().into_iter().flatten() {
        whole[key] = value.clone();
    }
    let text = json!({
        "schemaVersion": "2", "mode": "agentWorkflow", "reportingMode": "standard",
        "suite": {"id": "s", "name": "s"}, "target": {"servers": [{"name": "s"}]},
        "defaults": whole, "cases": cases,
    });
    let parse = parse_suite(&text.to_string());
    resolve(parse.suite().unwrap_or_else(|| panic!("{:?}", parse.findings())))
}

fn case(steps: &Value) -> Value {
    json!([{"id": "c", "title": "c", "steps": steps}])
}

fn prompt(id: &str) -> Value {
    json!({"id": id, "kind": "prompt", "prompt": "hello"})
}

fn assert_step(id: &str, assertion: &Value) -> Value {
    json!({"id": id, "kind": "assert", "assertion": assertion})
}

fn reasons(refusal: &Refusal) -> Vec<ProblemReason> {
    refusal.problems.iter().filter_map(|problem| problem.reason).collect()
}

#[test]
fn steps_keep_their_positions_and_turns() {
    let call = json!({"type": "toolCalledWith", "toolName": "t", "args": {"args": {}}});
    let errors = json!({"type": "noToolErrors"});
    let steps = json!([
        prompt("p1"), assert_step("a1", &call), prompt("p2"), assert_step("a2", &errors),
        {"id": "k", "kind": "toolCall", "serverName": "s", "toolName": "t", "arguments": {"a": 1}},
    ]);
    let suite = suite(&json!({}), &case(&steps));
    let plans = plan_cases(&suite, &[&suite.cases[0]], &PlanOptions::default()).expect("a plan");
    let turns: Vec<_> = plans[0].steps.iter().map(|step| (step.position, step.turn)).collect();
    assert_eq!(turns, [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)]);
    assert_eq!(plans[0].turns[0].expected.len(), 1);
    assert!(plans[0].turns[2].pinned);
    assert_eq!(plans[0].steps[3].action, PlannedAction::Check { predicate: 0 });
    assert_eq!(plans[0].mode, AuthoredMode::ModelDriven);
}

#[test]
fn an_assertion_before_any_prompt_opens_a_turn_of_its_own() {
    let steps = json!([assert_step("a", &json!({"type": "noToolErrors"})), prompt("p")]);
    let suite = suite(&json!({}), &case(&steps));
    let plans = plan_cases(&suite, &[&suite.cases[0]], &PlanOptions::default()).expect("a plan");
    assert_eq!(plans[0].turns[0].opened_by, None);
    assert_eq!(plans[0].turns[1].prompt.as_deref(), Some("hello"));
}

#[test]
fn standard_checks_come_last_and_can_be_suppressed() {
    let cases = json!([{
        "id": "c", "title": "c", "steps": [prompt("p")], "assertions": [{"type": "noToolErrors"}],
        "suppressedSuiteStandardCheckIds": ["response.size"],
    }]);
    let suite = suite(&json!({}), &cases);
    let options = PlanOptions { standard_checks: true, ..PlanOptions::default() };
    let plans = plan_cases(&suite, &[&suite.cases[0]], &options).expect("a plan");
    assert_eq!(plans[0].predicates[0].origin, PredicateOrigin::Case { position: 0 });
    assert_eq!(plans[0].predicates.len(), 15);
    let kinds = || plans[0].predicates.iter().map(|it| it.predicate.kind());
    assert!(!kinds().any(|kind| kind == PredicateKind::ToolResultSizeUnder));
}

#[test]
fn everything_that_cannot_run_is_listed_together() {
    let steps = json!([
        prompt("p"),
        {"id": "i", "kind": "interact", "toolName": "w", "action": {"kind": "wait", "ms": 1}},
        assert_step("w", &json!({"kind": "textVisible", "toolName": "w", "text": "x"})),
        assert_step("r", &json!({"type": "widgetRendered"})),
        assert_step("k", &json!({"type": "turnCountUnder", "turns": 2})),
    ]);
    let suite = suite(&json!({}), &case(&steps));
    let options = PlanOptions { supported_kinds: &[], ..PlanOptions::default() };
    let refusal = plan_cases(&suite, &[&suite.cases[0]], &options).expect_err("refused");
    assert_eq!(refusal.code, RefusalCode::CaseUnsupported);
    let expected = [
        ProblemReason::InteractStep,
        ProblemReason::WidgetAssertion,
        ProblemReason::RenderAssertion,
        ProblemReason::PredicateKind,
    ];
    assert_eq!(reasons(&refusal), expected);
    assert_eq!(refusal.problems[3].step_index, Some(4));
}

#[test]
fn gating_judges_alone_have_a_code_of_their_own() {
    let judge = json!({"judge": {"autoRun": true, "role": "required", "model": "scripted/j"}});
    let suite = suite(&judge, &case(&json!([prompt("p")])));
    let options = PlanOptions { gating_judge: false, ..PlanOptions::default() };
    let refusal = plan_cases(&suite, &[&suite.cases[0]], &options).expect_err("refused");
    assert_eq!(refusal.code, RefusalCode::JudgeUnsupported);
    assert!(plan_cases(&suite, &[&suite.cases[0]], &PlanOptions::default()).is_ok());
}

#[test]
fn a_selection_runs_in_file_order_and_names_what_is_wrong() {
    let one = |id: &str, disabled: bool| json!({"id": id, "title": id, "steps": [prompt("p")], "disabled": disabled});
    let suite = suite(&json!({}), &json!([one("a", false), one("b", false), one("off", true)]));
    let ids = |ids: &[&str]| ids.iter().map(|id| CaseId((*id).to_owned())).collect::<Vec<_>>();
    let (selected, selection) = select_cases(&suite, Some(&ids(&["b", "a"]))).expect("selected");
    assert_eq!(selected.iter().map(|case| case.id.0.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(selection.skipped[0].reason, "disabled");
    let refusal = select_cases(&suite, Some(&ids(&["x", "a", "a", "off"]))).expect_err("refused");
    let expected =
        [ProblemReason::UnknownCase, ProblemReason::RepeatedCase, ProblemReason::DisabledCase];
    assert_eq!(reasons(&refusal), expected);
    assert_eq!(
        reasons(&select_cases(&suite, Some(&[])).expect_err("refused")),
        [ProblemReason::EmptySelection]
    );
}

#[test]
fn a_target_needs_servers_with_names_of_their_own() {
    let target = |value: Value| serde_json::from_value(value).expect("a target");
    let refusal = check_target(&target(json!({"environment": "lab"}))).expect_err("refused");
    assert_eq!(reasons(&refusal), [ProblemReason::EnvironmentOnlyTarget]);
    let names = json!({"servers": [{"name": "a"}, {"name": " "}, {"name": "a"}]});
    let refusal = check_target(&target(names)).expect_err("refused");
    assert_eq!(
        reasons(&refusal),
        [ProblemReason::BlankServerName, ProblemReason::DuplicateServerName]
    );
}

#[test]
fn a_conflict_wins_over_an_unsupported_model() {
    let cases = json!([
        {"id": "a", "title": "a", "steps": [prompt("p")], "model": "azure/x"},
        {"id": "b", "title": "b", "steps": [prompt("p")], "model": "openai/x"},
    ]);
    let suite = suite(&json!({"model": "m", "provider": "azure"}), &cases);
    let cases: Vec<_> = suite.cases.iter().collect();
    let refusal = plan_models(&cases, &ModelSettings::default()).expect_err("refused");
    assert_eq!(refusal.code, RefusalCode::InferenceConflict);
    assert_eq!(refusal.problems.len(), 2);
}

#[test]
fn imported_cases_name_tools_that_exist() {
    let call = json!({"type": "toolCalledWith", "toolName": "gone", "args": {"args": {}}});
    let suite = suite(&json!({}), &case(&json!([prompt("p"), assert_step("a", &call)])));
    let plans = plan_cases(&suite, &[&suite.cases[0]], &PlanOptions::default()).expect("a plan");
    let refusal = missing_import_tools(&[&plans[0]], &["here"].into()).expect_err("refused");
    assert_eq!(reasons(&refusal), [ProblemReason::ToolNotInSnapshot]);
    assert!(missing_import_tools(&[&plans[0]], &["gone"].into()).is_ok());
}

#[test]
fn a_case_is_the_same_case_under_other_ids_counts_and_checks() {
    let plain = suite(&json!({}), &case(&json!([prompt("p")])));
    let dressed = suite(
        &json!({"iterations": 9}),
        &json!([{"id": "d", "title": "c", "steps": [prompt("q")], "assertions": [{"type": "noToolErrors"}]}]),
    );
    let retitled =
        suite(&json!({}), &json!([{"id": "c", "title": "other", "steps": [prompt("p")]}]));
    let hash = |suite: &ResolvedSuite| case_content_hash(&suite.cases[0]);
    assert_eq!(hash(&plain), hash(&dressed));
    assert_ne!(hash(&plain), hash(&retitled));
    assert_ne!(case_set_fingerprint(&plain.cases), case_set_fingerprint(&dressed.cases));
}
