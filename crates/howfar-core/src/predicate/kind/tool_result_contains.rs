//! `toolResultContains` (predicates 6.10).

use super::{Check, Compiled};
use crate::predicate::evidence::{EmptyScope, Evidence, RESULTS, ToolScope, searchable_text};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{Needle, VALUE_CAP, cut};

#[derive(Debug)]
struct ToolResultContains {
    scope: ToolScope,
    needle: Needle,
    /// The needle as reasons show it.
    shown: String,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let needle = fields
        .non_empty("needle")
        .ok_or_else(|| Outcome::fail("toolResultContains requires a non-empty needle"))?;
    Ok(Box::new(ToolResultContains {
        scope: fields.scope(),
        needle: Needle::new(needle, fields.flag("caseSensitive")),
        shown: cut(needle, VALUE_CAP),
    }))
}

impl Check for ToolResultContains {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, needle, shown } = self;
        let results = evidence.results(scope);
        let label = scope.label();
        if results.is_empty() {
            return match evidence.empty_scope(RESULTS, scope) {
                EmptyScope::Unscored(reason) => {
                    Outcome::error(format!("{reason}; cannot look for \"{shown}\""))
                }
                EmptyScope::ScoredAbsence => {
                    Outcome::fail(format!("{label} returned no results to search"))
                }
            };
        }
        let found = results.iter().find(|row| needle.is_in(&searchable_text(row)));
        let note = needle.note();
        if let Some(row) = found {
            let tool = &row.tool_name;
            return Outcome::pass(format!("\"{tool}\" result contains \"{shown}\"{note}"));
        }
        let searched = results.len();
        match evidence.result_gap(&results) {
            Some(gap) => Outcome::error(format!(
                "\"{shown}\" was not found in {searched} result(s) from {label}, but {gap}; its absence cannot be established"
            )),
            None => Outcome::fail(format!(
                "no result from {label} contains \"{shown}\"{note} ({searched} result(s) searched)"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    fn check(needle: &str, result: serde_json::Value, capture: &str) -> String {
        let transcript = json!({"toolResults": [result], "capture": {"toolResults": capture}});
        outcome(&json!({"type": "toolResultContains", "needle": needle}), transcript)
    }

    #[test]
    fn structured_content_is_searched_as_json() {
        let result = json!({"toolName": "t", "structuredContent": {"Id": 5}});
        assert_eq!(check("\"id\":5", result, "partial"), r#"pass: "t" result contains ""id":5""#);
    }

    #[test]
    fn absence_is_proof_only_when_everything_was_read() {
        let result = json!({"toolName": "t", "text": "x"});
        assert!(check("y", result.clone(), "partial").starts_with("error: \"y\" was not found"));
        assert!(check("y", result, "complete").starts_with("fail: no result from any tool"));
    }
}
