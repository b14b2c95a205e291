//! Small stored runs for tests of comparisons and gates.

use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::{RunEnd, RunRecord};
use howfar_wire::transcript::ToolCall;
use howfar_wire::vocabulary::Termination;
use serde_json::{Value, json};

use super::case_scorers;
use super::report::{Ending, RecordedRun, derive_trial, run_report};
use super::side::RunSide;

/// How one trial went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Went {
    /// The expected tool was called, and the trial passed.
    Well,
    /// The expected tool was not called, and the trial failed.
    Elsewhere,
    /// The model provider did not answer.
    Unanswered,
}

/// A run of one case per entry, each with its trials. All of them are recorded and the run is complete.
pub(super) fn run(id: &str, cases: &[(&str, &[Went])]) -> RunSide {
    run_of(id, cases, json!({}))
}

/// The same with members of the record replaced.
pub(super) fn run_of(id: &str, cases: &[(&str, &[Went])], record: Value) -> RunSide {
    let record = record_of(id, cases, record);
    let trials = cases.iter().flat_map(|(case, trials)| {
        (1..)
            .zip(trials.iter())
            .map(move |(number, went)| derive_trial(&trial(case, number, *went)))
    });
    let report = run_report(RecordedRun {
        record: &record,
        setup: None,
        issues: Vec::new(),
        trials: trials.collect(),
        ending: Ending::Ended(RunEnd { termination: Termination::Completed, duration_ms: 10.0 }),
    });
    RunSide::new(record, report, None)
}

fn record_of(id: &str, cases: &[(&str, &[Went])], replaced: Value) -> RunRecord {
    let scorers = case_scorers(&[ToolCall::new("find", json!({}))], false, []);
    let case = |(id, trials): &(&str, &[Went])| {
        json!({
            "id": id, "title": format!("Case {id}"), "declaredModel": "scripted/m",
            "iterations": trials.len(), "passThreshold": 1, "contentHash": format!("hash of {id}"),
            "evaluationConfig": scorers,
        })
    };
    let mut record = json!({
        "schemaVersion": 1, "runId": id, "startedAt": "2026-01-02T03:04:05Z", "startedAtMs": 1000,
        "productVersion": "0", "reportingMode": "standard", "declaredHosts": [],
        "suite": { "id": "s", "name": "Suite", "schemaVersion": "2", "sourceHash": "00" },
        "declaredEnvironment": null, "servers": ["shop"],
        "selection": { "requested": null, "selected": [], "skipped": [] },
        "cases": cases.iter().map(case).collect::<Vec<_>>(),
        "policy": {
            "coverage": { "kind": "allConfiguredTrialsAttempted", "minGradeableTrials": 1 },
            "minCompletionRate": 0.8, "maxEvaluatorErrorRate": 0.1,
        },
        "settings": {
            "concurrency": 1, "iterationTimeoutMs": 1, "maxSteps": 1, "setupTimeoutMs": 1,
            "systemPrompt": "default", "temperature": null,
        },
    });
    for (key, value) in replaced.as_object().into_iter().flatten() {
        record[key] = value.clone();
    }
    serde_json::from_value(record).expect("a record")
}

fn trial(case: &str, number: u32, went: Went) -> TrialEvidence<'static> {
    let expected = json!([{ "toolName": "find", "arguments": {} }]);
    let matched = went == Went::Well;
    let missing = if matched { json!([]) } else { expected.clone() };
    let route = |check: &str, stage: &str, outcome: &str| {
        json!({
            "stage": stage, "check": check, "provenance": "route", "role": "required",
            "outcome": outcome, "reason": "missing find",
        })
    };
    let mut document = json!({
        "schemaVersion": 1, "kind": "trial-evidence", "runId": "r", "suiteId": "s",
        "caseId": case, "title": "Case", "iterationNumber": number,
        "authored": { "mode": "model_driven", "expectsToolCall": true, "assertionCount": 0 },
        "evidence": {}, "iteration": { "status": "failed" },
        "case": {}, "transcript": {}, "durationMs": 5.0,
    });
    if went != Went::Unanswered {
        document["evidence"]["prompts"] = json!([{
            "promptIndex": 0, "passed": matched, "expectedToolCalls": expected, "missing": missing,
            "unexpected": [], "argumentMismatches": [],
        }]);
        document["iteration"]["status"] = json!("completed");
        document["taskVerdict"] = json!(if matched { "passed" } else { "failed" });
        let outcome = if matched { "passed" } else { "failed" };
        document["checks"] = json!([route("toolCalls:match", "selection", outcome)]);
    }
    let text = document.to_string();
    serde_json::from_str::<TrialEvidence<'_>>(&text).expect("an evidence document").into_owned()
}
