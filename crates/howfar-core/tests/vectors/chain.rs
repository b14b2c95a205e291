//! Vectors of the stage derivation.

use howfar_core::chain::{self, AuthoredCheck, AuthoredSource, AuthoredStep};
use howfar_core::chain::{Challenge, ChallengeScheme, CredentialSource, FailureClass};
use howfar_core::chain::{PhaseOutcome, ServerSetup, SetupFailure};
use howfar_testkit::json::difference;
use howfar_testkit::vectors::VectorFile;
use howfar_wire::chain as wire;
use howfar_wire::chain::{ChatSession, StageInput};
use howfar_wire::vocabulary::{
    FailureCategory, IterationStatus, PredicateKind, Stage, StageReason, StageState, Vocabulary,
};
use serde_json::{Map, Value, json};

use crate::{Outcome, same, typed};

const AREA: &str = "derivation";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "derive-cases.json", check: derive },
    VectorFile { area: AREA, file: "random-derive.jsonl", check: derive },
    VectorFile { area: AREA, file: "chat-sessions.json", check: chat_session },
    VectorFile { area: AREA, file: "random-chat.jsonl", check: chat_session },
    VectorFile { area: AREA, file: "authored-cases.json", check: authored },
    VectorFile { area: AREA, file: "random-authored.jsonl", check: authored },
    VectorFile { area: AREA, file: "validate.json", check: validate },
    VectorFile { area: AREA, file: "project.json", check: project },
    VectorFile { area: AREA, file: "judge-band.json", check: judge_band },
    VectorFile { area: AREA, file: "routing.json", check: routing },
    VectorFile { area: AREA, file: "runner-checks.json", check: runner_checks },
    VectorFile { area: AREA, file: "setup-signals.json", check: setup_signals },
    VectorFile { area: AREA, file: "vocabulary.json", check: vocabulary },
];

fn derive(vector: &Value) -> Outcome {
    let text = vector["input"].to_string();
    let input = StageInput::from_json(&text).map_err(|error| error.to_string())?;
    let derivation = chain::derive_stages(&input);
    let mut written = Vec::new();
    derivation.write_json(&mut written);
    if written != vector["expect"].to_string().as_bytes() {
        same(&derivation, &vector["expect"])?;
        return Err("the rows are written in another way".to_owned());
    }
    let by_serde: StageInput<'_> =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if input == by_serde { Ok(()) } else { Err("serde reads another input".to_owned()) }
}

fn chat_session(vector: &Value) -> Outcome {
    let text = vector["input"].to_string();
    let session: ChatSession<'_> =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let input = chain::chat_stage_input(&session);
    same(&input, &vector["expect"]["stageInput"])?;
    same(&chain::derive_stages(&input), &vector["expect"]["derivation"])
}

fn authored(vector: &Value) -> Outcome {
    same(&chain::infer_authored(&authored_source(&vector["input"])), &vector["expect"])
}

fn authored_source(case: &Value) -> AuthoredSource {
    let test = &case["test"];
    let has_calls = |holder: &Value| !items(&holder["expectedToolCalls"]).is_empty();
    let step = |step: &Value| match step["kind"].as_str() {
        Some("toolCall") => AuthoredStep::ToolCall,
        Some("assert") => AuthoredStep::Assert(authored_check(&step["assertion"])),
        _ => AuthoredStep::Other,
    };
    AuthoredSource {
        case_needs_model: case["caseNeedsModel"] == true,
        is_negative_test: test["isNegativeTest"].as_bool(),
        has_expected_output: !test["expectedOutput"].is_null(),
        lists_expected_calls: has_calls(test) || items(&case["turns"]).iter().any(has_calls),
        is_widget_probe: test["caseType"] == "widget_probe",
        steps: items(&case["steps"]).iter().map(step).collect(),
        success_predicates: items(&test["successPredicates"]).iter().map(authored_check).collect(),
    }
}

fn authored_check(check: &Value) -> AuthoredCheck {
    if check["kind"].is_string() {
        return AuthoredCheck::Widget;
    }
    AuthoredCheck::Predicate(check["type"].as_str().and_then(PredicateKind::from_wire))
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn validate(vector: &Value) -> Outcome {
    match chain::validate_derivation(&vector["input"]) {
        Ok(derivation) => {
            same(&json!({"valid": true, "normalized": derivation}), &vector["expect"])
        }
        Err(problems) => {
            let mut paths: Vec<_> = problems.into_iter().map(|problem| problem.path).collect();
            paths.sort();
            same(&json!({"valid": false, "paths": paths}), &vector["expect"])
        }
    }
}

fn project(vector: &Value) -> Outcome {
    same(&chain::project_metadata(&vector["input"]), &vector["expect"])
}

fn judge_band(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let score = input["score"].as_f64().ok_or("no score")?;
    let band = chain::judge_band(score, input["hasRubric"] == true, input["threshold"].as_f64())
        .map_err(|error| error.to_string())?;
    let found = json!({"score": band.score, "passed": band.passed, "verdict": band.verdict});
    difference(&found, &vector["expect"]).map_or(Ok(()), Err)
}

fn routing(vector: &Value) -> Outcome {
    let kind = vector["input"]["type"].as_str().and_then(PredicateKind::from_wire);
    let found = json!({
        "stage": kind.map(PredicateKind::stage),
        "decidesAt": chain::decides_at(kind),
        "makesCallExpected": chain::makes_call_expected(kind),
    });
    same(&found, &vector["expect"])
}

fn runner_checks(vector: &Value) -> Outcome {
    let derivation = typed(&vector["input"])?;
    let checks = chain::runner_checks(&derivation);
    if checks.iter().any(|check| check.expected.is_empty() || check.actual.is_empty()) {
        return Err("a check says nothing".to_owned());
    }
    let checks: Vec<_> = checks
        .iter()
        .map(|check| {
            json!({
                "stage": check.stage,
                "outcome": check.outcome.as_str(),
                "state": check.state,
                "reason": check.reason,
            })
        })
        .collect();
    same(&checks, &vector["expect"])
}

fn setup_signals(vector: &Value) -> Outcome {
    let (input, expect) = (&vector["input"], &vector["expect"]);
    if input["op"] == "attribute" {
        let mut failure = setup_failure(&input["error"])?;
        failure.challenge = challenge(&input["challenge"]);
        return same(&chain::attribute_failure(&failure), &expect["attribution"]);
    }
    let server = |name: &Value| -> Result<ServerSetup, String> {
        let name = name.as_str().ok_or("a server without name")?;
        let outcome = |phase: &str| phase_outcome(&input[phase][name]);
        let (connect, list) = (outcome("connect")?, outcome("list")?);
        Ok(ServerSetup { name: name.to_owned(), connect, list })
    };
    let servers: Result<Vec<_>, _> = items(&input["servers"]).iter().map(server).collect();
    let canary = input["canary"].as_bool().or_else(|| input["canary"]["ok"].as_bool());
    let signals = json!(chain::fold_setup(&servers?, canary));
    expect_signals(&signals, expect)
}

fn expect_signals(signals: &Value, expect: &Value) -> Outcome {
    let at = |path: &str| signals.pointer(&format!("/{}", path.replace('.', "/")));
    if let Some(missing) = subset(&expect["signals"], signals) {
        return Err(missing);
    }
    for path in items(&expect["absent"]).iter().filter_map(Value::as_str) {
        if at(path).is_some() {
            return Err(format!("{path} is there"));
        }
    }
    for (path, count) in expect["counts"].as_object().unwrap_or(&Map::new()) {
        let found = at(path).map_or(0, |list| items(list).len());
        if json!(found) != *count {
            return Err(format!("{path} holds {found}, expected {count}"));
        }
    }
    Ok(())
}

fn subset(expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().find_map(|(key, value)| {
                let found = found.get(key).unwrap_or(&Value::Null);
                subset(value, found).map(|message| format!("{key}: {message}"))
            })
        }
        (expected, found) => difference(found, expected),
    }
}

fn phase_outcome(outcome: &Value) -> Result<Option<PhaseOutcome>, String> {
    if outcome.is_null() {
        return Ok(None);
    }
    let failed = outcome["outcome"] == "failed";
    let failure = if failed { Some(setup_failure(&outcome["error"])?) } else { None };
    let time = |key: &str| outcome[key].as_f64().ok_or(format!("no {key}"));
    let (started_at_ms, ended_at_ms) = (time("startedAt")?, time("endedAt")?);
    Ok(Some(PhaseOutcome { failure, started_at_ms, ended_at_ms }))
}

fn setup_failure(error: &Value) -> Result<SetupFailure, String> {
    let text = |key: &str| error[key].as_str().map(str::to_owned);
    let class = match error["class"].as_str() {
        None => None,
        Some("egressResolution") => Some(FailureClass::NameResolution),
        Some("egressBlocked") => Some(FailureClass::EgressBlocked),
        Some(other) => return Err(format!("unknown class {other}")),
    };
    let cause = if error["cause"].is_null() { None } else { Some(setup_failure(&error["cause"])?) };
    Ok(SetupFailure {
        class,
        code: text("code"),
        name: text("name"),
        message: text("message").unwrap_or_default(),
        http_status: error["status"].as_u64().and_then(|status| status.try_into().ok()),
        mcp_error_code: error["mcpErrorCode"].as_i64(),
        credential_source: text("setupFailureSource")
            .and_then(|source| CredentialSource::from_wire(&source)),
        challenge: None,
        cause: cause.map(Box::new),
    })
}

fn challenge(challenge: &Value) -> Option<Challenge> {
    let scheme = match challenge["scheme"].as_str()? {
        "none" => ChallengeScheme::None,
        "bearer" => ChallengeScheme::Bearer,
        _ => ChallengeScheme::Other,
    };
    Some(Challenge { scheme, html_body: challenge["bodyKind"] == "html" })
}

fn vocabulary(vector: &Value) -> Outcome {
    fn wires<V: Vocabulary>() -> Vec<&'static str> {
        V::ALL.iter().map(|member| member.as_str()).collect()
    }
    let found = json!({
        "stages": wires::<Stage>(),
        "states": wires::<StageState>(),
        "reasons": wires::<StageReason>(),
        "failureCategories": wires::<FailureCategory>(),
        "iterationStatuses": wires::<IterationStatus>(),
        "metadataKeys":
            ["stageResults", "firstFailedStage", "failureCategory", "stageAnalyzerVersion"],
        "chatSources": ["user_testing", "swarm", "direct"],
        "analyzerVersion": wire::STAGE_ANALYZER_VERSION,
        "evidenceTriggeredResponseVersion": wire::EVIDENCE_TRIGGERED_RESPONSE,
        "maxEvidenceReasons": wire::MAX_EVIDENCE_ITEMS,
        "maxEvidenceReasonUnits": wire::MAX_REASON_UNITS,
    });
    same(&found, vector)
}
