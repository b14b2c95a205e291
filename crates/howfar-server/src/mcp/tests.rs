//! What holds for all tools.

use serde_json::Value;

use super::catalog::TOOLS;

/// The most bytes of the list of tools: a client may put it before a model at every turn.
const LIST_BYTES: usize = 78_000;

#[test]
fn every_tool_is_described_whole() {
    for entry in TOOLS {
        let tool = (entry.describe)();
        assert_eq!(tool.name, entry.name);
        assert!(tool.title.is_some() && tool.description.is_some_and(|text| text.len() > 80));
        let hints = tool.annotations.expect("every tool has annotations");
        assert_eq!(hints.read_only_hint, Some(entry.name != "run_suite"), "{}", entry.name);
        assert_eq!(hints.open_world_hint, Some(entry.name == "run_suite"), "{}", entry.name);
    }
}

#[test]
fn every_schema_is_a_closed_object_of_2020_12() {
    for entry in TOOLS {
        let tool = (entry.describe)();
        let input = Value::Object((*tool.input_schema).clone());
        assert_eq!(
            (&input["type"], &input["additionalProperties"]),
            (&"object".into(), &false.into())
        );
        assert!(!input.to_string().contains("$ref"), "{}: {input}", entry.name);
        let output = tool.output_schema.expect("every tool has an output schema");
        assert_eq!(output.get("type"), Some(&"object".into()), "{}", entry.name);
        let dialect = "https://json-schema.org/draft/2020-12/schema";
        assert_eq!(output.get("$schema"), Some(&dialect.into()), "{}", entry.name);
    }
}

#[test]
fn every_parameter_says_what_it_is() {
    for entry in TOOLS {
        let schema = (entry.describe)().input_schema;
        let properties =
            schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        for (name, property) in properties {
            let is_told = property.get("description").is_some();
            assert!(is_told, "{}.{name}", entry.name);
        }
    }
}

#[test]
fn no_schema_names_a_width_of_numbers() {
    for entry in TOOLS {
        let tool = (entry.describe)();
        let text = serde_json::to_string(&tool).expect("a tool is JSON");
        assert!(
            !text.contains("\"format\":\"uint") && !text.contains("\"format\":\"double"),
            "{}",
            entry.name
        );
    }
}

#[test]
fn the_list_of_tools_is_short() {
    let tools: Vec<_> = TOOLS.iter().map(|entry| (entry.describe)()).collect();
    let bytes = serde_json::to_vec(&tools).expect("tools are JSON").len();
    assert!(bytes <= LIST_BYTES, "{bytes} bytes");
}

#[test]
fn a_parameter_that_may_be_absent_is_not_offered_as_null() {
    for entry in TOOLS {
        let schema = serde_json::to_string(&(entry.describe)().input_schema).expect("it is JSON");
        assert!(!schema.contains("\"null\"") && schema.contains("\"maxBytes\":{"), "{schema}");
    }
}

#[test]
fn an_answer_and_its_document_describe_their_members() {
    for entry in TOOLS {
        let schema = (entry.describe)().output_schema.expect("every tool has an output schema");
        let document = schema["properties"]["document"]["$ref"].as_str().expect("a reference");
        let document = &schema["$defs"][document.trim_start_matches("#/$defs/")];
        let members = document["properties"].as_object().expect("a document has members");
        let untold = members.iter().find(|(_, member)| member.get("description").is_none());
        assert_eq!(untold, None, "{}", entry.name);
    }
}
