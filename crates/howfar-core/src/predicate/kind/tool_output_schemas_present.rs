//! `toolOutputSchemasPresent` (predicates 6.1).

use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::Compiled;
use super::catalog::{CatalogRule, compiled};
use crate::predicate::fields::Fields;

#[derive(Debug)]
struct ToolOutputSchemasPresent;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    compiled(ToolOutputSchemasPresent)
}

impl CatalogRule for ToolOutputSchemasPresent {
    const KIND: PredicateKind = PredicateKind::ToolOutputSchemasPresent;

    fn offenders<'a>(&self, declarations: &'a [ToolDeclaration]) -> Vec<&'a ToolDeclaration> {
        let absent =
            |tool: &&ToolDeclaration| tool.output_schema.as_ref().is_none_or(Value::is_null);
        declarations.iter().filter(absent).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::catalog::testing::catalog_outcome;

    #[test]
    fn anything_but_null_counts_as_present() {
        let check = json!({"type": "toolOutputSchemasPresent"});
        let outcome =
            |schema| catalog_outcome(&check, &[json!({"name": "t", "outputSchema": schema})]);
        assert!(outcome(json!(false)).starts_with("pass"));
        assert!(outcome(json!(null)).starts_with("fail"));
    }
}
