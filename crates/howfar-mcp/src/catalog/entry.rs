//! One entry of a listing: usable, or quarantined with a reason.

use serde_json::{Map, Value};

use super::ToolEntry;

/// Hints whose value must be a boolean.
const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/// The tool of an entry with remarks about members of a wrong type, or the reason why it cannot be used.
pub(super) fn read_entry(raw: &Value) -> Result<(ToolEntry, Vec<String>), String> {
    let Value::Object(members) = raw else { return Err("the entry is not an object".to_owned()) };
    let name = match members.get("name") {
        Some(Value::String(name)) if name.is_empty() => return Err("the name is empty".to_owned()),
        Some(Value::String(name)) => name.clone(),
        Some(_) => return Err("the name is not text".to_owned()),
        None => return Err("there is no name".to_owned()),
    };
    let input_schema = match members.get("inputSchema") {
        Some(Value::Object(schema)) if is_another_type(schema) => {
            return Err("inputSchema is not of type object".to_owned());
        }
        Some(Value::Object(schema)) => schema.clone(),
        Some(_) => return Err("inputSchema is not an object".to_owned()),
        None => return Err("there is no inputSchema".to_owned()),
    };
    let mut remarks = Vec::new();
    let description = text_member(members, "description", &mut remarks);
    text_member(members, "title", &mut remarks);
    let output_schema = object_member(members, "outputSchema", &mut remarks);
    let annotations = object_member(members, "annotations", &mut remarks);
    if let Some(annotations) = &annotations {
        remarks.extend(
            HINTS
                .iter()
                .filter(|hint| !is_flag(annotations.get(**hint)))
                .map(|hint| format!("annotations.{hint} is not true or false")),
        );
    }
    Ok((
        ToolEntry { name, description, input_schema, output_schema, annotations, raw: raw.clone() },
        remarks,
    ))
}

/// Whether a schema declares one type, and not the one that arguments have: no model can be offered such a tool. A word
/// that is no type makes the schema unusable, which its own check says.
fn is_another_type(schema: &Map<String, Value>) -> bool {
    let declared = schema.get("type").and_then(Value::as_str);
    matches!(declared, Some("string" | "number" | "integer" | "boolean" | "array" | "null"))
}

fn text_member(
    members: &Map<String, Value>,
    member: &str,
    remarks: &mut Vec<String>,
) -> Option<String> {
    match members.get(member) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => {
            remarks.push(format!("{member} is not text"));
            None
        }
    }
}

fn object_member(
    members: &Map<String, Value>,
    member: &str,
    remarks: &mut Vec<String>,
) -> Option<Map<String, Value>> {
    match members.get(member) {
        None | Some(Value::Null) => None,
        Some(Value::Object(object)) => Some(object.clone()),
        Some(_) => {
            remarks.push(format!("{member} is not an object"));
            None
        }
    }
}

const fn is_flag(value: Option<&Value>) -> bool {
    matches!(value, None | Some(Value::Null | Value::Bool(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(entry: Value, expected: Result<&[&str], &str>) {
        let read = read_entry(&entry).map(|(_, remarks)| remarks);
        let expected =
            expected.map(|remarks| remarks.iter().map(|r| (*r).to_owned()).collect::<Vec<_>>());
        assert_eq!(read, expected.map_err(str::to_owned));
    }

    #[test]
    fn an_entry_without_name_or_schema_is_quarantined() {
        check(json!("echo"), Err("the entry is not an object"));
        check(json!({"inputSchema": {}}), Err("there is no name"));
        check(json!({"name": 7, "inputSchema": {}}), Err("the name is not text"));
        check(json!({"name": "a"}), Err("there is no inputSchema"));
        check(json!({"name": "a", "inputSchema": "object"}), Err("inputSchema is not an object"));
        let of_text = json!({"name": "a", "inputSchema": {"type": "string"}});
        check(of_text, Err("inputSchema is not of type object"));
    }

    #[test]
    fn wrong_types_elsewhere_leave_the_tool_usable() {
        let entry = json!({"name": "a", "inputSchema": {}, "description": 1, "annotations": {"readOnlyHint": "yes"}});
        check(
            entry,
            Ok(&["description is not text", "annotations.readOnlyHint is not true or false"]),
        );
    }

    #[test]
    fn null_is_the_same_as_absent() {
        check(
            json!({"name": "a", "inputSchema": {}, "description": null, "title": null, "annotations": null}),
            Ok(&[]),
        );
    }
}
