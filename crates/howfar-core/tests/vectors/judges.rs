//! Vectors of the judge: redaction, the answer, and hostile tool results (suite and runner, sections C2 and C7).

use howfar_core::judge::{
    GoalSettings, PlaceholderRedactor, build_request, goal_input, parse_answer,
};
use howfar_testkit::vectors::VectorFile;
use howfar_wire::Vocabulary as _;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::scorecard::Role;
use serde_json::{Value, json};

use crate::{Outcome, equal};

const AREA: &str = "judge";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "redact.json", check: redact },
    VectorFile { area: AREA, file: "answer.json", check: answer },
    VectorFile { area: AREA, file: "hostile.json", check: hostile },
];

fn redact(vector: &Value) -> Outcome {
    let input = &vector["input"];
    equal(&PlaceholderRedactor::reserving([input]).value(input), &vector["expect"])
}

fn answer(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let text = input["text"].as_str().unwrap_or_default();
    let threshold = input["threshold"].as_f64().unwrap_or_default();
    let found = match parse_answer(text, input["hasRubric"] == true, threshold) {
        Err(fault) => json!({ "error": fault.code.as_str() }),
        Ok(score) => json!({
            "score": score.score,
            "passed": score.passed,
            "verdict": score.verdict.as_str(),
            "reason": score.reason,
            "rubricHits": score.rubric_hits,
        }),
    };
    equal(&found, &vector["expect"])
}

/// What a tool said stays between the markers, which stand once, and never reaches the policy.
fn hostile(vector: &Value) -> Outcome {
    let said = vector["input"]["toolResult"].as_str().unwrap_or_default();
    let document = trial(said).to_string();
    let evidence: TrialEvidence<'_> =
        serde_json::from_str(&document).map_err(|error| error.to_string())?;
    let settings = GoalSettings { role: Role::Required, threshold: 0.7, rubric: None };
    let request = build_request(&goal_input(&evidence, &settings), settings.threshold)
        .map_err(|fault| fault.to_string())?;
    let (_, rest) = request.user.split_once("<untrusted_evidence>\n").ok_or("it does not open")?;
    let (inside, after) = rest.split_once("\n</untrusted_evidence>").ok_or("it does not close")?;
    let wanted = vector["expect"]["fenced"].as_str().unwrap_or_default();
    if !inside.contains(wanted) || after.contains(wanted) || request.system.contains(wanted) {
        return Err(format!("{wanted:?} is not between the markers alone"));
    }
    let markers = request.user.matches("</untrusted_evidence>").count();
    let cases = request.user.matches("</authored_case>").count();
    equal(&json!(markers.max(cases)), &vector["expect"]["markers"])
}

fn trial(said: &str) -> Value {
    json!({
        "schemaVersion": 1, "kind": "trial-evidence", "runId": "r", "suiteId": "s", "caseId": "c",
        "title": "Case", "iterationNumber": 1, "authored": { "mode": "model_driven" },
        "evidence": {}, "iteration": { "status": "completed" }, "transcript": {}, "durationMs": 1.0,
        "case": { "steps": [{ "kind": "prompt", "prompt": "When is it due?" }] },
        "messages": [
            { "role": "assistant", "content": [{ "type": "tool-call", "toolCallId": "k" }] },
            { "role": "tool", "content": [{ "type": "tool-result", "toolCallId": "k",
                "output": { "type": "text", "value": said } }] },
        ],
    })
}
