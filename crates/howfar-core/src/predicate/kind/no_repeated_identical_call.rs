//! `noRepeatedIdenticalCall` (predicates 6.8).

use serde_json::Value;

use super::{Check, Compiled};
use crate::matching::deep_equal;
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::brief;

#[derive(Debug)]
struct NoRepeatedIdenticalCall(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(NoRepeatedIdenticalCall(fields.scope())))
}

impl Check for NoRepeatedIdenticalCall {
    /// Walks every call: the scope narrows which repetition is reported and never takes out calls in between.
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let repeated = evidence.transcript.tool_calls.windows(2).find(|pair| {
            let [previous, call] = pair else { return false };
            previous.tool_name == call.tool_name
                && self.0.covers(&call.tool_name)
                && same_arguments(&previous.arguments, &call.arguments)
        });
        match repeated {
            Some([_, call]) => Outcome::fail(format!(
                "an identical call was repeated back-to-back: \"{}\" with {}",
                call.tool_name,
                brief(&call.arguments)
            )),
            Some(_) | None => Outcome::pass(format!(
                "no identical call to {} was repeated back-to-back",
                self.0.label()
            )),
        }
    }
}

/// Equal canonical arguments; null arguments are the empty object.
fn same_arguments(a: &Value, b: &Value) -> bool {
    let is_empty =
        |value: &Value| value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
    deep_equal(a, b) || (is_empty(a) && is_empty(b))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn a_call_in_between_separates() {
        let check = json!({"type": "noRepeatedIdenticalCall", "toolName": "a"});
        let calls = |names: &[&str]| {
            let calls: Vec<_> = names.iter().map(|name| json!({"toolName": name})).collect();
            outcome(&check, json!({"toolCalls": calls}))
        };
        assert!(calls(&["a", "b", "a"]).starts_with("pass"));
        assert_eq!(
            calls(&["a", "a"]),
            "fail: an identical call was repeated back-to-back: \"a\" with {}"
        );
    }
}
