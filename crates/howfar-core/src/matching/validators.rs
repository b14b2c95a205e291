//! Small comparisons of call lists for checks written in code (predicates, section 14). No placeholders here.

use howfar_wire::transcript::ToolCall;
use serde_json::{Map, Value};

use super::arguments::deep_equal;

/// Whether both lists are equal, order included.
pub fn match_tool_calls_equal(expected: &[&str], actual: &[&str]) -> bool {
    expected == actual
}

/// Whether each expected name occurs; how often does not matter.
pub fn match_tool_calls_subset(expected: &[&str], actual: &[&str]) -> bool {
    expected.iter().all(|name| actual.contains(name))
}

/// Whether any expected name occurs; false when none is expected.
pub fn match_any_tool_call(expected: &[&str], actual: &[&str]) -> bool {
    expected.iter().any(|name| actual.contains(name))
}

/// Whether the name occurs exactly `count` times.
pub fn match_tool_call_count(name: &str, actual: &[&str], count: usize) -> bool {
    actual.iter().filter(|called| **called == name).count() == count
}

/// Whether nothing was called.
pub fn match_no_tool_calls(actual: &[&str]) -> bool {
    actual.is_empty()
}

/// Whether some call of the tool has exactly these arguments.
pub fn match_tool_call_with_args(
    tool_name: &str,
    expected: &Map<String, Value>,
    calls: &[ToolCall],
) -> bool {
    any_call(tool_name, calls, |actual| {
        actual.len() == expected.len() && holds_all(expected, actual)
    })
}

/// Whether some call of the tool has every expected key with an equal value.
pub fn match_tool_call_with_partial_args(
    tool_name: &str,
    expected: &Map<String, Value>,
    calls: &[ToolCall],
) -> bool {
    any_call(tool_name, calls, |actual| holds_all(expected, actual))
}

/// Whether some call of the tool has the key with an equal value.
pub fn match_tool_argument(
    tool_name: &str,
    key: &str,
    expected: &Value,
    calls: &[ToolCall],
) -> bool {
    any_call(tool_name, calls, |actual| {
        actual.get(key).is_some_and(|value| deep_equal(expected, value))
    })
}

fn any_call(
    tool_name: &str,
    calls: &[ToolCall],
    holds: impl Fn(&Map<String, Value>) -> bool,
) -> bool {
    let empty = Map::new();
    calls
        .iter()
        .filter(|call| call.tool_name == tool_name)
        .any(|call| holds(call.arguments.as_object().unwrap_or(&empty)))
}

fn holds_all(expected: &Map<String, Value>, actual: &Map<String, Value>) -> bool {
    expected
        .iter()
        .all(|(key, value)| actual.get(key).is_some_and(|other| deep_equal(value, other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_compare_in_their_own_ways() {
        assert!(!match_tool_calls_equal(&["a", "b"], &["b", "a"]));
        assert!(match_tool_calls_subset(&["a", "a"], &["a"]));
        assert!(!match_any_tool_call(&[], &["a"]));
        assert!(match_tool_call_count("a", &["a", "b", "a"], 2));
    }
}
