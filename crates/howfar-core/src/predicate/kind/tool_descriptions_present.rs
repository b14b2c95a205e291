//! `toolDescriptionsPresent` (predicates 6.1).

use howfar_wire::canon::{es_trim, utf16_len};
use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::Compiled;
use super::catalog::{CatalogRule, compiled};
use crate::number::integer_at_least;
use crate::predicate::fields::Fields;

const DEFAULT_MIN_LENGTH: usize = 20;

#[derive(Debug)]
struct ToolDescriptionsPresent {
    /// In UTF-16 code units of the trimmed description; absent when the authored value is no positive integer.
    min_length: Option<usize>,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let min_length = match fields.get("minLength") {
        None | Some(Value::Null) => Some(DEFAULT_MIN_LENGTH),
        Some(value) => integer_at_least(value, 1).and_then(|length| usize::try_from(length).ok()),
    };
    compiled(ToolDescriptionsPresent { min_length })
}

impl CatalogRule for ToolDescriptionsPresent {
    const KIND: PredicateKind = PredicateKind::ToolDescriptionsPresent;

    fn misconfiguration(&self) -> Option<&'static str> {
        self.min_length.is_none().then_some("minLength must be a positive integer")
    }

    fn offenders<'a>(&self, declarations: &'a [ToolDeclaration]) -> Vec<&'a ToolDeclaration> {
        let min_length = self.min_length.unwrap_or(DEFAULT_MIN_LENGTH);
        let described = |tool: &&ToolDeclaration| {
            let text = tool.description.as_ref().and_then(Value::as_str);
            text.is_some_and(|text| utf16_len(es_trim(text)) >= min_length)
        };
        declarations.iter().filter(|tool| !described(tool)).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::catalog::testing::catalog_outcome;

    #[test]
    fn white_space_does_not_lengthen_a_description() {
        let check = json!({"type": "toolDescriptionsPresent", "minLength": 3});
        let tools = [
            json!({"name": "a", "description": " ab "}),
            json!({"name": "b", "description": "abc"}),
        ];
        assert_eq!(
            catalog_outcome(&check, &tools),
            "fail: 1 tool declaration(s) failed toolDescriptionsPresent: s/a"
        );
    }

    #[test]
    fn a_fraction_is_no_length() {
        let check = json!({"type": "toolDescriptionsPresent", "minLength": 1.5});
        assert_eq!(catalog_outcome(&check, &[]), "error: minLength must be a positive integer");
    }
}
