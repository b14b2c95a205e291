//! One check at its write boundary, and the lists that suite-standard checks make.

use howfar_suite::{
    ListMode, MAX_SUPPRESSED, check_predicate, effective_list, is_suppressed, stored_suppressions,
};
use howfar_wire::Vocabulary as _;
use howfar_wire::vocabulary::{PredicateKind, StandardCheckId};
use serde_json::{Map, Value, json};

use crate::same;

pub(crate) fn authoring(vector: &Value) -> Result<(), String> {
    let expect = &vector["expect"];
    let issues = check_predicate(&expanded(&vector["input"]["predicate"]));
    same(&json!(issues.is_empty()), &expect["accepted"])
        .map_err(|error| format!("{error}: {issues:?}"))?;
    if let Some(paths) = expect.get("paths") {
        let mut found: Vec<_> = issues.iter().map(howfar_suite::PredicateIssue::pointer).collect();
        found.sort_unstable();
        same(&json!(found), paths)?;
    }
    if let Some(messages) = expect["messages"].as_array() {
        let mut expected: Vec<_> = messages.iter().filter_map(Value::as_str).collect();
        let mut found: Vec<_> = issues.iter().map(|issue| issue.message.as_str()).collect();
        expected.sort_unstable();
        found.sort_unstable();
        same(&json!(found), &json!(expected))?;
    }
    Ok(())
}

pub(crate) fn envelope(vector: &Value) -> Result<(), String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let case = &vector["input"]["case"];
    let mode = match case["mode"].as_str() {
        Some("replace") => ListMode::Replace,
        Some("extend") => ListMode::Extend,
        Some("inherit") | None => ListMode::Inherit,
        Some(other) => return Err(format!("unknown mode {other}")),
    };
    let found =
        effective_list(&list(&vector["input"]["suiteDefaults"]), mode, &list(&case["list"]));
    same(&json!(found), &vector["expect"]["effective"])
}

pub(crate) fn suppressed(vector: &Value) -> Result<(), String> {
    let empty = Vec::new();
    let input = &vector["input"];
    let ids = input["ids"].as_array().unwrap_or(&empty);
    let known: Option<Vec<StandardCheckId>> =
        ids.iter().map(|id| id.as_str().and_then(StandardCheckId::from_wire)).collect();
    let Some(ids) = known.filter(|_| ids.len() <= MAX_SUPPRESSED) else {
        return same(&json!({"error": true}), &vector["expect"]);
    };
    let kept: Vec<&str> = input["defaults"]
        .as_array()
        .unwrap_or(&empty)
        .iter()
        .filter_map(|check| check["type"].as_str())
        .filter(|kind| PredicateKind::from_wire(kind).is_none_or(|kind| !is_suppressed(kind, &ids)))
        .collect();
    same(&json!({"ids": stored_suppressions(&ids), "kept": kept}), &vector["expect"])
}

/// The vectors' macros, replaced.
fn expanded(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expanded).collect(),
        Value::Object(object) => macro_value(object).unwrap_or_else(|| {
            object.iter().map(|(key, value)| (key.clone(), expanded(value))).collect()
        }),
        other => other.clone(),
    }
}

fn macro_value(object: &Map<String, Value>) -> Option<Value> {
    if object.len() != 1 {
        return None;
    }
    let count = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
    if let Some(repeat) = object.get("$repeat") {
        return Some(json!(repeat[0].as_str()?.repeat(count(&repeat[1])?)));
    }
    if let Some(fill) = object.get("$fill") {
        return Some(Value::Array(vec![expanded(&fill[0]); count(&fill[1])?]));
    }
    let parts = object.get("$concat")?.as_array()?;
    let parts: Vec<Value> = parts.iter().map(expanded).collect();
    Some(json!(parts.iter().filter_map(Value::as_str).collect::<String>()))
}
