//! `noDeprecatedToolExposed` (predicates 6.1 and 6.2).

use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::PredicateKind;

use super::Compiled;
use super::catalog::{CatalogRule, compiled};
use crate::predicate::deprecation::marks_itself_deprecated;
use crate::predicate::fields::Fields;

#[derive(Debug)]
struct NoDeprecatedToolExposed;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    compiled(NoDeprecatedToolExposed)
}

impl CatalogRule for NoDeprecatedToolExposed {
    const KIND: PredicateKind = PredicateKind::NoDeprecatedToolExposed;

    fn offenders<'a>(&self, declarations: &'a [ToolDeclaration]) -> Vec<&'a ToolDeclaration> {
        declarations
            .iter()
            .filter(|tool| marks_itself_deprecated(tool.description.as_ref()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::catalog::testing::catalog_outcome;

    #[test]
    fn a_deprecated_tool_is_named() {
        let tools = [json!({"name": "old", "description": "Deprecated. Use new instead"})];
        assert_eq!(
            catalog_outcome(&json!({"type": "noDeprecatedToolExposed"}), &tools),
            "fail: 1 tool declaration(s) failed noDeprecatedToolExposed: s/old"
        );
    }
}
