//! The reader and the writer over generated and hostile input.

use howfar_suite::{AuthoredSuite, SuiteParse, parse_suite, parse_suite_bytes, write_suite};
use howfar_wire::vocabulary::{FindingCode, LoadStage};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A small valid suite around one case.
fn suite(case: &Value) -> Value {
    json!({
        "schemaVersion": "2",
        "mode": "agentWorkflow",
        "reportingMode": "standard",
        "suite": {"id": "s", "name": "s"},
        "target": {"servers": [{"name": "s"}]},
        "defaults": {"model": "scripted/s", "iterations": 1, "passThreshold": 1, "validity": {}},
        "cases": [case],
    })
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ -~\n]{0,40}",
        "(true|null|~|0x1f|1e3|\\.5|- a|a: b|# c|\\{\\}|\\||>|'|\"){1,3}",
        Just("\u{feff}\u{85}\u{2028}\u{7f}\t".to_owned()),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any_text(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// JSON in ASCII: YAML does not take every character that JSON takes, but it takes every escape.
fn ascii_json(value: &Value) -> String {
    let mut text = String::new();
    for unit in value.to_string().encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() && byte != 0x7f => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    text
}

fn read(text: &str) -> AuthoredSuite {
    match parse_suite(text) {
        SuiteParse::Valid { suite, warnings: _ } => *suite,
        SuiteParse::Invalid { findings, .. } => panic!("refused: {findings:?}\n{text}"),
    }
}

proptest! {
    #[test]
    fn any_bytes_give_a_result(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse_suite_bytes(&bytes);
    }

    #[test]
    fn any_text_gives_a_suite_or_findings(text in any_text()) {
        let parse = parse_suite(&text);
        prop_assert!(parse.suite().is_some() || !parse.findings().is_empty());
    }

    #[test]
    fn a_damaged_suite_gives_a_result(at in 0..400_usize, cut in 0..40_usize, put in any_text()) {
        let case = json!({"id": "c", "title": "t", "steps": [
            {"id": "p", "kind": "prompt", "prompt": "x"},
            {"id": "a", "kind": "assert", "assertion": {"type": "noToolErrors"}},
        ]});
        let text = write_suite(&read(&ascii_json(&suite(&case))));
        let at = at.min(text.len());
        let damaged = format!("{}{put}{}", &text[..at], &text[(at + cut).min(text.len())..]);
        let parse = parse_suite(&damaged);
        prop_assert!(parse.suite().is_some() || !parse.findings().is_empty());
    }

    #[test]
    fn a_written_suite_reads_as_the_same_suite(
        arguments in prop::collection::vec((any_text(), any_json()), 0..4),
        prompt in any_text(),
        description in any_text(),
    ) {
        let arguments: Map<String, Value> = arguments.into_iter().collect();
        let case = json!({"id": "c", "title": "t", "expectedOutput": description, "steps": [
            {"id": "", "kind": "prompt", "prompt": prompt},
            {"id": "t", "kind": "toolCall", "serverName": "s", "toolName": "t", "arguments": arguments},
        ]});
        let authored = read(&ascii_json(&suite(&case)));
        let text = write_suite(&authored);
        let again = read(&text);
        prop_assert_eq!(again.value(), authored.value());
        prop_assert_eq!(write_suite(&again), text);
    }
}

fn refusal(text: &str) -> (LoadStage, FindingCode, String) {
    match parse_suite(text) {
        SuiteParse::Valid { .. } => panic!("accepted"),
        SuiteParse::Invalid { stage, findings, warnings: _ } => {
            (stage, findings[0].code, findings[0].message.clone())
        }
    }
}

fn refused_by_parser(text: &str, message: &str) {
    let found = refusal(text);
    assert_eq!((found.0, found.1), (LoadStage::Parse, FindingCode::YamlInvalid), "{}", found.2);
    assert!(found.2.contains(message), "{}", found.2);
}

#[test]
fn a_hundred_aliases_expand_and_one_more_does_not() {
    let aliases = |count: usize| format!("a: &a x\nb: [{}]\n", vec!["*a"; count].join(", "));
    assert_eq!(refusal(&aliases(100)).0, LoadStage::Contract);
    refused_by_parser(&aliases(101), "more than 100 aliases");
}

#[test]
fn nested_aliases_count_as_often_as_they_expand() {
    let text = "a: &a [x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n";
    refused_by_parser(text, "more than 100 aliases");
}

#[test]
fn an_alias_inside_its_anchor_never_ends() {
    refused_by_parser("a: &a [*a]\n", "never ends");
}

#[test]
fn depth_is_bounded_in_text_and_through_aliases() {
    refused_by_parser(&"[".repeat(100_000), "deeper than 128");
    refused_by_parser(&"- ".repeat(100_000), "deeper than 128");
    let half = format!("{}{}", "[".repeat(100), "]".repeat(100));
    refused_by_parser(
        &format!("a: &a {half}\nb: {}*a{}\n", "[".repeat(100), "]".repeat(100)),
        "deeper",
    );
}

#[test]
fn several_repeated_keys_and_unknown_aliases_come_together() {
    let parse = parse_suite("a: 1\na: 2\nb: *nowhere\nc: 1\nc: 2\n");
    let lines: Vec<_> =
        parse.findings().iter().filter_map(|finding| finding.location).map(|it| it.line).collect();
    assert_eq!(lines.len(), 3, "{:?}", parse.findings());
}

#[test]
fn json_with_tabs_and_escapes_is_yaml() {
    let text = suite(&json!({"id": "c", "title": "t", "steps": [
        {"id": "p", "kind": "prompt", "prompt": "\u{1f600}"},
    ]}));
    let text = serde_json::to_string_pretty(&text).expect("writes").replace("  ", "\t");
    let text = text.replace('\u{1f600}', "\\ud83d\\ude00\\/");
    assert_eq!(read(&text).value()["cases"][0]["steps"][0]["prompt"], "\u{1f600}/");
}

#[test]
fn a_finding_points_at_its_line() {
    let text = "schemaVersion: \"2\"\nmode: agentWorkflow\nreportingMode: standard\nsuite: {id: s, name: s}\n\
                target:\n  servers:\n    - name: s\n      url: http://x\ndefaults: {}\ncases: []\n";
    let parse = parse_suite(text);
    let url =
        parse.findings().iter().find(|finding| finding.keys == ["url"]).expect("url is refused");
    let place = url.location.expect("a place");
    assert_eq!((place.line, place.column), (8, 7));
    assert_eq!(&text[place.start..place.end], "url");
}

#[test]
fn a_key_that_the_json_library_owns_is_refused() {
    let arguments = json!({"a": {"$serde_json::private::RawValue": "{"}});
    let case = json!({"id": "c", "title": "t", "steps": [
        {"id": "t", "kind": "toolCall", "serverName": "s", "toolName": "t", "arguments": arguments},
    ]});
    assert!(parse_suite(&suite(&case).to_string()).suite().is_none());
}

#[test]
fn a_large_hostile_file_is_refused_in_bounded_work() {
    let head = "schemaVersion: \"2\"\n";
    let keys: String = (0..60_000).map(|n| format!("unknown{n}: 1\n")).collect();
    let parse = parse_suite(&format!("{head}{keys}"));
    let unknown = parse.findings().iter().find(|finding| !finding.keys.is_empty()).expect("keys");
    assert_eq!(unknown.keys.len(), 60_000);
    assert!(unknown.message.ends_with("and 59995 more"));
    let cases = parse_suite(&format!("{head}cases:\n{}", "- {}\n".repeat(200_000)));
    assert!(cases.findings().len() < 5000);
}
