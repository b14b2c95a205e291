//! `noToolErrors` (predicates 6.9).

use howfar_wire::transcript::ToolError;

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{ITEMS_SHOWN, MESSAGE_CAP, more_in_brackets, scrubbed};

#[derive(Debug)]
struct NoToolErrors;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    Ok(Box::new(NoToolErrors))
}

impl Check for NoToolErrors {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let errors = evidence.transcript.errors();
        if errors.is_empty() {
            return Outcome::pass("no tool errors");
        }
        let shown: Vec<String> = errors.iter().take(ITEMS_SHOWN).map(shown_error).collect();
        Outcome::fail(format!(
            "{} tool error(s): {}{}",
            errors.len(),
            shown.join(", "),
            more_in_brackets(errors.len()),
        ))
    }
}

fn shown_error(error: &ToolError) -> String {
    let who = match error.tool_name.as_deref() {
        None | Some("") => "tool".to_owned(),
        Some(name) => format!("\"{name}\""),
    };
    let message = match error.message.as_deref() {
        None | Some("") => String::new(),
        Some(message) => format!(": {}", scrubbed(message, MESSAGE_CAP)),
    };
    format!("{who} ({}{message})", error.kind)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn errors_are_named_with_their_kind_and_message() {
        let errors = json!([
            {"kind": "content-error", "toolName": "a", "message": "token: abcdef1"},
            {"kind": "protocol-error"},
            {"kind": "protocol-error", "toolName": "b"},
            {"kind": "protocol-error", "toolName": "c"},
        ]);
        assert_eq!(
            outcome(&json!({"type": "noToolErrors"}), json!({"toolErrors": errors})),
            "fail: 4 tool error(s): \"a\" (content-error: token: «redacted»), tool (protocol-error), \"b\" (protocol-error) (+1 more)"
        );
    }
}
