//! `onlyToolsCalled` (predicates 6.4).

use std::collections::HashSet;

use howfar_wire::canon::is_blank;
use serde_json::Value;

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct OnlyToolsCalled {
    allowed: HashSet<String>,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let allowed = fields
        .get("toolNames")
        .and_then(tool_names)
        .ok_or_else(|| Outcome::fail("onlyToolsCalled requires toolNames (array of tool names)"))?;
    Ok(Box::new(OnlyToolsCalled { allowed }))
}

fn tool_names(value: &Value) -> Option<HashSet<String>> {
    let name = |entry: &Value| entry.as_str().filter(|name| !is_blank(name)).map(str::to_owned);
    value.as_array()?.iter().map(name).collect()
}

impl Check for OnlyToolsCalled {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let called = evidence.called_names();
        if called.iter().any(|name| is_blank(name)) {
            return Outcome::fail(
                "a tool call has no tool name; the allowed set cannot be verified",
            );
        }
        let offenders: Vec<&str> =
            called.into_iter().filter(|name| !self.allowed.contains(*name)).collect();
        match (offenders.is_empty(), self.allowed.is_empty()) {
            (true, true) => Outcome::pass("no tool was called"),
            (true, false) => Outcome::pass("only allowed tools were called"),
            (false, true) => Outcome::fail(format!(
                "expected no tool call, but {} was called",
                offenders.join(", ")
            )),
            (false, false) => Outcome::fail(format!(
                "tool(s) outside the allowed set were called: {}",
                offenders.join(", ")
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn offenders_are_named_once_in_order() {
        let check = json!({"type": "onlyToolsCalled", "toolNames": ["a"]});
        let names = ["c", "a", "b", "c"].map(|name| json!({"toolName": name}));
        assert_eq!(
            outcome(&check, json!({"toolCalls": names})),
            "fail: tool(s) outside the allowed set were called: c, b"
        );
    }

    #[test]
    fn a_call_without_a_name_cannot_be_verified() {
        let check = json!({"type": "onlyToolsCalled", "toolNames": []});
        assert!(
            outcome(&check, json!({"toolCalls": [{"toolName": " "}]})).contains("no tool name")
        );
    }
}
