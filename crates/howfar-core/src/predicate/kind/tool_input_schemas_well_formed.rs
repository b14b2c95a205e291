//! `toolInputSchemasWellFormed` (predicates 6.1).

use howfar_wire::canon::is_blank;
use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::Compiled;
use super::catalog::{CatalogRule, compiled};
use crate::predicate::fields::Fields;

#[derive(Debug)]
struct ToolInputSchemasWellFormed;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    compiled(ToolInputSchemasWellFormed)
}

impl CatalogRule for ToolInputSchemasWellFormed {
    const KIND: PredicateKind = PredicateKind::ToolInputSchemasWellFormed;

    fn offenders<'a>(&self, declarations: &'a [ToolDeclaration]) -> Vec<&'a ToolDeclaration> {
        let good =
            |tool: &&ToolDeclaration| tool.input_schema.as_ref().is_some_and(describes_an_object);
        declarations.iter().filter(|tool| !good(tool)).collect()
    }
}

/// An object schema whose own properties are all described. Only the top level is looked at.
fn describes_an_object(schema: &Value) -> bool {
    let properties_described = match schema.get("properties") {
        None => true,
        Some(properties) => {
            properties.as_object().is_some_and(|members| members.values().all(is_described))
        }
    };
    schema.get("type").and_then(Value::as_str) == Some("object") && properties_described
}

fn is_described(property: &Value) -> bool {
    property.get("description").and_then(Value::as_str).is_some_and(|text| !is_blank(text))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::catalog::testing::catalog_outcome;

    fn passes(schema: Value) -> bool {
        let tools = [json!({"name": "t", "inputSchema": schema})];
        catalog_outcome(&json!({"type": "toolInputSchemasWellFormed"}), &tools).starts_with("pass")
    }

    #[test]
    fn every_property_is_described() {
        assert!(passes(json!({"type": "object"})));
        assert!(passes(json!({"type": "object", "properties": {"a": {"description": "x"}}})));
        assert!(!passes(json!({"type": "object", "properties": {"a": {"description": " "}}})));
        assert!(!passes(json!({"type": "object", "properties": null})));
        assert!(!passes(json!({"type": ["object"]})));
    }
}
