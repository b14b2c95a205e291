//! The planning rules, one section per rule.

use std::collections::BTreeSet;

use howfar_suite::plan::{
    Approval, KeyState, ModelSettings, PlanOptions, ResolvedBudget, StatedBudgets, Surface,
    classify_refusal, exit_for_refusal, exit_for_result, has_rubric, import_decisions, plan_case,
    plan_model, policy_decision, resolve_budgets, score_goal, snapshot, snapshot_lookup,
};
use howfar_suite::{ResolvedSuite, parse_suite, resolve};
use howfar_wire::suite::ToolPolicy;
use howfar_wire::vocabulary::{ExitCode, IssueCategory, ModelProvider, RefusalKind};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::{same, section, verdict};

pub(crate) fn sections(file: &Value) -> Result<(), String> {
    let snapshots = file["toolPolicySnapshot"].clone();
    let mut failures = Vec::new();
    let mut run = |name: &str, check: &dyn Fn(&Value) -> Result<(), String>| {
        failures.extend(section("run-rules", name, &file[name], check));
    };
    run("toolPolicy", &tool_policy);
    run("toolPolicySnapshot", &|vector| tool_policy_snapshot(vector, &snapshots));
    run("goalJudge", &goal_judge);
    run("goalJudgeRubricPresence", &rubric_presence);
    run("refusal", &refusal);
    run("exitForResult", &exit_of_result);
    run("exitForRefusal", &exit_of_refusal);
    run("importEligibility", &import_eligibility);
    run("executionBudgets", &budgets);
    run("modelPlanning", &model_planning);
    run("caseMaterialization", &materialization);
    verdict(&failures)
}

fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| format!("{value}: {error}"))
}

fn tool_policy(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let policy: ToolPolicy = typed(&input["policy"])?;
    let tool = input["toolName"].as_str().unwrap_or_default();
    let found = policy_decision(&policy, tool, input.get("annotations"));
    let found = json!({
        "allowed": found.allowed,
        "reason": found.reason,
        "classification": found.classification,
    });
    same(&found, &vector["expect"])
}

fn tool_policy_snapshot(vector: &Value, all: &Value) -> Result<(), String> {
    let input = &vector["input"];
    if let Some(call) = input["call"].as_str() {
        let of =
            all.as_array().and_then(|all| all.iter().find(|it| it["id"] == input["snapshotOf"]));
        let frozen = typed(&of.ok_or("no such snapshot")?["expect"])?;
        let denied = snapshot_lookup(&frozen, call).ok_or("the call passes")?;
        let found = json!({
            "allowed": false,
            "reason": denied.reason,
            "classification": denied.classification,
        });
        return same(&found, &vector["expect"]);
    }
    let policy: ToolPolicy = typed(&input["policy"])?;
    let tools = input["tools"].as_array().or(input["toolNames"].as_array()).ok_or("no tools")?;
    let catalog: Vec<(&str, Option<&Value>)> = tools
        .iter()
        .map(|tool| {
            (tool.as_str().or(tool["name"].as_str()).unwrap_or_default(), tool.get("annotations"))
        })
        .collect();
    let found = match snapshot(&policy, &catalog) {
        Err(refusal) => json!({
            "error": refusal.code,
            "category": refusal.category,
            "phase": refusal.phase,
            "names": refusal.problems.iter().map(|it| &it.tool_name).collect::<Vec<_>>(),
            "exitCode": exit_for_refusal(refusal.category, refusal.phase).code(),
        }),
        Ok((snapshot, unmatched)) if unmatched.is_empty() => json!(snapshot),
        Ok((_, unmatched)) => json!({"warnings": unmatched.len(), "names": unmatched}),
    };
    same(&found, &vector["expect"])
}

fn goal_judge(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let threshold = input["threshold"].as_f64().unwrap_or_default();
    let found = match score_goal(&input["output"], input["hasRubric"] == true, threshold) {
        Err(_) => json!({"error": "judge_output_invalid"}),
        Ok(score) => json!({
            "score": score.score,
            "passed": score.passed,
            "verdict": score.verdict.as_str(),
            "reason": score.reason,
            "rubricHits": score.rubric_hits,
            "status": "scored",
        }),
    };
    same(&found, &vector["expect"])
}

fn rubric_presence(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let rubric = input.get("suiteRubric").map(typed).transpose()?;
    let found = has_rubric(input["expectedOutput"].as_str(), rubric.as_ref());
    same(&json!(found), &vector["expect"])
}

fn refusal(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let status = input["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    let kind = classify_refusal(status, input["body"].as_str().unwrap_or_default());
    let stops = kind.is_some_and(RefusalKind::stops_run);
    same(&json!({"kind": kind, "stopsRun": stops}), &vector["expect"])
}

fn exit_of_result(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let issues: Vec<IssueCategory> = typed(&input["issueCategories"])?;
    let code =
        exit_for_result(typed(&input["verdict"])?, &issues, input["artifactWriteFailed"] == true);
    same(&json!(ExitCode::code(code)), &vector["expect"])
}

fn exit_of_refusal(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let code = exit_for_refusal(typed(&input["category"])?, typed(&input["phase"])?);
    same(&json!(code.code()), &vector["expect"])
}

fn import_eligibility(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let suite = suite_with(input["cases"].as_array().ok_or("no cases")?)?;
    let selected: Vec<String> = typed(&input["selected"])?;
    let selected: Vec<_> =
        suite.cases.iter().filter(|case| selected.contains(&case.id.0)).collect();
    let approvals = input["approvals"].as_array().ok_or("no approvals")?.iter().map(|approval| {
        let reason = approval["reason"].as_str().unwrap_or_default();
        let length = input["reasonLength"].as_u64().and_then(|length| usize::try_from(length).ok());
        Approval {
            case_id: approval["caseId"].as_str().unwrap_or_default().to_owned(),
            reason: length.map_or_else(|| reason.to_owned(), |length| "x".repeat(length)),
        }
    });
    let found = match import_decisions(&suite, &selected, &approvals.collect::<Vec<_>>()) {
        Err(refusal) => {
            let reasons: Vec<_> = refusal.problems.iter().map(|problem| problem.reason).collect();
            json!({"ok": false, "reasons": reasons})
        }
        Ok(decisions) => {
            let by_case: Map<String, Value> =
                decisions.iter().map(|(id, it)| (id.0.clone(), json!(it.decision))).collect();
            let mut found = json!({"ok": true, "decisions": by_case});
            if let Some(reason) = decisions.values().find_map(|it| it.reason.as_ref()) {
                found["reason"] = json!(reason);
            }
            found
        }
    };
    same(&found, &vector["expect"])
}

fn budgets(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let stated = |from: &Value, unit: &str| StatedBudgets {
        turn: from["turnTimeoutMs"].as_u64(),
        tool_call: from["toolCallTimeoutMs"].as_u64(),
        unit: from[unit].as_u64(),
        run: from["runTimeoutMs"].as_u64(),
        retries: from["turnRetries"].as_u64(),
    };
    let authored = stated(&input["authored"], "iterationTimeoutMs");
    let ceilings = stated(&input["ceilings"], "unitTimeoutMs");
    let found = match resolve_budgets(Surface::Evals, &authored, &ceilings) {
        Err(violations) => {
            let row = |it: &howfar_suite::plan::BudgetViolation| json!({"field": it.field, "value": it.value, "ceiling": it.ceiling});
            json!({"ok": false, "violations": violations.iter().map(row).collect::<Vec<_>>()})
        }
        Ok(found) => {
            let source =
                |budget: ResolvedBudget| if budget.authored { "authored" } else { "default" };
            json!({"ok": true, "resolved": {
                "turnTimeoutMs": found.turn.value,
                "unitTimeoutMs": found.unit.value,
                "runTimeoutMs": found.run.value,
                "turnRetries": found.retries.value,
                "sources": {
                    "turnTimeoutMs": source(found.turn),
                    "unitTimeoutMs": source(found.unit),
                    "runTimeoutMs": source(found.run),
                    "turnRetries": source(found.retries),
                },
            }})
        }
    };
    same(&found, &vector["expect"])
}

fn model_planning(vector: &Value) -> Result<(), String> {
    let input = &vector["input"];
    let keys: Vec<ModelProvider> = typed(&input["keysFor"])?;
    let settings = ModelSettings {
        keys_for: keys.into_iter().collect::<BTreeSet<_>>(),
        ..ModelSettings::default()
    };
    let model = input["model"].as_str().unwrap_or_default();
    let found = match plan_model(model, input["provider"].as_str(), &settings) {
        Err(error) => json!({"ok": false, "code": error.code()}),
        Ok(plan) => json!({
            "ok": true,
            "provider": plan.provider,
            "effectiveModel": plan.effective_model,
            "needsKey": plan.key != KeyState::NotNeeded,
            "keyPresent": plan.key == KeyState::Present,
        }),
    };
    same(&found, &vector["expect"])
}

fn materialization(vector: &Value) -> Result<(), String> {
    let mut case = vector["input"].clone();
    case["id"] = json!("c");
    let suite = suite_with(&[case])?;
    let options = PlanOptions::default();
    let expect = &vector["expect"];
    let plan = match plan_case(&suite.cases[0], &suite.effective_judge(&suite.cases[0]), &options) {
        Err(problems) => return same(&json!({"error": problems[0].1.reason}), expect),
        Ok(plan) => plan,
    };
    let calls = plan
        .expected_calls()
        .map(|it| json!({"toolName": it.tool_name, "arguments": it.arguments}));
    let mut found = json!({
        "prompts": plan.prompts().collect::<Vec<_>>(),
        "expectedToolCalls": calls.collect::<Vec<_>>(),
    });
    let kinds: Vec<_> = plan.predicates.iter().map(|it| json!(it.predicate.kind())).collect();
    if expect.get("predicates").is_some() {
        found["predicates"] = json!(kinds);
    } else {
        found["predicateTypes"] = json!(kinds);
    }
    same(&found, expect)
}

/// A suite around cases that say only what their vector is about.
fn suite_with(cases: &[Value]) -> Result<ResolvedSuite, String> {
    let case = |case: &Value| {
        let mut whole = json!({
            "title": "a case",
            "steps": [{"id": "p", "kind": "prompt", "prompt": "x"}],
        });
        for (key, value) in case.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        if whole["import"]["status"] == "exact" {
            whole["import"]["note"] = json!("licensed");
        }
        if whole["import"].is_null() {
            whole.as_object_mut().map(|case| case.shift_remove("import"));
        }
        whole
    };
    let suite = json!({
        "schemaVersion": "2",
        "mode": "agentWorkflow",
        "reportingMode": "standard",
        "suite": {"id": "s", "name": "s"},
        "target": {"servers": [{"name": "s"}]},
        "defaults": {"model": "scripted/s", "iterations": 1, "passThreshold": 1, "validity": {}},
        "provenance": {"sourceHash": "x", "sourceFormat": "x", "reportHash": "x"},
        "cases": cases.iter().map(case).collect::<Vec<_>>(),
    });
    let parse = parse_suite(&suite.to_string());
    parse.suite().map(resolve).ok_or_else(|| format!("{:?}", parse.findings()))
}
