//! Parameters: their schemas, and reading them with errors that a model can act on.

use std::any::Any;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::failure::ToolFailure;

/// The schema of a tool's parameters: JSON Schema 2020-12 without references, which not every client follows.
pub(super) fn input_schema<P: JsonSchema + Any>() -> Arc<Map<String, Value>> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    object_of::<P>(settings)
}

/// The schema of a tool's answer: what is written, in JSON Schema 2020-12. What the members of closed lists mean is in the
/// glossary and not here again.
pub(super) fn output_schema<A: JsonSchema + Any>() -> Arc<Map<String, Value>> {
    let mut schema = object_of::<A>(SchemaSettings::draft2020_12().for_serialize());
    Arc::make_mut(&mut schema).values_mut().for_each(fold_words);
    schema
}

fn object_of<T: JsonSchema>(settings: SchemaSettings) -> Arc<Map<String, Value>> {
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    // The name of a type tells a model nothing.
    schema.remove("title");
    schema.values_mut().for_each(drop_number_formats);
    schema.insert("type".to_owned(), Value::from("object"));
    Arc::new(schema)
}

/// Drops formats that name a width of numbers, which no standard knows and some validators complain about.
fn drop_number_formats(schema: &mut Value) {
    let is_width = |format: &Value| {
        let format = format.as_str().unwrap_or_default();
        ["int", "uint", "float", "double"].iter().any(|width| format.starts_with(width))
    };
    match schema {
        Value::Object(members) => {
            if members.get("format").is_some_and(is_width) {
                members.remove("format");
            }
            members.values_mut().for_each(drop_number_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_number_formats),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Writes a choice between constants as an `enum`.
fn fold_words(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let constant =
                |choice: &Value| choice.get("const").filter(|word| word.is_string()).cloned();
            let choices = members.get("oneOf").and_then(Value::as_array);
            let words: Option<Vec<Value>> =
                choices.and_then(|choices| choices.iter().map(constant).collect());
            if let Some(words) = words {
                members.remove("oneOf");
                members.insert("enum".to_owned(), Value::Array(words));
            }
            members.values_mut().for_each(fold_words);
        }
        Value::Array(items) => items.iter_mut().for_each(fold_words),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Reads the arguments of a call. An unknown, missing or impossible one is a failure that names it, and what the tool
/// takes.
pub(super) fn read<P: DeserializeOwned + JsonSchema + Any>(
    tool: &str,
    arguments: Map<String, Value>,
) -> Result<P, ToolFailure> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let what = match path.as_str() {
            "." | "?" => format!("{}", error.inner()),
            path => format!("the parameter `{path}`: {}", error.inner()),
        };
        ToolFailure::new("invalid_parameter", what, taken::<P>(tool))
    })
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
