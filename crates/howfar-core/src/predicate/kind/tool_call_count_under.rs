//! `toolCallCountUnder` (predicates 6.4).

use howfar_wire::canon::f64_text;

use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct ToolCallCountUnder {
    scope: ToolScope,
    count: f64,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(ToolCallCountUnder {
        scope: fields.scope(),
        count: fields.required_number("count")?,
    }))
}

impl Check for ToolCallCountUnder {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let calls = evidence.call_count(&self.scope);
        let head = format!("{calls} call(s) to {}", self.scope.label());
        let count = f64_text(self.count);
        // Call counts are far below 2^53.
        if (calls as f64) < self.count {
            Outcome::pass(format!("{head}, fewer than {count}"))
        } else {
            Outcome::fail(format!("{head} is not fewer than {count}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn the_limit_itself_is_too_many() {
        let check = json!({"type": "toolCallCountUnder", "count": 1});
        assert_eq!(outcome(&check, json!({})), "pass: 0 call(s) to any tool, fewer than 1");
        assert_eq!(
            outcome(&check, json!({"toolCalls": [{"toolName": "a"}]})),
            "fail: 1 call(s) to any tool is not fewer than 1"
        );
    }
}
