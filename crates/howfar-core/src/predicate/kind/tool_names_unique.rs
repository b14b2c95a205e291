//! `toolNamesUnique` (predicates 6.1).

use std::collections::HashSet;

use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::PredicateKind;

use super::Compiled;
use super::catalog::{CatalogRule, compiled};
use crate::predicate::fields::Fields;

#[derive(Debug)]
struct ToolNamesUnique;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    compiled(ToolNamesUnique)
}

impl CatalogRule for ToolNamesUnique {
    const KIND: PredicateKind = PredicateKind::ToolNamesUnique;

    /// The first of a name is good, each repetition on the same server is bad; other servers do not matter.
    fn offenders<'a>(&self, declarations: &'a [ToolDeclaration]) -> Vec<&'a ToolDeclaration> {
        let mut seen = HashSet::new();
        let key = |tool: &'a ToolDeclaration| (tool.server_key.as_str(), tool.name.as_str());
        declarations.iter().filter(|tool| !seen.insert(key(tool))).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::catalog::testing::catalog_outcome;

    #[test]
    fn every_repetition_counts() {
        let tools = [json!({"name": "t"}), json!({"name": "t"}), json!({"name": "t"})];
        assert_eq!(
            catalog_outcome(&json!({"type": "toolNamesUnique"}), &tools),
            "fail: 2 tool declaration(s) failed toolNamesUnique: s/t, s/t"
        );
    }
}
