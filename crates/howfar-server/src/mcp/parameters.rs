//! Parameters: their schemas, and reading them with errors that a model can act on.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answer::{Budget, DEFAULT_ANSWER_BYTES, MAX_ANSWER_BYTES, MIN_ANSWER_BYTES};
use super::failure::ToolFailure;

/// The parameter that every tool takes beside its own: how large the answer may be.
const MAX_BYTES: &str = "maxBytes";

/// The schema of a tool's parameters: JSON Schema 2020-12 without references, which not every client follows.
pub(super) fn input_schema<P: JsonSchema + Any>() -> Arc<Map<String, Value>> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = object_of::<P>(settings);
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    properties[MAX_BYTES] = json!({
        "type": "integer", "minimum": MIN_ANSWER_BYTES, "maximum": MAX_ANSWER_BYTES,
        "description": format!(
            "The most bytes of JSON that the answer may have; {DEFAULT_ANSWER_BYTES} without it."
        ),
    });
    Arc::new(schema)
}

/// The schema of a tool's answer: what is written, in JSON Schema 2020-12.
///
/// A client may put the list of tools before a model at every turn, so it is kept short: only the answer and its document
/// describe their members. What the parts of documents mean is in `howfar schema`.
pub(super) fn output_schema<A: JsonSchema + Any>() -> Arc<Map<String, Value>> {
    let mut schema = object_of::<A>(SchemaSettings::draft2020_12().for_serialize());
    let document = schema["properties"]["document"]["$ref"].as_str().unwrap_or_default();
    let document = document.trim_start_matches("#/$defs/").to_owned();
    let parts = schema.get_mut("$defs").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, part) in parts.filter(|(name, _)| **name != document) {
        each_schema(part, &drop_description);
    }
    Arc::new(schema)
}

fn object_of<T: JsonSchema>(settings: SchemaSettings) -> Map<String, Value> {
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    each_schema(&mut schema, &|schema| {
        drop_number_format(schema);
        fold_words(schema);
        drop_nulls(schema);
    });
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    // The name of a type tells a model nothing.
    schema.remove("title");
    schema.insert("type".to_owned(), Value::from("object"));
    schema
}

/// Changes every object of a schema, the inner ones first.
fn each_schema(schema: &mut Value, change: &impl Fn(&mut Map<String, Value>)) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(|member| each_schema(member, change));
            change(members);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_schema(item, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Drops a description. A member of that name has a schema, and stays.
fn drop_description(schema: &mut Map<String, Value>) {
    if schema.get("description").is_some_and(Value::is_string) {
        schema.remove("description");
    }
}

/// Drops a format that names a width of numbers, which no standard knows and some validators complain about.
fn drop_number_format(schema: &mut Map<String, Value>) {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    if ["int", "uint", "float", "double"].iter().any(|width| format.starts_with(width)) {
        schema.remove("format");
    }
}

/// Writes a choice between constants as an `enum`. What they mean is in the glossary.
fn fold_words(schema: &mut Map<String, Value>) {
    let constant = |choice: &Value| choice.get("const").filter(|word| word.is_string()).cloned();
    let choices = schema.get("oneOf").and_then(Value::as_array);
    let words: Option<Vec<Value>> =
        choices.and_then(|choices| choices.iter().map(constant).collect());
    if let Some(words) = words {
        schema.remove("oneOf");
        schema.insert("enum".to_owned(), Value::Array(words));
    }
}

/// What may be absent is absent and never null: its schema does not offer both.
fn drop_nulls(schema: &mut Map<String, Value>) {
    let required: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for (name, property) in properties {
        let Some(members) = property.as_object_mut().filter(|_| !required.contains(name)) else {
            continue;
        };
        if let Some([kind, null]) = members.get("type").and_then(Value::as_array).map(Vec::as_slice)
            && null == "null"
        {
            let kind = kind.clone();
            members.insert("type".to_owned(), kind);
        }
        if let Some([choice, null]) =
            members.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
            && null["type"] == "null"
        {
            let choice = choice.as_object().cloned().unwrap_or_default();
            members.remove("anyOf");
            for (key, value) in choice {
                members.entry(key).or_insert(value);
            }
        }
    }
}

/// Reads the arguments of a call: the parameters, and how large the answer may be. An unknown, missing or impossible one
/// is a failure that names it, and what the tool takes.
pub(super) fn read<P: DeserializeOwned + JsonSchema + Any>(
    tool: &str,
    mut arguments: Map<String, Value>,
) -> Result<(P, Budget), ToolFailure> {
    let invalid = |path: &str, why: &dyn fmt::Display| {
        let what = match path {
            "." | "?" => why.to_string(),
            path => format!("the parameter `{path}`: {why}"),
        };
        ToolFailure::new("invalid_parameter", what, taken::<P>(tool))
    };
    let max_bytes = arguments.remove(MAX_BYTES).map(serde_json::from_value);
    let max_bytes = max_bytes.transpose().map_err(|error| invalid(MAX_BYTES, &error))?;
    let parameters = serde_path_to_error::deserialize(Value::Object(arguments))
        .map_err(|error| invalid(&error.path().to_string(), error.inner()))?;
    Ok((parameters, Budget::of(max_bytes.flatten())?))
}

/// What a tool takes, in one line.
fn taken<P: JsonSchema + Any>(tool: &str) -> String {
    let schema = input_schema::<P>();
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let name = |name: &String| match required.contains(&name.as_str()) {
        true => format!("{name} (required)"),
        false => name.clone(),
    };
    let names: Vec<String> =
        properties.map(|properties| properties.keys().map(name).collect()).unwrap_or_default();
    format!("{tool} takes {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Named {
        /// The run.
        run_id: String,
    }

    fn refused(arguments: Value) -> String {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        read::<Named>("a_tool", arguments).map(drop).expect_err("it is refused").to_string()
    }

    #[test]
    fn the_size_of_the_answer_is_no_parameter_of_one_tool() {
        let arguments = json!({ "runId": "r", "maxBytes": 5_000 });
        let read = read::<Named>("a_tool", arguments.as_object().cloned().unwrap_or_default());
        assert_eq!(read.expect("both are read").0.run_id, "r");
        let words = refused(json!({ "runId": "r", "maxBytes": "many" }));
        assert!(words.contains("the parameter `maxBytes`: invalid type"), "{words}");
        assert!(refused(json!({ "runId": "r", "maxBytes": 1 })).contains("4000 to 400000"));
    }

    #[test]
    fn a_refusal_says_what_the_tool_takes() {
        let words = refused(json!({ "run": "r" }));
        assert!(words.contains("Next: a_tool takes runId (required), maxBytes"), "{words}");
    }

    #[test]
    fn an_optional_member_is_never_null_and_keeps_its_own_words() {
        let mut schema = json!({
            "properties": {
                "a": { "description": "mine", "anyOf": [{ "$ref": "x", "description": "its" }, { "type": "null" }] },
                "b": { "type": ["string", "null"] },
            },
            "required": ["b"],
        });
        each_schema(&mut schema, &drop_nulls);
        assert_eq!(schema["properties"]["a"], json!({ "description": "mine", "$ref": "x" }));
        assert_eq!(schema["properties"]["b"], json!({ "type": ["string", "null"] }));
    }
}
