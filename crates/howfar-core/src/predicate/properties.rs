//! Properties of every kind of check, over random checks and transcripts.

use howfar_wire::Vocabulary as _;
use howfar_wire::canon::utf16_len;
use howfar_wire::transcript::Transcript;
use howfar_wire::vocabulary::PredicateKind;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::text::REASON_CAP;
use super::{EvaluationContext, Predicate, evaluate};

/// Fields that some kind reads.
const FIELDS: [&str; 20] = [
    "toolName",
    "beforeToolName",
    "toolNames",
    "args",
    "minCount",
    "count",
    "ms",
    "needle",
    "caseSensitive",
    "schema",
    "maxBytes",
    "pattern",
    "patterns",
    "flags",
    "path",
    "min",
    "max",
    "reference",
    "maxDistance",
    "turns",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..2000).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c/~().*]{0,4}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let member = ("[a-c]|args|type|limit|items|token", inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(member, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn check() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(PredicateKind::ALL);
    let fields = prop::collection::vec((prop::sample::select(&FIELDS[..]), value()), 0..6);
    (kind, fields).prop_map(|(kind, fields)| {
        let mut members = Map::from_iter([("type".to_owned(), json!(kind))]);
        members.extend(fields.into_iter().map(|(key, value)| (key.to_owned(), value)));
        Value::Object(members)
    })
}

fn transcript() -> impl Strategy<Value = Transcript> {
    let capture = prop::sample::select(&["complete", "partial", "absent"][..]);
    (prop::collection::vec(("[a-c]{0,1}", value()), 0..5), any::<Option<String>>(), capture)
        .prop_map(|(units, message, capture)| {
            let of = |make: fn(&str, &Value) -> Value| -> Vec<Value> {
                units.iter().map(|(name, value)| make(name, value)).collect()
            };
            let transcript = json!({
                "toolCalls": of(|name, value| json!({"toolName": name, "arguments": value})),
                "toolErrors": of(|name, value| json!({"kind": "content-error", "toolName": name, "message": value})),
                "toolResults": of(|name, value| json!({"toolName": name, "json": value, "text": value})),
                "toolInventory": of(|name, value| json!({"name": name, "inputSchema": value, "annotations": value})),
                "toolDeclarations": of(|name, value| json!({"serverKey": "s", "name": name, "inputSchema": value, "description": value})),
                "finalAssistantMessage": message,
                "capture": {
                    "toolResults": capture,
                    "toolCallTimings": capture,
                    "toolInventory": capture,
                    "toolDeclarations": capture,
                },
            });
            serde_json::from_value(transcript).expect("every part is read leniently")
        })
}

proptest! {
    #[test]
    fn every_check_gives_a_bounded_row(check in check(), transcript in transcript()) {
        let row = evaluate(&Predicate::compile(&check), &transcript, &EvaluationContext::new());
        prop_assert!(!row.reason.is_empty());
        // The note of a cut follows the cap.
        prop_assert!(utf16_len(&row.reason) <= REASON_CAP + 30);
        prop_assert!(!(row.passed && row.is_error()));
    }

    #[test]
    fn evaluation_depends_on_nothing_else(check in check(), transcript in transcript()) {
        let context = EvaluationContext::new();
        let predicate = Predicate::compile(&check);
        let first = evaluate(&predicate, &transcript, &context);
        prop_assert_eq!(evaluate(&predicate, &transcript, &context), first.clone());
        let fresh = evaluate(&Predicate::compile(&check), &transcript, &EvaluationContext::new());
        prop_assert_eq!(fresh, first);
    }
}
