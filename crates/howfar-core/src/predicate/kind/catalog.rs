//! What the six assertions about a catalog share (predicates 6.1).

use std::fmt::Debug;

use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::{CaptureChannel, PredicateKind};

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{ITEMS_SHOWN, scrub};

/// A rule that every declaration of a complete catalog has to satisfy.
pub(super) trait CatalogRule: Debug + Send + Sync {
    /// The kind that reasons name.
    const KIND: PredicateKind;

    /// What is wrong with the rule as authored.
    fn misconfiguration(&self) -> Option<&'static str> {
        None
    }

    /// The declarations that do not satisfy the rule, in catalog order.
    fn offenders<'a>(&self, declarations: &'a [ToolDeclaration]) -> Vec<&'a ToolDeclaration>;
}

#[derive(Debug)]
struct Catalog<R>(R);

pub(super) fn compiled<R: CatalogRule + 'static>(rule: R) -> Compiled {
    Ok(Box::new(Catalog(rule)))
}

impl<R: CatalogRule> Check for Catalog<R> {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let complete = evidence.is_complete(CaptureChannel::ToolDeclarations);
        let declarations = evidence.transcript.tool_declarations.as_deref();
        let Some(declarations) = declarations.filter(|_| complete) else {
            return Outcome::error("complete raw tool declarations were not captured");
        };
        if let Some(problem) = self.0.misconfiguration() {
            return Outcome::error(problem);
        }
        let offenders = self.0.offenders(declarations);
        let kind = R::KIND;
        if !offenders.is_empty() {
            let named =
                |tool: &&ToolDeclaration| scrub(&format!("{}/{}", tool.server_key, tool.name));
            let names: Vec<String> = offenders.iter().take(ITEMS_SHOWN).map(named).collect();
            return Outcome::fail(format!(
                "{} tool declaration(s) failed {kind}: {}",
                offenders.len(),
                names.join(", ")
            ));
        }
        match declarations.len() {
            0 => Outcome::pass("no tools advertised in the complete catalog"),
            all => Outcome::pass(format!("all {all} tool declarations satisfy {kind}")),
        }
    }
}

#[cfg(test)]
pub(super) mod testing {
    use serde_json::{Value, json};

    use crate::predicate::kind::testing::outcome;

    /// The outcome of a catalog check over declarations of the server `s`.
    pub(crate) fn catalog_outcome(check: &Value, tools: &[Value]) -> String {
        let declaration = |tool: &Value| {
            let mut tool = tool.clone();
            tool["serverKey"] = json!("s");
            tool
        };
        let transcript = json!({
            "toolDeclarations": tools.iter().map(declaration).collect::<Vec<_>>(),
            "capture": {"toolDeclarations": "complete"},
        });
        outcome(check, transcript)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::predicate::kind::testing::outcome;

    #[test]
    fn a_partial_capture_is_never_scored() {
        let transcript = json!({
            "toolDeclarations": [{"serverKey": "s", "name": "t"}],
            "capture": {"toolDeclarations": "partial"},
        });
        assert_eq!(
            outcome(&json!({"type": "toolOutputSchemasPresent"}), transcript),
            "error: complete raw tool declarations were not captured"
        );
    }
}
