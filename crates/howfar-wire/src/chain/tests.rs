use std::borrow::Cow;

use serde_json::{Value, json};

use super::*;
use crate::vocabulary::{Stage, Vocabulary as _};

static INPUT: &str = r#"{"authored":{"mode":"model_driven","assertionCount":1},"evidence":{"spans":[{"id":"s1"},{"id":"a\nb"}],"prompts":[{"promptIndex":1.5,"missing":[{"toolName":"x"}],"unexpected":null}],"toolSignals":null},"iteration":{"status":"completed"},"policy":null,"transcript":[1]}"#;

#[test]
fn parsed_text_borrows_unless_it_has_escapes() {
    let input: StageInput<'_> = serde_json::from_str(INPUT).expect("an input");
    let borrowed = |text: &Option<Text<'_>>| {
        text.as_ref().is_some_and(|text| INPUT.as_bytes().as_ptr_range().contains(&text.as_ptr()))
    };
    assert!(borrowed(&input.evidence.spans[0].id));
    assert!(!borrowed(&input.evidence.spans[1].id));
    assert_eq!(input.evidence.spans[1].id.as_deref(), Some("a\nb"));
}

#[test]
fn elided_lists_keep_their_count_and_nothing_else() {
    let input: StageInput<'_> = serde_json::from_str(INPUT).expect("an input");
    assert_eq!(input.evidence.prompts[0].missing, [Elided]);
    assert!(input.evidence.prompts[0].unexpected.is_empty());
}

#[test]
fn complete_lists_are_written_back() {
    let input: StageInput<'_, Value> = serde_json::from_str(INPUT).expect("an input");
    let written = serde_json::to_value(input.into_owned()).expect("a document");
    assert_eq!(
        written["evidence"]["prompts"],
        json!([{"promptIndex": 1.5, "missing": [{"toolName": "x"}]}])
    );
    assert_eq!(written.get("policy"), None);
}

#[test]
fn null_is_absent_and_a_wrong_type_is_an_error() {
    let parse = |evidence: &str| {
        let text = format!(
            r#"{{"authored":{{"mode":"model_free"}},"evidence":{evidence},"iteration":{{"status":"failed"}}}}"#
        );
        serde_json::from_str::<StageInput<'_>>(&text).map(|input| input.into_owned())
    };
    let absent = parse("{}").expect("an input");
    assert_eq!(parse(r#"{"spans":null,"traceAbsent":null}"#).expect("an input"), absent);
    assert!(parse(r#"{"spans":{}}"#).is_err());
    assert!(parse(r#"{"traceAbsent":"yes"}"#).is_err());
}

#[test]
fn text_keeps_borrowed_and_owned_equal() {
    assert_eq!(Text::from("a"), Text::from("a".to_owned()));
    let text: Cow<'_, str> = Cow::Borrowed("a");
    assert_eq!(Text::from("a").as_str(), text);
}

#[test]
fn a_derivation_is_written_as_serde_writes_it() {
    let rows = Stage::ALL.iter().map(|&stage| json!({"stage": stage, "state": "passed"}));
    let mut document =
        json!({"stageResults": rows.collect::<Vec<_>>(), "stageAnalyzerVersion": 12});
    let evidence = json!({
        "spanIds": ["s", "é\"\u{7f}\u{1}", "a text of more than sixteen bytes\n"],
        "promptIndexes": [0, 1.5, -3], "predicateReasons": [],
    });
    document["stageResults"][1]["reason"] = json!("toolsListFailed");
    document["stageResults"][1]["evidence"] = evidence;
    document["stageResults"][2]["evidence"] = json!({});
    document["stageResults"][3]["evidence"] = json!({"predicateReasons": [""]});
    let shortest: StageDerivation = serde_json::from_value(document.clone()).expect("a document");
    document["firstFailedStage"] = json!("discovery");
    document["failureCategory"] = json!("setup");
    let longest: StageDerivation = serde_json::from_value(document).expect("a document");
    for derivation in [shortest, longest] {
        let mut out = b"before".to_vec();
        derivation.write_json(&mut out);
        let expected = serde_json::to_string(&derivation).expect("a document");
        assert_eq!(String::from_utf8(out).expect("text"), format!("before{expected}"));
    }
}
