//! Arguments against the input schema of their tool.

use howfar_core::predicate::schema::{CompiledSchema, Violation, ViolationClass};
use howfar_mcp::ToolEntry;
use serde_json::{Map, Value};

use super::references::Arguments;

/// Keywords of the schema's root that a part of the arguments cannot be held to.
const ABOUT_THE_WHOLE: [&str; 13] = [
    "required",
    "minProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
];

/// Words that stand for any value of a type in an expected call.
const PLACEHOLDERS: [&str; 7] = ["any", "string", "number", "boolean", "object", "array", "null"];

/// Every way in which the arguments do not fit; empty when they do, or nothing is known of them.
///
/// # Errors
///
/// Why the schema cannot be used.
pub(super) fn check_arguments(
    tool: &ToolEntry,
    arguments: &Arguments<'_>,
) -> Result<Vec<String>, String> {
    match arguments {
        Arguments::Unsaid => Ok(Vec::new()),
        Arguments::Exact(whole) => violations(tool, &tool.input_schema, whole),
        Arguments::Fixed(whole) => violations(tool, &tool.input_schema, whole),
        Arguments::AtLeast(part) => {
            let mut schema = tool.input_schema.clone();
            schema.retain(|key, _| !ABOUT_THE_WHOLE.contains(&key.as_str()));
            violations(tool, &schema, &without_placeholders(part))
        }
    }
    .map(|found| {
        let partial = matches!(arguments, Arguments::AtLeast(_));
        // A referred schema may want more at the root than a part has.
        let about_the_rest =
            |it: &Violation| it.at == "#" && it.class == ViolationClass::MissingRequired;
        let kept = found.into_iter().filter(|it| !(partial && about_the_rest(it)));
        kept.map(|it| message(tool, &it)).collect()
    })
}

fn violations(
    tool: &ToolEntry,
    schema: &Map<String, Value>,
    arguments: &Value,
) -> Result<Vec<Violation>, String> {
    let found = CompiledSchema::new(&Value::Object(schema.clone()))
        .and_then(|schema| schema.violations(arguments));
    found.map_err(|error| {
        format!("the input schema of tool \"{}\" cannot be used: {error}", tool.name)
    })
}

fn without_placeholders(part: &Value) -> Value {
    let stands_for_any = |value: &Value| {
        let word = value.as_str().map(|text| text.trim().to_lowercase());
        word.is_some_and(|word| PLACEHOLDERS.contains(&word.as_str()))
    };
    let members = part.as_object().into_iter().flatten();
    let kept = members.filter(|(_, value)| !stands_for_any(value));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
}

fn message(tool: &ToolEntry, violation: &Violation) -> String {
    let place = violation.at.strip_prefix("#/").map(|at| format!(" at {at}")).unwrap_or_default();
    format!("tool \"{}\" refuses these arguments{place}: {}", tool.name, violation.message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(arguments: &Arguments<'_>, expected: usize) {
        let schema = json!({
            "type": "object", "required": ["a", "b"], "additionalProperties": false,
            "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        });
        let Value::Object(input_schema) = schema else { panic!("a schema is an object") };
        let tool = ToolEntry {
            name: "t".to_owned(),
            description: None,
            input_schema,
            output_schema: None,
            annotations: None,
            raw: Value::Null,
        };
        assert_eq!(check_arguments(&tool, arguments).map(|found| found.len()), Ok(expected));
    }

    #[test]
    fn a_part_is_not_held_to_what_is_missing() {
        check(&Arguments::AtLeast(&json!({"a": 1})), 0);
        check(&Arguments::AtLeast(&json!({"a": " Any "})), 0);
        check(&Arguments::AtLeast(&json!({"a": "one"})), 1);
        check(&Arguments::AtLeast(&json!({"c": 1})), 1);
    }

    #[test]
    fn the_whole_is() {
        check(&Arguments::Exact(&json!({"a": 1})), 1);
        check(&Arguments::Fixed(json!({"a": 1, "b": "x"})), 0);
        check(&Arguments::Unsaid, 0);
    }
}
