//! Runs to fill a store with, made from numbers alone: the same numbers give the same documents.

use howfar_core::run::report::{Ending, RecordedRun, derive_trial, run_report};
use howfar_store::{Recorder, StoreError};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::{RunEnd, RunRecord, SetupRecord};
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::Termination;
use serde_json::{Value, json};

/// When the first sample run begins, in milliseconds since 1970; each next one begins a minute later.
pub const FIRST_START_MS: u64 = 1_790_000_000_000;

/// The most trials that one case may have.
const MAX_ITERATIONS: u32 = 100;

/// A sample run: its number and how many trials it has.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Its number; a later run has a larger one.
    pub number: u32,
    /// How many trials it has; each case takes up to 100 of them.
    pub trials: u32,
}

impl Sample {
    /// The id of the run.
    pub fn run_id(self) -> String {
        format!("r_{:012x}{:020x}", self.started_at_ms(), self.number)
    }

    fn started_at_ms(self) -> u64 {
        FIRST_START_MS + u64::from(self.number) * 60_000
    }

    /// The trials as (case, iteration), in the order of the report.
    pub fn places(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.trials).map(|at| (at / MAX_ITERATIONS, at % MAX_ITERATIONS + 1))
    }

    /// The record of the run.
    pub fn record(self) -> RunRecord {
        let cases = self.trials.div_ceil(MAX_ITERATIONS);
        let case = |case: u32| {
            json!({
                "id": case_id(case), "title": format!("Case {case}"), "declaredModel": "scripted/sample",
                "model": { "effective": "scripted/sample", "provider": "scripted", "scripted": true },
                "iterations": MAX_ITERATIONS.min(self.trials - case * MAX_ITERATIONS), "passThreshold": 1.0,
                "contentHash": format!("{case:064x}"),
                "evaluationConfig": { "hash": "0".repeat(64), "definitions": [] },
            })
        };
        let selected: Vec<_> = (0..cases).map(case_id).collect();
        let record = json!({
            "schemaVersion": 1, "runId": self.run_id(), "startedAt": "2026-09-21T14:13:20.000Z",
            "startedAtMs": self.started_at_ms(), "productVersion": "0.1.0",
            "suite": { "id": "s_sample", "name": "Sample", "schemaVersion": "2", "sourceHash": "0".repeat(64) },
            "reportingMode": "standard", "declaredHosts": [], "declaredEnvironment": null,
            "selection": { "requested": null, "selected": selected, "skipped": [] },
            "cases": (0..cases).map(case).collect::<Vec<_>>(), "servers": ["shop"],
            "policy": {
                "coverage": { "kind": "allConfiguredTrialsAttempted", "minGradeableTrials": 1 },
                "minCompletionRate": 0.8, "maxEvaluatorErrorRate": 0.1,
            },
            "settings": {
                "concurrency": 1, "iterationTimeoutMs": 120_000, "maxSteps": 10, "setupTimeoutMs": 30_000,
                "systemPrompt": "default", "temperature": null,
            },
        });
        serde_json::from_value(record).expect("the sample record is one")
    }

    /// The report of the run when all of its trials finished.
    pub fn report(self) -> RunReport {
        let trials = self.places().map(|place| derive_trial(&self.evidence(place))).collect();
        run_report(RecordedRun {
            record: &self.record(),
            setup: Some(&setup()),
            issues: Vec::new(),
            trials,
            ending: Ending::Ended(RunEnd {
                termination: Termination::Completed,
                duration_ms: 1234.5,
            }),
        })
    }

    /// The evidence of one trial. Every tenth trial lacks the call that its case expects.
    pub fn evidence(self, (case, iteration): (u32, u32)) -> TrialEvidence<'static> {
        let called = !(case * MAX_ITERATIONS + iteration).is_multiple_of(10);
        let call = json!({ "toolName": "find_order", "arguments": { "order": "A-100" } });
        let calls = if called { vec![call.clone()] } else { Vec::new() };
        let missing = if called { Vec::new() } else { vec![call.clone()] };
        let verdict = if called { "passed" } else { "failed" };
        let answer = "Your order is on its way and arrives on Friday. ".repeat(8);
        let document = json!({
            "schemaVersion": 1, "kind": "trial-evidence", "runId": self.run_id(), "suiteId": "s_sample",
            "caseId": case_id(case), "title": format!("Case {case}"), "iterationNumber": iteration,
            "provider": "scripted", "model": "scripted/sample",
            "authored": { "mode": "model_driven", "expectsToolCall": true },
            "evidence": {
                "prompts": [{
                    "promptIndex": 0, "expectedToolCalls": [call], "missing": missing, "passed": called,
                }],
                "toolSignals": { "toolsTotalBefore": 20, "toolsExposed": 20 },
                "setupSignals": { "connection": { "outcome": "ok" }, "discovery": { "outcome": "ok" } },
            },
            "iteration": { "status": "completed" }, "taskVerdict": verdict, "case": { "id": case_id(case) },
            "transcript": {
                "toolCalls": calls, "finalAssistantMessage": answer, "toolInventory": inventory(),
                "toolDeclarations": [],
            },
            "messages": [
                { "role": "user", "content": format!("Where is order {iteration}?") },
                { "role": "assistant", "content": [{ "type": "text", "text": answer }] },
            ],
            "durationMs": 12.5, "tokens": { "input": 100, "output": 20, "total": 120 },
        });
        let text = document.to_string();
        let evidence: TrialEvidence<'_> =
            serde_json::from_str(&text).expect("the sample evidence is a document");
        evidence.into_owned()
    }

    /// Records the first `trials` trials, and the report when they are all.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn save(self, store: &std::path::Path, trials: u32) -> Result<(), StoreError> {
        let recorder = Recorder::open(store)?;
        recorder.begin(&self.record(), &setup(), "sample.suite.yaml")?;
        for place in self.places().take(trials as usize) {
            let evidence = self.evidence(place);
            recorder.trial(&evidence, &derive_trial(&evidence).row, 10.0)?;
        }
        if trials < self.trials { Ok(()) } else { recorder.finish(&self.report()) }
    }
}

/// How setting up the sample server went.
pub fn setup() -> SetupRecord<'static> {
    let setup = json!({
        "servers": [{
            "name": "shop", "source": "sample", "transport": "stdio", "connection": "ok",
            "discovery": "ok", "tools": 20,
        }],
        "signals": { "connection": { "outcome": "ok" }, "discovery": { "outcome": "ok" } },
        "catalogDigest": "0".repeat(64),
    });
    let text = setup.to_string();
    let setup: SetupRecord<'_> = serde_json::from_str(&text).expect("the sample setup is one");
    setup.into_owned()
}

/// The id of a case.
pub fn case_id(case: u32) -> String {
    format!("c_{case:04}")
}

fn inventory() -> Vec<Value> {
    let tool = |number: u32| {
        json!({
            "name": if number == 0 { "find_order".to_owned() } else { format!("tool_{number}") },
            "description": "Looks something up and says what it found. ".repeat(4),
            "inputSchema": { "type": "object", "properties": { "order": { "type": "string" } } },
        })
    };
    (0..20).map(tool).collect()
}
