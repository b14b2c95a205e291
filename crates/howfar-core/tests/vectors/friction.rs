//! Vectors of the friction signals.

use howfar_core::friction::{self, CallRecord, FrictionInput, NormalizedResult};
use howfar_testkit::json::difference;
use howfar_testkit::vectors::{Check, VectorFile};
use howfar_wire::friction as wire;
use howfar_wire::vocabulary::{
    CallOrdering, ConditionConfidence, ConditionSkip, FrictionGap, FrictionSignalKind,
    PaginationKey, SuspectedCondition, Vocabulary,
};
use serde_json::{Map, Value, json};

use crate::{Outcome, same};

const fn file(file: &'static str, check: Check) -> VectorFile {
    VectorFile { area: "friction", file, check }
}

pub(crate) const FILES: &[VectorFile] = &[
    file("derive_calls.jsonl", derive_calls),
    file("derive_messages.jsonl", derive_messages),
    file("derive_records.jsonl", derive_records),
    file("extract_identifiers.jsonl", extract_identifiers),
    file("normalize_result.jsonl", normalize_result),
    file("call_records.jsonl", call_records),
    file("result_map.jsonl", result_map),
    file("available_before.jsonl", available_before),
    file("canonical_arguments.jsonl", canonical_arguments),
    file("validate_document.jsonl", validate_document),
    file("validate_condition_verdict.jsonl", validate_condition_verdict),
    file("project_metadata.jsonl", project_metadata),
    file("vocabulary.json", vocabulary),
];

fn derive_calls(vector: &Value) -> Outcome {
    let input = FrictionInput::parse(&vector["input"]).map_err(|error| error.to_string())?;
    derived(&input, vector)
}

fn derive_messages(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let results = friction::results_of_messages(items(&input["messages"]));
    let tools_called = items(&input["toolsCalled"]);
    derived(&FrictionInput { tools_called, results, evidence_hole: None }, vector)
}

/// The document is the expected one, is sound when read back, and holds no identifier of its results.
fn derived(input: &FrictionInput<'_>, vector: &Value) -> Outcome {
    let document = friction::derive_friction(input).map_err(|error| error.to_string())?;
    same(&document, &vector["expect"])?;
    if friction::validate_friction(&json!(document)).as_ref() != Ok(&document) {
        return Err("the document is not sound when it is read back".to_owned());
    }
    let words = words(&json!(document));
    let leaked = input.results.values().find_map(|entry| {
        let found = friction::extract_identifiers(&friction::normalize_result(entry.raw));
        let in_key = |value: &String| found.key_paths.iter().any(|path| path.contains(value));
        found.values.into_iter().find(|value| words.contains(value) && !in_key(value))
    });
    leaked.map_or(Ok(()), |value| Err(format!("{value} leaves the derivation")))
}

/// Every text that a document holds as a value.
fn words(document: &Value) -> Vec<String> {
    match document {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(words).collect(),
        Value::Object(object) => object.values().flat_map(words).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn derive_records(vector: &Value) -> Outcome {
    let records: Vec<_> = items(&vector["input"]["records"]).iter().map(record).collect();
    let document = friction::derive_records(&records, None).map_err(|error| error.to_string())?;
    same(&document, &vector["expect"])
}

fn extract_identifiers(vector: &Value) -> Outcome {
    let found = friction::extract_identifiers(&result(&vector["input"]));
    let found = json!({
        "values": found.values,
        "keyPaths": found.key_paths,
        "truncated": found.truncated,
    });
    same(&found, &vector["expect"])
}

fn normalize_result(vector: &Value) -> Outcome {
    let found = friction::normalize_result(&vector["input"]["raw"]);
    same(&result_json(&found), &vector["expect"])
}

fn call_records(vector: &Value) -> Outcome {
    let input = FrictionInput::parse(&vector["input"]).map_err(|error| error.to_string())?;
    let records: Vec<_> = friction::call_records(&input).iter().map(record_json).collect();
    difference(&json!(records), &vector["expect"]).map_or(Ok(()), Err)
}

fn result_map(vector: &Value) -> Outcome {
    let results = friction::results_of_messages(items(&vector["input"]["messages"]));
    let entry =
        |(id, entry): (&str, friction::ResultEntry<'_>)| (id.to_owned(), json!({"raw": entry.raw}));
    let found: Map<String, Value> = results.into_iter().map(entry).collect();
    difference(&json!(found), &vector["expect"]).map_or(Ok(()), Err)
}

fn available_before(vector: &Value) -> Outcome {
    let (k, j) = (record(&vector["input"]["k"]), record(&vector["input"]["j"]));
    same(&friction::available_before(&k, &j), &vector["expect"])
}

fn canonical_arguments(vector: &Value) -> Outcome {
    same(&friction::canonical_arguments(vector["input"].get("value")), &vector["expect"])
}

fn validate_document(vector: &Value) -> Outcome {
    validated(friction::validate_friction(&vector["input"]), vector)
}

fn validate_condition_verdict(vector: &Value) -> Outcome {
    validated(friction::validate_condition(&vector["input"]), vector)
}

/// The answer is as expected, and what was accepted is written back as it was.
fn validated<T: serde::Serialize>(
    answer: Result<T, Vec<howfar_core::Problem>>,
    vector: &Value,
) -> Outcome {
    let written = answer.as_ref().ok().map(|document| json!(document));
    same(&json!({"valid": answer.is_ok()}), &vector["expect"])?;
    written.and_then(|written| difference(&written, &vector["input"])).map_or(Ok(()), Err)
}

fn project_metadata(vector: &Value) -> Outcome {
    let projected = friction::project_friction(&vector["input"]["metadata"]);
    difference(&json!(projected), &vector["expect"]).map_or(Ok(()), Err)
}

fn vocabulary(vector: &Value) -> Outcome {
    let words = &vector["words"];
    same(&wire::FRICTION_VERSION, &vector["version"])?;
    let constants = [
        ("maxCalls", wire::MAX_CALLS),
        ("maxSignals", wire::MAX_SIGNALS),
        ("maxKeyPaths", wire::MAX_KEY_PATHS),
        ("maxRepeatCallIndexes", wire::MAX_REPEAT_INDEXES),
        ("maxPaginationKeys", wire::MAX_PAGINATION_KEYS),
        ("maxRemediationChars", wire::MAX_REMEDIATION_CHARS),
        ("maxFieldPathChars", wire::MAX_FIELD_PATH_CHARS),
    ];
    for (key, constant) in constants {
        same(&constant, &vector["constants"][key])?;
    }
    members::<FrictionSignalKind>(&vector["signalKinds"], &words["signalKinds"])?;
    members::<FrictionGap>(&vector["notMeasuredReasons"], &words["notMeasuredReasons"])?;
    members::<CallOrdering>(&vector["orderings"], &Value::Null)?;
    members::<PaginationKey>(&vector["paginationKeys"], &Value::Null)?;
    members::<SuspectedCondition>(&vector["suspectedConditions"], &words["suspectedConditions"])?;
    members::<ConditionConfidence>(&vector["confidences"], &Value::Null)?;
    members::<ConditionSkip>(&vector["skipReasons"], &Value::Null)
}

fn members<V: Vocabulary>(list: &Value, words: &Value) -> Outcome {
    let wires: Vec<_> = V::ALL.iter().map(|member| member.as_str()).collect();
    same(&wires, list)?;
    let differs = |member: &&V| !words.is_null() && words[member.as_str()] != member.label();
    match V::ALL.iter().find(differs) {
        Some(member) => Err(format!("{} is labelled {:?}", member.as_str(), member.label())),
        None => Ok(()),
    }
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn record(value: &Value) -> CallRecord<'_> {
    CallRecord {
        index: wire::CallIndex(value["index"].as_u64().unwrap_or_default()),
        tool_name: value["toolName"].as_str().unwrap_or_default(),
        tool_call_id: value["toolCallId"].as_str(),
        arguments: value.get("arguments"),
        result: (value["resultAvailable"] == true).then(|| result(&value["result"])),
        ordering: value["ordering"]
            .as_str()
            .and_then(CallOrdering::from_wire)
            .unwrap_or(CallOrdering::Unknown),
        started_at_ms: value["startedAtMs"].as_f64(),
        settled_at_ms: value["settledAtMs"].as_f64(),
    }
}

fn record_json(record: &CallRecord<'_>) -> Value {
    let optional = [
        ("toolCallId", record.tool_call_id.map(Value::from)),
        ("arguments", record.arguments.cloned()),
        ("result", record.result.as_ref().map(result_json)),
        ("startedAtMs", record.started_at_ms.map(Value::from)),
        ("settledAtMs", record.settled_at_ms.map(Value::from)),
    ];
    let mut object = Map::from_iter([
        ("index".to_owned(), json!(record.index)),
        ("toolName".to_owned(), json!(record.tool_name)),
        ("resultAvailable".to_owned(), json!(record.result.is_some())),
        ("ordering".to_owned(), json!(record.ordering)),
    ]);
    object.extend(optional.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    Value::Object(object)
}

fn result(value: &Value) -> NormalizedResult<'_> {
    NormalizedResult {
        structured_content: value.get("structuredContent"),
        text_parts: items(&value["textParts"]).iter().filter_map(Value::as_str).collect(),
        is_error: value["isError"] == true,
    }
}

fn result_json(result: &NormalizedResult<'_>) -> Value {
    let structured =
        result.structured_content.map(|content| ("structuredContent", content.clone()));
    let rest = [("textParts", json!(result.text_parts)), ("isError", json!(result.is_error))];
    structured.into_iter().chain(rest).map(|(key, value)| (key.to_owned(), value)).collect()
}
