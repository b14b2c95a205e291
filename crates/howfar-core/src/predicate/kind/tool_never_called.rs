//! `toolNeverCalled` (predicates 6.4).

use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct ToolNeverCalled(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let tool_name = fields
        .non_empty("toolName")
        .ok_or_else(|| Outcome::fail("toolNeverCalled requires a non-empty toolName"))?;
    Ok(Box::new(ToolNeverCalled(ToolScope::new(Some(tool_name)))))
}

impl Check for ToolNeverCalled {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let label = self.0.label();
        match evidence.call_count(&self.0) {
            0 => Outcome::pass(format!("{label} was not called")),
            calls => Outcome::fail(format!("forbidden {label} was called {calls}×")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn a_call_is_forbidden_and_an_empty_name_refused() {
        let check = |name: &str| json!({"type": "toolNeverCalled", "toolName": name});
        let calls = json!({"toolCalls": [{"toolName": "a"}]});
        assert_eq!(outcome(&check("b"), calls.clone()), r#"pass: tool "b" was not called"#);
        assert_eq!(
            outcome(&check("a"), calls.clone()),
            r#"fail: forbidden tool "a" was called 1×"#
        );
        assert_eq!(
            outcome(&check(""), calls),
            "fail: toolNeverCalled requires a non-empty toolName"
        );
    }
}
