//! `toolCalledAtLeastOnce` (predicates 6.4).

use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct ToolCalledAtLeastOnce(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let tool_name = fields.required_text("toolName")?;
    Ok(Box::new(ToolCalledAtLeastOnce(ToolScope::new(Some(tool_name)))))
}

impl Check for ToolCalledAtLeastOnce {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let label = self.0.label();
        match evidence.call_count(&self.0) {
            0 => Outcome::fail(format!("{label} was never called")),
            calls => Outcome::pass(format!("{label} called {calls}×")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn names_are_case_sensitive() {
        let check = json!({"type": "toolCalledAtLeastOnce", "toolName": "a"});
        let called = |name: &str| outcome(&check, json!({"toolCalls": [{"toolName": name}]}));
        assert_eq!(called("a"), r#"pass: tool "a" called 1×"#);
        assert_eq!(called("A"), r#"fail: tool "a" was never called"#);
    }
}
