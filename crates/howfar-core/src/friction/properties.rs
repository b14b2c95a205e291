//! What holds of every friction document, whatever the calls and their results.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{
    FrictionInput, derive_friction, extract_identifiers, normalize_result, validate_friction,
};

/// Values that look like identifiers, and such that do not.
const VALUES: [&str; 6] =
    ["ISSUE-4711", "usr_9f8e7d6c", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "oslo", "12", "a b"];

proptest! {
    #[test]
    fn no_identifier_value_leaves_the_derivation(input in input()) {
        let document = derive(&input).to_string();
        for value in VALUES.iter().filter(|value| value.len() > 4) {
            prop_assert!(!document.contains(value), "{value} in {document}");
        }
    }

    #[test]
    fn every_document_is_valid(input in input()) {
        let document = derive(&input);
        prop_assert!(validate_friction(&document).is_ok(), "{document}");
    }

    #[test]
    fn counts_of_calls_add_up(input in input()) {
        let document = derive(&input);
        let count = |key: &str| document[key].as_u64().expect("a count");
        prop_assert_eq!(Some(count("callCount")), input["toolsCalled"].as_array().map(|it| it.len() as u64));
        prop_assert!(count("resultAvailableCount") <= count("callCount"));
        prop_assert!(count("timedCallCount") <= count("resultAvailableCount"));
    }
}

#[test]
fn the_generated_results_do_surface_identifiers() {
    // A generator without identifiers would prove nothing.
    for value in VALUES.iter().filter(|value| value.len() > 4) {
        let raw = result(value, false);
        assert_eq!(extract_identifiers(&normalize_result(&raw)).values, [*value]);
    }
}

fn derive(input: &Value) -> Value {
    let input = FrictionInput::parse(input).expect("a generated input parses");
    json!(derive_friction(&input).expect("a sound document"))
}

fn input() -> impl Strategy<Value = Value> {
    prop::collection::vec(call(), 0..8).prop_map(|calls| {
        let mut results = Map::new();
        for (at, (_, result)) in calls.iter().enumerate() {
            if let Some(result) = result {
                results.insert(format!("call{at}"), result.clone());
            }
        }
        let numbered = calls.into_iter().enumerate().map(|(at, (mut call, _))| {
            call["toolCallId"] = json!(format!("call{at}"));
            call
        });
        json!({"toolsCalled": numbered.collect::<Vec<_>>(), "results": results})
    })
}

/// A call, and what came back for it.
fn call() -> impl Strategy<Value = (Value, Option<Value>)> {
    let tool = prop::sample::select(&["find", "read"][..]);
    let value = || prop::sample::select(&VALUES[..]);
    let key = prop::sample::select(&["q", "id", "cursor"][..]);
    let times = prop::option::of((0..100_u32, 0..100_u32));
    (tool, key, value(), prop::option::of((value(), any::<bool>())), times).prop_map(
        |(tool, key, sent, back, times)| {
            let back = back.map(|(value, failed)| {
                let mut entry = json!({"raw": result(value, failed)});
                if let Some((start, length)) = times {
                    entry["startedAtMs"] = json!(start);
                    entry["settledAtMs"] = json!(start + length);
                }
                entry
            });
            (json!({"toolName": tool, "arguments": {key: sent}}), back)
        },
    )
}

fn result(value: &str, failed: bool) -> Value {
    let content = json!([{"type": "text", "text": json!({"items": [{"id": value}]}).to_string()}]);
    json!({"content": content, "isError": failed})
}
