//! `toolCalledBefore` (predicates 6.4).

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct ToolCalledBefore {
    first: String,
    later: String,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let names = fields.non_empty("toolName").zip(fields.non_empty("beforeToolName"));
    let (first, later) = names.ok_or_else(|| {
        Outcome::fail("toolCalledBefore requires non-empty toolName and beforeToolName")
    })?;
    Ok(Box::new(ToolCalledBefore { first: first.to_owned(), later: later.to_owned() }))
}

impl Check for ToolCalledBefore {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { first, later } = self;
        let mut seen = false;
        let mut followed = 0_usize;
        for call in &evidence.transcript.tool_calls {
            // A call counts for `first` before it is tested as `later`, so that equal names pass.
            seen |= call.tool_name == *first;
            if call.tool_name == *later {
                if !seen {
                    return Outcome::fail(format!("\"{later}\" was called before any \"{first}\""));
                }
                followed += 1;
            }
        }
        match followed {
            0 => Outcome::pass(format!(
                "\"{later}\" was never called, so the ordering rule has nothing to violate"
            )),
            calls => Outcome::pass(format!(
                "all {calls} \"{later}\" call(s) followed a \"{first}\" call"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    fn check(first: &str, later: &str, calls: &[&str]) -> String {
        let check = json!({"type": "toolCalledBefore", "toolName": first, "beforeToolName": later});
        let calls: Vec<_> = calls.iter().map(|name| json!({"toolName": name})).collect();
        outcome(&check, json!({"toolCalls": calls}))
    }

    #[test]
    fn the_first_later_call_without_a_first_one_fails() {
        assert_eq!(check("a", "b", &["b", "a"]), r#"fail: "b" was called before any "a""#);
        assert_eq!(
            check("a", "b", &["a", "b", "b"]),
            r#"pass: all 2 "b" call(s) followed a "a" call"#
        );
    }

    #[test]
    fn a_tool_may_be_its_own_predecessor() {
        assert!(check("a", "a", &["a"]).starts_with("pass"));
    }
}
