use std::collections::BTreeMap;

use howfar_wire::report::{RunReport, TrialReport};
use howfar_wire::vocabulary::{FailureCategory, IterationStatus, Stage, StageReason};
use serde_json::{Value, json};

use super::*;
use crate::fixture::{broke, call, case, held, report, unmeasured};

mod inert;
mod links;
mod order;
mod size;

/// Evidence as JSON text, by case and trial.
#[derive(Default)]
struct Kept(BTreeMap<(String, u32), String>);

impl TrialSource for Kept {
    fn evidence(&mut self, case_id: &str, number: u32) -> Option<TrialEvidence<'_>> {
        let text = self.0.get(&(case_id.to_owned(), number))?;
        Some(serde_json::from_str(text).expect("the fixture is an evidence document"))
    }
}

/// An evidence document with these messages and two turns on its time line.
fn evidence(case_id: &str, number: u32, messages: &[Value], jitter: f64) -> String {
    let span = |id: &str, category: &str, start: f64, end: f64, turn: u32| {
        json!({"id": id, "name": id, "category": category, "startMs": start, "endMs": end,
               "promptIndex": turn, "stepIndex": 0, "status": "ok"})
    };
    let timeline = json!([
        span("prompt-0-step-1", "step", 0.0, 90.0 + jitter, 0),
        span("prompt-0-step-1-llm", "llm", 0.0, 40.0 + jitter, 0),
        span("call-1", "tool", 40.0 + jitter, 90.0 + jitter, 0),
        span("prompt-1-step-1", "step", 100.0, 220.0 + jitter, 1),
        span("prompt-1-step-1-llm", "llm", 100.0, 150.0 + jitter, 1),
        span("call-2", "tool", 150.0 + jitter, 220.0 + jitter, 1),
    ]);
    json!({
        "schemaVersion": 1, "kind": "trial-evidence", "runId": "run-1", "suiteId": "hotels",
        "caseId": case_id, "title": "T", "iterationNumber": number,
        "authored": {"mode": "model_driven"}, "evidence": {}, "iteration": {"status": "completed"},
        "case": {}, "transcript": {"toolCalls": []}, "messages": messages, "timeline": timeline,
        "durationMs": 220.0 + jitter,
    })
    .to_string()
}

/// A conversation of two turns, each with a call.
fn two_turns(answer: &str) -> Vec<Value> {
    let turn = |ask: &str, id: &str, said: &str| {
        [
            json!({"role": "user", "content": ask}),
            json!({"role": "assistant", "content": [
                {"type": "tool-call", "toolCallId": id, "toolName": "find_hotel", "input": {"city": "Bonn", "nights": 2}}]}),
            json!({"role": "tool", "content": [
                {"type": "tool-result", "toolCallId": id, "toolName": "find_hotel",
                 "output": {"type": "text", "value": "{\"hotels\":[{\"id\":\"h1\",\"name\":\"Rheinblick\",\"price\":94.0}]}"}}]}),
            json!({"role": "assistant", "content": [{"type": "text", "text": said}]}),
        ]
    };
    let first = turn("Find me a hotel in Bonn for two nights.", "a", "The Rheinblick is free.");
    first.into_iter().chain(turn("And what does it cost?", "b", answer)).collect()
}

/// A trial of two turns with a call in each.
fn two_turn_trial(trial: TrialReport, answer: &str) -> TrialReport {
    let mut second = call("find_hotel", &json!({"city": "Bonn", "nights": 2}));
    second.prompt_index = 1;
    let first = call("find_hotel", &json!({"city": "Bonn", "nights": 2}));
    TrialReport { tool_calls: vec![first, second], final_message: Some(answer.to_owned()), ..trial }
}

fn page(report: &RunReport, source: &mut dyn TrialSource) -> String {
    let mut out = String::new();
    let options = HtmlOptions { zone: jiff::tz::TimeZone::UTC };
    render_html(report, source, &options, &mut out).expect("a string takes text");
    out
}
