//! Macros of vector inputs: `$repeat`, `$fill` and `$concat`.

use serde_json::Value;

/// A value with every macro replaced.
pub(super) fn expanded(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expanded).collect(),
        Value::Object(object) => match object.iter().next() {
            Some((name, argument)) if object.len() == 1 && name.starts_with('$') => {
                expand(name, argument).unwrap_or_else(|| members(object))
            }
            _ => members(object),
        },
        other => other.clone(),
    }
}

fn members(object: &serde_json::Map<String, Value>) -> Value {
    Value::Object(object.iter().map(|(key, value)| (key.clone(), expanded(value))).collect())
}

fn expand(name: &str, argument: &Value) -> Option<Value> {
    let count = || argument[1].as_u64().and_then(|count| usize::try_from(count).ok());
    match name {
        "$repeat" => Some(Value::from(argument[0].as_str()?.repeat(count()?))),
        "$fill" => Some(Value::from(vec![expanded(&argument[0]); count()?])),
        "$concat" => {
            let parts = argument.as_array()?.iter().map(expanded);
            Some(Value::from(
                parts.map(|part| part.as_str().unwrap_or_default().to_owned()).collect::<String>(),
            ))
        }
        _ => None,
    }
}
