use howfar_wire::friction::{FrictionDocument, FrictionSignal, IdentifierMeasurement};
use howfar_wire::vocabulary::FrictionGap;
use serde_json::{Value, json};

use super::*;

/// The document of calls to one tool, each `(arguments, result text)`.
fn check(calls: &[(Value, &str)]) -> FrictionDocument {
    let call = |(at, (arguments, _)): (usize, &(Value, &str))| json!({"toolName": "search", "toolCallId": format!("call_{at}"), "arguments": arguments});
    let result = |(at, (_, text)): (usize, &(Value, &str))| {
        let content = json!([{"type": "text", "text": text}]);
        (format!("call_{at}"), json!({"raw": {"content": content}}))
    };
    let input = json!({
        "toolsCalled": calls.iter().enumerate().map(call).collect::<Vec<_>>(),
        "results": calls.iter().enumerate().map(result).collect::<serde_json::Map<_, _>>(),
    });
    derive(&input)
}

fn derive(input: &Value) -> FrictionDocument {
    derive_friction(&FrictionInput::parse(input).expect("an input")).expect("a sound document")
}

/// Every signal as `kind prior->call`.
fn shown(document: &FrictionDocument) -> Vec<String> {
    let shown = |signal: &FrictionSignal| {
        format!("{} {}->{}", signal.kind(), signal.anchor(), signal.observation())
    };
    document.signals.iter().map(shown).collect()
}

#[test]
fn five_identical_calls_are_four_identical_retries() {
    let document = check(&vec![(json!({"city": "Oslo"}), "12 degrees"); 5]);
    let expected = ["0->1", "1->2", "2->3", "3->4"].map(|pair| format!("identicalRetry {pair}"));
    assert_eq!(shown(&document), expected);
    assert_eq!(document.identifier_signals, IdentifierMeasurement::Measured);
}

#[test]
fn results_that_change_make_no_other_signal() {
    let texts = ["queued", "running", "running", "storing", "done"];
    let document = check(&texts.map(|text| (json!({}), text)));
    let expected = ["0->1", "1->2", "2->3", "3->4"].map(|pair| format!("identicalRetry {pair}"));
    assert_eq!(shown(&document), expected);
}

#[test]
fn ten_changed_filters_are_nine_changed_retries() {
    let calls: Vec<_> =
        (0..10).map(|at| (json!({"filter": at, "limit": 20}), "no match")).collect();
    let expected: Vec<_> = (1..10).map(|at| format!("changedRetry {}->{at}", at - 1)).collect();
    assert_eq!(shown(&check(&calls)), expected);
}

#[test]
fn three_cursor_pages_are_two_continuations() {
    let document = check(&[
        (json!({"q": "open"}), "page one"),
        (json!({"q": "open", "cursor": "b"}), "page two"),
        (json!({"q": "open", "cursor": "c"}), "page three"),
    ]);
    let expected = ["0->1", "1->2"].map(|pair| format!("paginationContinuation {pair}"));
    assert_eq!(shown(&document), expected);
}

#[test]
fn an_identifier_that_is_used_makes_no_identifier_signal() {
    let search = |q: &str| (json!({"q": q}), r#"{"issues":[{"id":"ISSUE-41"}]}"#);
    let used = check(&[search("a"), search("b"), (json!({"q": "ISSUE-41"}), "text")]);
    assert_eq!(shown(&used), ["changedRetry 0->1", "changedRetry 1->2"]);
    let unused = check(&[search("a"), search("b"), (json!({"q": "ISSUE-410"}), "text")]);
    assert_eq!(
        shown(&unused),
        [
            "changedRetry 0->1",
            "identifierSurfacedUnused 0->2",
            "searchRepeatedAfterIdentifier 0->2",
            "searchRepeatedAfterIdentifier 1->2",
            "changedRetry 1->2",
        ]
    );
}

#[test]
fn arguments_too_deep_for_a_canonical_form_are_a_hole() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let document = |levels| check(&[(nested(levels), "a"), (json!({}), "b")]);
    assert_eq!(document(512).gap(), None);
    assert_eq!(document(513).gap(), Some(FrictionGap::EvidenceIncomplete));
}

#[test]
fn a_retry_after_an_error_says_so() {
    let input = json!({
        "toolsCalled": [
            {"toolName": "t", "toolCallId": "a"},
            {"toolName": "t", "toolCallId": "b"},
        ],
        "results": {"a": {"raw": {}, "isError": true}, "b": {"raw": {}}},
    });
    let document = derive(&input);
    let [FrictionSignal::IdenticalRetry(retry)] = &document.signals[..] else {
        panic!("one retry is expected");
    };
    assert!(retry.after_error);
}

#[test]
fn a_producer_that_leaves_out_the_calls_is_told() {
    let error = |input: &Value| FrictionInput::parse(input).expect_err("no input").to_string();
    assert_eq!(error(&json!({})), "`toolsCalled` is not a list");
    let hole = json!({"toolsCalled": [], "evidenceHole": "network"});
    assert_eq!(error(&hole), "`evidenceHole` is not a known reason");
}

#[test]
fn indexes_that_are_no_positions_never_give_an_unsound_document() {
    let input = json!({"toolsCalled": [{"name": "t"}, {"name": "t"}]});
    let input = FrictionInput::parse(&input).expect("an input");
    let mut records = call_records(&input);
    records.reverse();
    let error = derive_records(&records, None).expect_err("the call comes before its prior");
    assert_eq!(error.problems[0].path, "signals.0");
}
