//! `firstToolWas` (predicates 6.4).

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct FirstToolWas {
    tool_name: String,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let tool_name = fields
        .non_empty("toolName")
        .ok_or_else(|| Outcome::fail("firstToolWas requires a non-empty toolName"))?;
    Ok(Box::new(FirstToolWas { tool_name: tool_name.to_owned() }))
}

impl Check for FirstToolWas {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let expected = &self.tool_name;
        match evidence.transcript.tool_calls.first().map(|call| &call.tool_name) {
            None => Outcome::fail(format!(
                "expected first tool \"{expected}\" but no tools were called"
            )),
            Some(first) if first == expected => {
                Outcome::pass(format!("first tool call was \"{expected}\""))
            }
            Some(first) => {
                Outcome::fail(format!("expected first tool \"{expected}\", got \"{first}\""))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn only_the_first_call_counts() {
        let check = json!({"type": "firstToolWas", "toolName": "b"});
        let transcript = json!({"toolCalls": [{"toolName": "a"}, {"toolName": "b"}]});
        assert_eq!(outcome(&check, transcript), r#"fail: expected first tool "b", got "a""#);
        assert_eq!(
            outcome(&check, json!({})),
            r#"fail: expected first tool "b" but no tools were called"#
        );
    }
}
