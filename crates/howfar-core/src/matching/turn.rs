//! The matcher of one turn and the words of its score (predicates 11.2).

use howfar_wire::matching::{ArgumentMismatch, MatchOptions, MatchResult};
use howfar_wire::transcript::ToolCall;
use serde_json::{Map, Value};

use super::arguments::ArgumentPattern;
use super::pairing::{Slot, pair};

/// Matches the calls of one turn against the expected ones.
///
/// In a negative test any call is unexpected and none passes, whatever was expected. Nothing called never passes
/// otherwise, also when nothing was expected.
pub fn match_tool_calls(
    expected: &[ToolCall],
    actual: &[ToolCall],
    options: &MatchOptions,
    is_negative_test: bool,
) -> MatchResult {
    match_visible(expected, &actual.iter().collect::<Vec<_>>(), options, is_negative_test)
}

/// [`match_tool_calls`] over the calls that the matcher may see.
pub(super) fn match_visible(
    expected: &[ToolCall],
    actual: &[&ToolCall],
    options: &MatchOptions,
    is_negative_test: bool,
) -> MatchResult {
    if is_negative_test {
        return result(Vec::new(), cloned(actual), Vec::new(), actual.is_empty());
    }
    if actual.is_empty() {
        return result(expected.to_vec(), Vec::new(), Vec::new(), false);
    }
    let patterns: Vec<ArgumentPattern> = expected
        .iter()
        .map(|call| ArgumentPattern::new(options.argument_matching, &call.arguments))
        .collect();
    let slots: Vec<Slot<'_>> = expected
        .iter()
        .zip(&patterns)
        .map(|(call, arguments)| Slot { tool_name: &call.tool_name, arguments })
        .collect();
    let pairs = pair(&slots, actual, options.tool_call_order);

    let mut missing = Vec::new();
    let mut mismatches = Vec::new();
    let mut used = vec![false; actual.len()];
    for (call, pair) in expected.iter().zip(&pairs) {
        let Some(pair) = pair else {
            missing.push(call.clone());
            continue;
        };
        used[pair.call] = true;
        if pair.mismatch {
            mismatches.push(ArgumentMismatch {
                tool_name: call.tool_name.clone(),
                expected_args: or_empty_object(&call.arguments),
                actual_args: or_empty_object(&actual[pair.call].arguments),
            });
        }
    }
    let extra: Vec<ToolCall> = actual
        .iter()
        .zip(&used)
        .filter(|(_, used)| !**used)
        .map(|(call, _)| (*call).clone())
        .collect();
    let passed = missing.is_empty() && mismatches.is_empty() && within_cap(extra.len(), options);
    result(missing, extra, mismatches, passed)
}

/// Whether so many unexpected calls still pass.
pub(super) fn within_cap(extra: usize, options: &MatchOptions) -> bool {
    options.max_extra_tool_calls.is_none_or(|cap| u64::try_from(extra).is_ok_and(|n| n <= cap))
}

pub(super) fn cloned(calls: &[&ToolCall]) -> Vec<ToolCall> {
    calls.iter().map(|call| (*call).clone()).collect()
}

fn or_empty_object(arguments: &Value) -> Value {
    if arguments.is_null() { Value::Object(Map::new()) } else { arguments.clone() }
}

fn result(
    missing: Vec<ToolCall>,
    extra: Vec<ToolCall>,
    argument_mismatches: Vec<ArgumentMismatch>,
    passed: bool,
) -> MatchResult {
    MatchResult { missing, extra, out_of_order: Vec::new(), argument_mismatches, passed }
}

/// The words of the matcher's score.
pub fn score_text(result: &MatchResult) -> String {
    let names = |calls: &[ToolCall]| {
        calls.iter().map(|call| call.tool_name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if result.passed {
        let mut text = "every expected tool call was observed".to_owned();
        if !result.extra.is_empty() {
            text.push_str(&format!("; extra {} (permitted)", names(&result.extra)));
        }
        return text;
    }
    let mismatched: Vec<&str> =
        result.argument_mismatches.iter().map(|pair| pair.tool_name.as_str()).collect();
    let parts = [
        ("missing ", names(&result.missing)),
        ("argument mismatch on ", mismatched.join(", ")),
        ("out of order: ", names(&result.out_of_order)),
        ("extra ", names(&result.extra)),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(head, names)| format!("{head}{names}"))
        .collect();
    if parts.is_empty() { "tool-call expectations unmet".to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use howfar_wire::Vocabulary as _;
    use howfar_wire::matching::ToolCallOrder;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall::new(name, arguments)
    }

    #[test]
    fn nothing_called_never_passes() {
        let result = match_tool_calls(&[], &[], &MatchOptions::default(), false);
        assert!(!result.passed);
        assert_eq!(score_text(&result), "tool-call expectations unmet");
    }

    #[test]
    fn a_mismatch_uses_up_its_call() {
        let expected = [call("a", json!({"x": 1}))];
        let actual = [call("a", json!({"x": 2}))];
        let result = match_tool_calls(&expected, &actual, &MatchOptions::default(), false);
        assert!(result.extra.is_empty() && result.missing.is_empty());
        assert_eq!(score_text(&result), "argument mismatch on a");
    }

    #[test]
    fn a_negative_test_passes_without_calls() {
        let expected = [call("a", json!({}))];
        assert!(match_tool_calls(&expected, &[], &MatchOptions::default(), true).passed);
    }

    fn calls() -> impl Strategy<Value = Vec<ToolCall>> {
        let one = ("[ab]", 0..3).prop_map(|(name, x)| call(&name, json!({ "x": x })));
        prop::collection::vec(one, 0..6)
    }

    proptest! {
        #[test]
        fn every_call_is_accounted_for_once(
            expected in calls(),
            actual in calls(),
            order in prop::sample::select(ToolCallOrder::ALL),
        ) {
            let options = MatchOptions { tool_call_order: order, ..MatchOptions::default() };
            let result = match_tool_calls(&expected, &actual, &options, false);
            let paired = expected.len() - result.missing.len();
            prop_assert_eq!(paired + result.extra.len(), actual.len());
            prop_assert!(result.argument_mismatches.len() <= paired);
            let clean = result.missing.is_empty() && result.argument_mismatches.is_empty();
            prop_assert_eq!(result.passed, clean && !actual.is_empty());
        }
    }
}
