use howfar_wire::friction::{CallIndex, ConditionOutcome, FrictionDocument};
use howfar_wire::vocabulary::{
    ConditionConfidence, ConditionSkip, FrictionSignalKind, SuspectedCondition,
};
use serde_json::{Value, json};

use super::*;
use crate::friction::{FrictionInput, call_records, derive_records};

/// A search that names an order, and two more searches that do not use it.
fn trial(results: &[Value]) -> Value {
    let call = |at: usize| json!({"toolName": "find", "toolCallId": at.to_string(), "arguments": {"q": at}});
    let results = results.iter().enumerate();
    json!({
        "toolsCalled": (0..3).map(call).collect::<Vec<_>>(),
        "results": results
            .map(|(at, raw)| (at.to_string(), json!({"raw": {"structuredContent": raw}})))
            .collect::<serde_json::Map<_, _>>(),
    })
}

fn detour() -> Value {
    trial(&[json!({"orders": [{"order_id": "ORDER-7"}]}), json!({"total": 0}), json!([])])
}

fn derived(input: &Value) -> FrictionDocument {
    let input = FrictionInput::parse(input).expect("an input");
    derive_records(&call_records(&input), None).expect("a sound document")
}

fn window(input: &Value, trigger: ConditionTrigger) -> Result<ConditionWindow, ConditionSkip> {
    condition_window(&call_records(&FrictionInput::parse(input).expect("an input")), trigger)
}

fn judged(reply: &Value) -> (SuspectedCondition, ConditionConfidence, bool, bool) {
    let trial = detour();
    let trigger = condition_trigger(&derived(&trial)).expect("a trigger");
    let window = window(&trial, trigger).expect("a window");
    match condition_outcome(Some(reply), &window) {
        ConditionOutcome::Scored { condition, confidence, remediation, evidence } => {
            (condition, confidence, remediation.is_some(), evidence.is_some())
        }
        other => panic!("not scored: {other:?}"),
    }
}

fn reply(confidence: &str, remediation: &str) -> Value {
    json!({
        "condition": "idBuriedInPayload", "confidence": confidence, "remediation": remediation,
        "evidence": {"callIndex": 0, "toolName": "find", "fieldPath": "orders[].order_id"},
    })
}

#[test]
fn identifier_kinds_trigger_before_retries() {
    let trigger = condition_trigger(&derived(&detour())).expect("a trigger");
    assert_eq!(trigger.kind, FrictionSignalKind::IdentifierSurfacedUnused);
    assert_eq!(trigger.observed_at_call_index, CallIndex(2));
}

#[test]
fn a_retry_triggers_only_after_an_error() {
    let calls = json!([{"name": "t", "toolCallId": "a"}, {"name": "t"}]);
    let trigger = |is_error: bool| {
        let results = json!({"a": {"raw": {}, "isError": is_error}});
        condition_trigger(&derived(&json!({"toolsCalled": calls, "results": results})))
    };
    assert_eq!(trigger(false), None);
    assert_eq!(trigger(true).map(|trigger| trigger.information_call_index), Some(CallIndex(0)));
}

#[test]
fn a_window_without_results_is_skipped() {
    let trigger = condition_trigger(&derived(&detour())).expect("a trigger");
    let missing = trial(&[json!({}), json!({})]);
    assert_eq!(window(&missing, trigger), Err(ConditionSkip::TraceIncomplete));
    let empty = json!({
        "toolsCalled": [{"name": "t", "toolCallId": "a"}, {"name": "t", "toolCallId": "a"},
                        {"name": "t", "toolCallId": "a"}],
        "results": {"a": {"raw": ""}},
    });
    assert_eq!(window(&empty, trigger), Err(ConditionSkip::NoEvidence));
}

#[test]
fn a_cut_says_what_was_dropped() {
    let long = trial(&[json!({"id": "A-1", "text": "x".repeat(70_000)}), json!(1), json!(2)]);
    let trigger = condition_trigger(&derived(&detour())).expect("a trigger");
    let shown = window(&long, trigger).expect("a window").calls[0].result.clone();
    assert_eq!(shown.len(), MAX_PART_UNITS);
    assert!(shown.ends_with(" more characters]"), "{shown}");
}

#[test]
fn a_named_condition_needs_confidence_and_a_lever() {
    let named = (SuspectedCondition::IdBuriedInPayload, ConditionConfidence::High, true, true);
    assert_eq!(judged(&reply("high", "Move order_id to the top of the result.")), named);
    assert_eq!(judged(&reply("high", "Document the units of find.")), named);
    let unclear = |confidence| (SuspectedCondition::Unclear, confidence, false, false);
    assert_eq!(judged(&reply("high", "Try harder.")), unclear(ConditionConfidence::High));
    assert_eq!(judged(&reply("low", "Move order_id up.")), unclear(ConditionConfidence::Low));
    assert_eq!(judged(&reply("certain", "Move order_id up.")), unclear(ConditionConfidence::Low));
}

#[test]
fn an_answer_that_repeats_an_identifier_is_unclear() {
    let leak = reply("high", "Return ORDER-7 in a field of its own.");
    assert_eq!(judged(&leak).0, SuspectedCondition::Unclear);
}

#[test]
fn evidence_of_another_tool_is_dropped() {
    let mut reply = reply("medium", "Move order_id up.");
    reply["evidence"]["toolName"] = json!("send");
    let medium = ConditionConfidence::Medium;
    assert_eq!(judged(&reply), (SuspectedCondition::IdBuriedInPayload, medium, true, false));
}

#[test]
fn a_clear_response_keeps_no_advice() {
    let reply = json!({"condition": "responseWasClear", "confidence": "high", "remediation": "x"});
    let high = ConditionConfidence::High;
    assert_eq!(judged(&reply), (SuspectedCondition::ResponseWasClear, high, false, false));
}

#[test]
fn no_answer_is_an_error_and_not_unclear() {
    let trigger = condition_trigger(&derived(&detour())).expect("a trigger");
    let window = window(&detour(), trigger).expect("a window");
    assert_eq!(condition_outcome(None, &window), ConditionOutcome::Error {});
    assert_eq!(condition_outcome(Some(&json!([])), &window), ConditionOutcome::Error {});
}

#[test]
fn candidates_stand_by_case_and_trial() {
    let trigger = condition_trigger(&derived(&detour())).expect("a trigger");
    let candidate = |case_key: &str, iteration_number| ConditionCandidate {
        case_key: case_key.to_owned(),
        iteration_number,
        trigger,
    };
    let ordered = order_candidates(vec![candidate("b", 1), candidate("a", 2), candidate("a", 1)]);
    let keys: Vec<_> = ordered.iter().map(|c| (&*c.case_key, c.iteration_number)).collect();
    assert_eq!(keys, [("a", 1), ("a", 2), ("b", 1)]);
}
