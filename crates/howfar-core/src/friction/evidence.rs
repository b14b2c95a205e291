//! A trial's evidence document to its friction (friction, section A3).

use std::collections::{BTreeMap, BTreeSet};

use howfar_wire::evidence::{SpanCategory, TrialEvidence};
use howfar_wire::friction::{CallIndex, FrictionDocument};
use howfar_wire::transcript::{ToolCall, ToolResultRow};
use howfar_wire::vocabulary::{CallOrdering, FrictionGap};
use serde_json::Value;

use super::derive::{UnsoundFriction, derive_records};
use super::input::{CallResults, results_of_messages, tool_result_items};
use super::record::CallRecord;
use super::result::{NormalizedResult, normalize_result};

/// The friction of a trial, from the calls and results that its evidence holds.
///
/// Results come from the messages where these kept them, else from the transcript's rows; a call that is known to have
/// failed without a result has an error for its result. Times count only when every call with a result has them: else
/// the order of the conversation does. A trial without any trace has a hole.
///
/// # Errors
///
/// A document that is not sound is never given out; evidence of any shape derives a sound one.
pub fn friction_of_evidence(
    evidence: &TrialEvidence<'_>,
) -> Result<FrictionDocument, UnsoundFriction> {
    let hole = evidence.evidence.trace_absent.then_some(FrictionGap::EvidenceIncomplete);
    derive_records(&Sources::of(evidence).records(), hole)
}

/// What an evidence document says about its calls, by call id.
struct Sources<'e> {
    calls: &'e [ToolCall],
    stored: CallResults<'e>,
    rows: BTreeMap<&'e str, &'e ToolResultRow>,
    failed: BTreeSet<&'e str>,
    texts: BTreeMap<&'e str, &'e Value>,
    times: BTreeMap<&'e str, (f64, f64)>,
}

impl<'e> Sources<'e> {
    fn of(evidence: &'e TrialEvidence<'_>) -> Self {
        let rows = evidence.transcript.results().iter();
        Self {
            calls: &evidence.transcript.tool_calls,
            stored: results_of_messages(&evidence.messages),
            rows: rows.filter_map(|row| Some((row.tool_call_id.as_deref()?, row))).collect(),
            failed: failed_calls(evidence),
            texts: argument_texts(&evidence.messages),
            times: times(evidence),
        }
    }

    fn records(&self) -> Vec<CallRecord<'e>> {
        let results: Vec<_> = self.calls.iter().map(|call| self.result(call)).collect();
        let is_timed = self
            .calls
            .iter()
            .zip(&results)
            .all(|(call, result)| result.is_none() || by_id(call, &self.times).is_some());
        let calls = self.calls.iter().zip(results).enumerate();
        calls.map(|(at, (call, result))| self.record(at, call, result, is_timed)).collect()
    }

    fn record(
        &self,
        at: usize,
        call: &'e ToolCall,
        result: Option<NormalizedResult<'e>>,
        is_timed: bool,
    ) -> CallRecord<'e> {
        let record = CallRecord {
            index: CallIndex(at as u64),
            tool_name: &call.tool_name,
            tool_call_id: id(call),
            arguments: Some(by_id(call, &self.texts).copied().unwrap_or(&call.arguments)),
            result: None,
            ordering: CallOrdering::Unknown,
            started_at_ms: None,
            settled_at_ms: None,
        };
        let times = by_id(call, &self.times).copied().filter(|_| is_timed);
        match result {
            Some(result) => record.with_result(result, times),
            None => record,
        }
    }

    /// What came back; `None` when nothing was retained and nobody knows that the call failed.
    fn result(&self, call: &ToolCall) -> Option<NormalizedResult<'e>> {
        let stored = by_id(call, &self.stored).map(|entry| normalize_result(entry.raw));
        let is_failed = id(call).is_some_and(|id| self.failed.contains(id));
        let failure = || is_failed.then(NormalizedResult::default);
        let mut result =
            stored.or_else(|| by_id(call, &self.rows).map(|row| of_row(row))).or_else(failure)?;
        result.is_error |= is_failed;
        Some(result)
    }
}

/// A call's id, where it has one that is not empty.
fn id(call: &ToolCall) -> Option<&str> {
    call.tool_call_id.as_deref().filter(|id| !id.is_empty())
}

fn by_id<'m, T>(call: &ToolCall, map: &'m BTreeMap<&str, T>) -> Option<&'m T> {
    map.get(id(call)?)
}

/// A row's structured content and text. A JSON part is a stored result, or else content itself.
fn of_row(row: &ToolResultRow) -> NormalizedResult<'_> {
    let part = row.json.as_ref().map(normalize_result).unwrap_or_default();
    let is_result = part.structured_content.is_some() || !part.text_parts.is_empty();
    let content = part.structured_content.or(row.json.as_ref().filter(|_| !is_result));
    NormalizedResult {
        structured_content: row.structured_content.as_ref().or(content),
        text_parts: row.text.as_deref().map_or(part.text_parts, |text| vec![text]),
        is_error: row.is_error == Some(true) || part.is_error,
    }
}

/// The calls that are known to have failed, whatever of their results was kept: reported by the protocol or the tool,
/// answered with an error text, or blocked by the tool policy.
fn failed_calls<'e>(evidence: &'e TrialEvidence<'_>) -> BTreeSet<&'e str> {
    let is_error_output = |item: &Value| {
        let kind = item.pointer("/output/type").and_then(Value::as_str);
        matches!(kind, Some("error-text" | "error-json"))
    };
    let errors = evidence.transcript.errors().iter().filter_map(|e| e.tool_call_id.as_deref());
    let outputs = tool_result_items(&evidence.messages)
        .filter(|(_, item)| is_error_output(item))
        .map(|(id, _)| id);
    let blocked = evidence.policy_blocks.iter().filter_map(|block| block.tool_call_id.as_deref());
    errors.chain(outputs).chain(blocked).collect()
}

/// The arguments that were no JSON object, as the model wrote them: calls record an empty object in their place, which
/// would make any two of them equal.
fn argument_texts(messages: &[Value]) -> BTreeMap<&str, &Value> {
    let contents = messages.iter().filter_map(|message| message.get("content")?.as_array());
    let calls = contents.flatten().filter(|part| part["type"] == "tool-call");
    calls
        .filter_map(|part| Some((part.get("toolCallId")?.as_str()?, part.get("input")?)))
        .filter(|(_, input)| input.is_string())
        .collect()
}

/// When calls were sent and answered, on the trial's clock. A span may be drawn longer than its call took, so the
/// measured duration decides where there is one.
fn times<'e>(evidence: &'e TrialEvidence<'_>) -> BTreeMap<&'e str, (f64, f64)> {
    let timings = evidence.transcript.timings().iter();
    let durations: BTreeMap<_, _> = timings
        .filter_map(|timing| Some((timing.tool_call_id.as_deref()?, timing.duration_ms)))
        .collect();
    let spans = evidence.timeline.iter().filter(|span| span.category == SpanCategory::Tool);
    spans
        .filter_map(|span| {
            let id = span.tool_call_id.as_deref()?;
            let end = durations.get(id).map_or(span.end_ms, |duration| span.start_ms + duration);
            Some((id, (span.start_ms, end)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The document of an evidence document with these members, as JSON.
    fn check(members: &Value) -> Value {
        let mut document = json!({
            "schemaVersion": 1, "kind": "trial-evidence", "runId": "r", "suiteId": "s", "caseId": "c",
            "title": "t", "iterationNumber": 1, "authored": {"mode": "model_driven"}, "evidence": {},
            "iteration": {"status": "completed"}, "case": {}, "transcript": {}, "durationMs": 0,
        });
        for (key, value) in members.as_object().into_iter().flatten() {
            document[key] = value.clone();
        }
        let text = document.to_string();
        let evidence: TrialEvidence<'_> =
            serde_json::from_str(&text).expect("an evidence document");
        json!(friction_of_evidence(&evidence).expect("a sound document"))
    }

    fn calls(arguments: &[Value]) -> Value {
        let call = |(at, arguments): (usize, &Value)| json!({"toolName": "find", "toolCallId": at.to_string(), "arguments": arguments});
        arguments.iter().enumerate().map(call).collect()
    }

    fn row(id: &str) -> Value {
        json!({"toolName": "find", "toolCallId": id, "text": "{\"id\":\"ISSUE-41\"}"})
    }

    #[test]
    fn results_are_joined_by_id() {
        let calls = calls(&[json!({"q": 1}), json!({"q": 2}), json!({"q": 3})]);
        let rows = json!([row("2"), row("0"), row("1")]);
        let document = check(&json!({"transcript": {"toolCalls": calls, "toolResults": rows}}));
        assert_eq!(document["resultAvailableCount"], 3);
        assert_eq!(document["timedCallCount"], 0);
        assert_eq!(document["signals"][1]["kind"], "identifierSurfacedUnused");
    }

    #[test]
    fn calls_of_one_step_do_not_know_each_other() {
        let span = |id: &str, start: f64| {
            json!({"id": id, "name": "find", "category": "tool", "startMs": start,
                   "endMs": start + 1.0, "toolCallId": id})
        };
        let timing = |id: &str, duration: f64| {
            json!({"toolName": "find", "durationMs": duration, "provenance": "evidence",
                   "toolCallId": id})
        };
        let document = |second_start: f64| {
            let calls = calls(&[json!({"q": 1}), json!({"q": 2})]);
            check(&json!({
                "transcript": {
                    "toolCalls": calls, "toolResults": [row("0"), row("1")],
                    "toolCallTimings": [timing("0", 0.5), timing("1", 0.5)],
                },
                "timeline": [span("0", 0.0), span("1", second_start)],
            }))
        };
        let kinds = |document: &Value| {
            let signals = document["signals"].as_array().cloned().unwrap_or_default();
            signals.iter().map(|signal| signal["kind"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&document(0.25)), ["changedRetry"]);
        assert_eq!(kinds(&document(0.75)), ["searchRepeatedAfterIdentifier", "changedRetry"]);
    }

    #[test]
    fn a_call_that_is_known_to_have_failed_has_a_result() {
        let calls = calls(&[json!({}), json!({})]);
        let error = json!({"kind": "protocol-error", "toolName": "find", "toolCallId": "0"});
        let transcript = json!({
            "toolCalls": calls, "toolResults": [row("1")], "toolErrors": [error],
        });
        let document = check(&json!({"transcript": transcript}));
        assert_eq!(document["identifierSignals"], json!({"state": "measured"}));
        assert_eq!(document["signals"][0]["afterError"], true);
    }

    #[test]
    fn a_result_that_was_not_kept_withholds_the_identifier_half_alone() {
        let transcript =
            json!({"toolCalls": calls(&[json!({}), json!({})]), "toolResults": [row("1")]});
        let document = check(&json!({"transcript": transcript}));
        let half = json!({"state": "notMeasured", "reason": "resultsUnavailable"});
        assert_eq!(document["identifierSignals"], half);
        assert_eq!(document["signals"][0]["kind"], "identicalRetry");
    }

    #[test]
    fn arguments_that_were_no_object_are_compared_as_they_were_written() {
        let part = |id: &str, input: &str| json!({"type": "tool-call", "toolCallId": id, "toolName": "find", "input": input});
        let parts = json!([part("0", "{\"q\":"), part("1", "{\"q\":1")]);
        let document = check(&json!({
            "transcript": {"toolCalls": calls(&[json!({}), json!({})])},
            "messages": [{"role": "assistant", "content": parts}],
        }));
        assert_eq!(document["signals"][0]["kind"], "changedRetry");
    }

    #[test]
    fn a_trial_without_a_trace_is_a_hole_and_not_an_empty_trial() {
        let hole = check(&json!({"evidence": {"traceAbsent": true}}));
        assert_eq!(hole["notMeasuredReason"], "evidenceIncomplete");
        assert_eq!(check(&json!({}))["notMeasuredReason"], "noToolCalls");
    }
}
