//! Argument matching, shared by `toolCalledWith` and the matcher (predicates 9.1).

use howfar_wire::canon::es_trim;
use howfar_wire::matching::ArgumentMatching;
use serde_json::{Map, Value};

/// Expected arguments, read once and compared often.
#[derive(Debug, Clone)]
pub struct ArgumentPattern {
    mode: ArgumentMatching,
    expected: Vec<(String, Expectation)>,
}

#[derive(Debug, Clone)]
enum Expectation {
    Equal(Value),
    Placeholder(Placeholder),
}

/// A word that stands for any value of a type, at the top level of partial matching only.
#[derive(Debug, Clone, Copy)]
enum Placeholder {
    Any,
    String,
    Number,
    Boolean,
    Object,
    Array,
    Null,
}

impl ArgumentPattern {
    /// Reads expected arguments; anything but an object stands for the empty object.
    pub fn new(mode: ArgumentMatching, expected: &Value) -> Self {
        let member = |(key, value): (&String, &Value)| {
            let placeholder = match mode {
                ArgumentMatching::Partial => Placeholder::read(value),
                ArgumentMatching::Exact | ArgumentMatching::Ignore => None,
            };
            let expectation = placeholder
                .map_or_else(|| Expectation::Equal(value.clone()), Expectation::Placeholder);
            (key.clone(), expectation)
        };
        let expected = expected.as_object().map(|object| object.iter().map(member).collect());
        Self { mode, expected: expected.unwrap_or_default() }
    }

    /// Whether observed arguments fit; anything but an object stands for the empty object.
    pub fn fits(&self, actual: &Value) -> bool {
        match self.mode {
            ArgumentMatching::Ignore => true,
            ArgumentMatching::Partial => self.every_key_fits(actual),
            ArgumentMatching::Exact => {
                actual.as_object().map_or(0, Map::len) == self.expected.len()
                    && self.every_key_fits(actual)
            }
        }
    }

    fn every_key_fits(&self, actual: &Value) -> bool {
        self.expected.iter().all(|(key, expectation)| {
            actual.get(key).is_some_and(|value| match expectation {
                Expectation::Equal(expected) => deep_equal(expected, value),
                Expectation::Placeholder(placeholder) => placeholder.fits(value),
            })
        })
    }
}

impl Placeholder {
    fn read(value: &Value) -> Option<Self> {
        match es_trim(value.as_str()?).to_lowercase().as_str() {
            "any" => Some(Self::Any),
            "string" => Some(Self::String),
            "number" => Some(Self::Number),
            "boolean" => Some(Self::Boolean),
            "object" => Some(Self::Object),
            "array" => Some(Self::Array),
            "null" => Some(Self::Null),
            _ => None,
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Any => true,
            Self::String => value.is_string(),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
            Self::Null => value.is_null(),
        }
    }
}

/// Whether observed arguments fit expected ones under a mode.
pub fn arguments_match(mode: ArgumentMatching, expected: &Value, actual: &Value) -> bool {
    ArgumentPattern::new(mode, expected).fits(actual)
}

/// Equal types and values: numbers by value, objects without key order, arrays in order.
pub(crate) fn deep_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| deep_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, value): (&String, &Value)| {
                b.get(key).is_some_and(|other| deep_equal(value, other))
            };
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(mode: ArgumentMatching, expected: Value, actual: Value, fits: bool) {
        assert_eq!(arguments_match(mode, &expected, &actual), fits, "{expected} {actual}");
    }

    #[test]
    fn partial_compares_expected_keys_only() {
        check(ArgumentMatching::Partial, json!({"a": 1}), json!({"a": 1.0, "b": 2}), true);
        check(
            ArgumentMatching::Partial,
            json!({"a": {"b": 1}}),
            json!({"a": {"b": 1, "c": 2}}),
            false,
        );
        check(ArgumentMatching::Partial, json!({"a": null}), json!({}), false);
    }

    #[test]
    fn placeholders_hold_at_the_top_level_only() {
        check(ArgumentMatching::Partial, json!({"a": " Any "}), json!({"a": null}), true);
        check(
            ArgumentMatching::Partial,
            json!({"a": {"b": "string"}}),
            json!({"a": {"b": "x"}}),
            false,
        );
        check(ArgumentMatching::Exact, json!({"a": "any"}), json!({"a": 1}), false);
    }

    #[test]
    fn exact_refuses_further_keys() {
        check(ArgumentMatching::Exact, json!({}), json!({"a": 1}), false);
        check(ArgumentMatching::Ignore, json!({"a": 1}), Value::Null, true);
    }
}
