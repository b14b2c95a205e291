//! Comparing JSON values as documents compare: numbers are doubles, key order never matters, array order always does.

use serde_json::Value;

/// The first place where two values differ, as `path: left != right`; `None` when they are equal.
///
/// The text `"<any>"` on the right stands for any non-empty text.
pub fn difference(found: &Value, expected: &Value) -> Option<String> {
    differ(found, expected, &mut String::from("$"))
}

fn differ(found: &Value, expected: &Value, path: &mut String) -> Option<String> {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (Value::String(a), Value::String(b)) if a == b || (b == "<any>" && !a.is_empty()) => None,
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(at, (a, b))| within(path, &format!("[{at}]"), a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let missing = b.keys().find(|key| !a.contains_key(*key));
            let extra = a.keys().find(|key| !b.contains_key(*key));
            if let Some(key) = missing {
                return Some(format!("{path}.{key}: missing, expected {}", b[key]));
            }
            if let Some(key) = extra {
                return Some(format!("{path}.{key}: {} is there, expected nothing", a[key]));
            }
            a.iter().find_map(|(key, value)| within(path, &format!(".{key}"), value, &b[key]))
        }
        (a, b) if a == b => None,
        (a, b) => Some(format!("{path}: found {a}, expected {b}")),
    }
}

fn within(path: &mut String, segment: &str, found: &Value, expected: &Value) -> Option<String> {
    let len = path.len();
    path.push_str(segment);
    let answer = differ(found, expected, path);
    path.truncate(len);
    answer
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_compare_by_value_and_keys_in_any_order() {
        assert_eq!(difference(&json!({"a": 1, "b": 2}), &json!({"b": 2.0, "a": 1.0})), None);
    }

    #[test]
    fn the_first_difference_is_named_with_its_path() {
        let found = difference(&json!({"a": [1, {"b": null}]}), &json!({"a": [1, {}]}));
        assert_eq!(found.as_deref(), Some("$.a[1].b: null is there, expected nothing"));
    }
}
