//! `toolAnnotationsPresent` (predicates 6.1).

use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::Compiled;
use super::catalog::{CatalogRule, compiled};
use crate::predicate::fields::Fields;

#[derive(Debug)]
struct ToolAnnotationsPresent {
    /// Hints that have to be stated, as true or false.
    required: Vec<String>,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let authored = fields.get("require").and_then(Value::as_array);
    let hints = authored.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    compiled(ToolAnnotationsPresent { required: hints.collect() })
}

impl CatalogRule for ToolAnnotationsPresent {
    const KIND: PredicateKind = PredicateKind::ToolAnnotationsPresent;

    fn offenders<'a>(&self, declarations: &'a [ToolDeclaration]) -> Vec<&'a ToolDeclaration> {
        let annotated = |tool: &&ToolDeclaration| {
            tool.annotations.as_ref().is_some_and(|annotations| {
                let stated = |hint: &String| annotations.get(hint).is_some_and(Value::is_boolean);
                is_truthy(annotations) && self.required.iter().all(stated)
            })
        };
        declarations.iter().filter(|tool| !annotated(tool)).collect()
    }
}

/// What counts as true in ECMAScript; an empty object does.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::catalog::testing::catalog_outcome;

    #[test]
    fn a_required_hint_is_stated_as_a_boolean() {
        let check = json!({"type": "toolAnnotationsPresent", "require": ["readOnlyHint"]});
        let tool =
            |hint: serde_json::Value| json!({"name": "t", "annotations": {"readOnlyHint": hint}});
        assert!(catalog_outcome(&check, &[tool(json!(false))]).starts_with("pass"));
        assert!(catalog_outcome(&check, &[tool(json!("true"))]).starts_with("fail"));
    }

    #[test]
    fn an_empty_object_is_enough_without_requirements() {
        let check = json!({"type": "toolAnnotationsPresent"});
        let tools = [json!({"name": "t", "annotations": {}})];
        assert_eq!(
            catalog_outcome(&check, &tools),
            "pass: all 1 tool declarations satisfy toolAnnotationsPresent"
        );
    }
}
