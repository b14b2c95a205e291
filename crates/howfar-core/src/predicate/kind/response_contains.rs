//! `responseContains` (predicates 6.11).

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::Needle;

#[derive(Debug)]
struct ResponseContains {
    needle: Needle,
    authored: String,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let needle = fields
        .non_empty("needle")
        .ok_or_else(|| Outcome::fail("responseContains requires a non-empty needle"))?;
    Ok(Box::new(ResponseContains {
        needle: Needle::new(needle, fields.flag("caseSensitive")),
        authored: needle.to_owned(),
    }))
}

impl Check for ResponseContains {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let held = self.needle.is_in(evidence.message());
        let verb = if held { "contains" } else { "does not contain" };
        let note = self.needle.note();
        Outcome::scored(held, format!("final assistant message {verb} \"{}\"{note}", self.authored))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn case_counts_only_on_request() {
        let check = |sensitive| json!({"type": "responseContains", "needle": "ok", "caseSensitive": sensitive});
        let transcript = json!({"finalAssistantMessage": "OK."});
        assert_eq!(
            outcome(&check(false), transcript.clone()),
            r#"pass: final assistant message contains "ok""#
        );
        assert_eq!(
            outcome(&check(true), transcript),
            r#"fail: final assistant message does not contain "ok" (case-sensitive)"#
        );
    }

    #[test]
    fn lower_case_is_not_case_folding() {
        let check = json!({"type": "responseContains", "needle": "strasse"});
        assert!(outcome(&check, json!({"finalAssistantMessage": "Straße"})).starts_with("fail"));
    }
}
