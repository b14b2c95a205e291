//! `toolResultMatchesSchema` (predicates 6.10).

use howfar_wire::transcript::ToolResultRow;
use serde_json::Value;

use super::{Check, Compiled};
use crate::predicate::evidence::{EmptyScope, Evidence, RESULTS, ToolScope, payload};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::schema::{CompiledSchema, SchemaError};
use crate::predicate::text::{first_shown, more_in_brackets};

#[derive(Debug)]
struct ToolResultMatchesSchema {
    scope: ToolScope,
    schema: Result<CompiledSchema, SchemaError>,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let schema = CompiledSchema::new(fields.get("schema").unwrap_or(&Value::Null));
    Ok(Box::new(ToolResultMatchesSchema { scope: fields.scope(), schema }))
}

impl Check for ToolResultMatchesSchema {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let results = evidence.results(&self.scope);
        let label = self.scope.label();
        if results.is_empty() {
            return match evidence.empty_scope(RESULTS, &self.scope) {
                EmptyScope::Unscored(reason) => {
                    Outcome::error(format!("{reason}; cannot validate against the authored schema"))
                }
                EmptyScope::ScoredAbsence => {
                    Outcome::fail(format!("{label} returned no results to validate"))
                }
            };
        }
        let failures = match self.failures(&results) {
            Ok(failures) => failures,
            Err(outcome) => return outcome,
        };
        let all = results.len();
        if !failures.is_empty() {
            return Outcome::fail(format!(
                "{}/{all} result(s) did not match: {}{}",
                failures.len(),
                first_shown(&failures, "; "),
                more_in_brackets(failures.len()),
            ));
        }
        let head = format!("{all} result(s) from {label} match the authored schema");
        match evidence.result_gap(&results) {
            Some(gap) => Outcome::error(format!("{head}, but {gap}; the rest were not read")),
            None => Outcome::pass(head),
        }
    }
}

impl ToolResultMatchesSchema {
    /// What does not match, up to the first result that was cut for storage after a failure.
    fn failures(&self, results: &[&ToolResultRow]) -> Result<Vec<String>, Outcome> {
        let mut failures = Vec::new();
        for row in results {
            let tool = &row.tool_name;
            let Some(payload) = payload(row) else {
                match (row.truncated == Some(true), failures.is_empty()) {
                    (true, false) => break,
                    (true, true) => {
                        return Err(Outcome::error(format!(
                            "\"{tool}\" result was truncated for storage, so its payload cannot be read back; nothing was validated"
                        )));
                    }
                    (false, _) => failures.push(format!("\"{tool}\" result was not JSON")),
                }
                continue;
            };
            let schema = self.schema.as_ref().map_err(unreadable)?;
            let violations = schema.violations(&payload).map_err(|error| unreadable(&error))?;
            if let Some(first) = violations.first() {
                failures.push(format!("\"{tool}\" at {}: {}", first.at, first.message));
            }
        }
        Ok(failures)
    }
}

fn unreadable(error: &SchemaError) -> Outcome {
    match error {
        SchemaError::UnsupportedDialect(dialect) => Outcome::error(format!(
            "authored schema declares dialect \"{dialect}\", which this validator does not carry; nothing was validated"
        )),
        SchemaError::Unusable(message) => {
            Outcome::error(format!("authored schema is unusable: {message}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::outcome;

    fn check(results: Value) -> String {
        let check = json!({"type": "toolResultMatchesSchema", "schema": {"type": "number"}});
        outcome(&check, json!({"toolResults": results, "capture": {"toolResults": "complete"}}))
    }

    #[test]
    fn text_is_read_as_json() {
        assert_eq!(
            check(json!([{"toolName": "t", "text": " 5 "}])),
            "pass: 1 result(s) from any tool match the authored schema"
        );
        assert_eq!(
            check(json!([{"toolName": "t", "text": "five"}])),
            "fail: 1/1 result(s) did not match: \"t\" result was not JSON"
        );
    }

    #[test]
    fn a_cut_result_cannot_be_read_back() {
        let rows = json!([{"toolName": "t", "text": "{", "truncated": true}]);
        assert!(check(rows).starts_with("error: \"t\" result was truncated for storage"));
    }

    #[test]
    fn what_a_server_did_with_its_output_schema_is_told_apart() {
        let schema = json!({
            "type": "object", "properties": {"degrees": {"type": "number"}}, "required": ["degrees"]
        });
        let check = json!({"type": "toolResultMatchesSchema", "schema": schema});
        let row = |result: Value| {
            let results = json!([result]);
            outcome(&check, json!({"toolResults": results, "capture": {"toolResults": "complete"}}))
        };
        let failed = "fail: 1/1 result(s) did not match: \"t\"";
        let only_text = row(json!({"toolName": "t", "text": "7 degrees"}));
        let wrong_type = row(json!({"toolName": "t", "structuredContent": {"degrees": "7"}}));
        let error = json!({"code": "offline"});
        let other_shape =
            row(json!({"toolName": "t", "isError": true, "structuredContent": error}));
        let no_content = row(json!({"toolName": "t", "structuredContent": {"degrees": 7}}));
        assert_eq!(only_text, format!("{failed} result was not JSON"));
        assert_eq!(
            wrong_type,
            format!(
                "{failed} at #/degrees: Instance type \"string\" is invalid. Expected \"number\"."
            )
        );
        assert_eq!(
            other_shape,
            format!("{failed} at #: Instance does not have required property \"degrees\".")
        );
        assert_eq!(no_content, "pass: 1 result(s) from any tool match the authored schema");
    }
}
