//! `noDeprecatedToolCalled` (predicates 6.5).

use howfar_wire::vocabulary::CaptureChannel;

use super::{Check, Compiled};
use crate::predicate::deprecation::marks_itself_deprecated;
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::first_shown;

#[derive(Debug)]
struct NoDeprecatedToolCalled;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    Ok(Box::new(NoDeprecatedToolCalled))
}

impl Check for NoDeprecatedToolCalled {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        if !evidence.is_complete(CaptureChannel::ToolInventory) {
            return Outcome::error("no tool inventory captured; cannot read tool descriptions");
        }
        let mut unknown = Vec::new();
        for name in evidence.called_names() {
            match evidence.inventory_tool(name) {
                None => unknown.push(name),
                Some(tool) if marks_itself_deprecated(tool.description.as_ref()) => {
                    return Outcome::fail(format!(
                        "a tool whose description marks it deprecated was called: \"{name}\""
                    ));
                }
                Some(_) => {}
            }
        }
        if unknown.is_empty() {
            return Outcome::pass("no called tool's description marks it deprecated");
        }
        Outcome::error(format!(
            "{} called tool(s) are not in the captured inventory, so their descriptions could not be read: {}",
            unknown.len(),
            first_shown(&unknown, ", "),
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn a_deprecated_tool_outranks_an_unknown_one() {
        let transcript = json!({
            "toolCalls": [{"toolName": "x"}, {"toolName": "old"}],
            "toolInventory": [{"name": "old", "description": "Deprecated: gone soon"}],
            "capture": {"toolInventory": "complete"},
        });
        assert_eq!(
            outcome(&json!({"type": "noDeprecatedToolCalled"}), transcript),
            "fail: a tool whose description marks it deprecated was called: \"old\""
        );
    }
}
