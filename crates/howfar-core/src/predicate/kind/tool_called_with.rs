//! `toolCalledWith`: a tool is called with given arguments (predicates 6.3).

use howfar_wire::Vocabulary;
use howfar_wire::matching::ArgumentMatching;
use serde_json::{Map, Value};

use super::{Check, Compiled};
use crate::matching::ArgumentPattern;
use crate::number::integer_at_least;
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{ITEMS_SHOWN, brief, more_in_list, redact, template_text};

#[derive(Debug)]
struct ToolCalledWith {
    scope: ToolScope,
    tool_name: String,
    mode: ArgumentMatching,
    arguments: ArgumentPattern,
    /// The expected arguments as reasons show them.
    shown: String,
    min_count: usize,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let min_count = min_count(fields.get("minCount"))?;
    let tool_name = fields.required_text("toolName")?;
    let matcher = fields
        .get("args")
        .and_then(Value::as_object)
        .ok_or_else(|| Outcome::malformed("args must be an object"))?;
    let mode = match matcher.get("argumentMatching") {
        None | Some(Value::Null) => ArgumentMatching::Partial,
        Some(word) => word
            .as_str()
            .and_then(ArgumentMatching::from_wire)
            .ok_or_else(|| Outcome::malformed("args.argumentMatching is no known mode"))?,
    };
    let expected = matcher.get("args").unwrap_or(&Value::Null);
    Ok(Box::new(ToolCalledWith {
        scope: ToolScope::new(Some(tool_name)),
        tool_name: tool_name.to_owned(),
        mode,
        arguments: ArgumentPattern::new(mode, expected),
        shown: brief(expected),
        min_count,
    }))
}

fn min_count(authored: Option<&Value>) -> Result<usize, Outcome> {
    let value = match authored {
        None | Some(Value::Null) => return Ok(1),
        Some(value) => value,
    };
    integer_at_least(value, 1).and_then(|count| usize::try_from(count).ok()).ok_or_else(|| {
        let shown = template_text(Some(value));
        Outcome::fail(format!("invalid minCount {shown}; expected a positive integer ≥ 1"))
    })
}

/// The authored check with its arguments redacted.
pub(super) fn echoed(authored: &Value) -> Value {
    let mut echoed = authored.clone();
    if let Some(matcher) = echoed.get_mut("args").and_then(Value::as_object_mut) {
        let args = match matcher.get("args") {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(args) => redact(args),
        };
        matcher.insert("args".to_owned(), args);
    }
    echoed
}

impl Check for ToolCalledWith {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, tool_name, mode, arguments, shown, min_count } = self;
        let calls: Vec<_> = evidence.calls(scope).collect();
        let matching = calls.iter().filter(|call| arguments.fits(&call.arguments)).count();
        if matching >= *min_count {
            return Outcome::pass(format!(
                "tool \"{tool_name}\" called with matching args ({matching}/{min_count} required; {mode} match)"
            ));
        }
        let expected = format!(
            "expected tool \"{tool_name}\" called ≥{min_count}× with {shown} ({mode} match)"
        );
        if calls.is_empty() {
            return Outcome::fail(format!("{expected}, but it was never called"));
        }
        let seen: Vec<String> =
            calls.iter().take(ITEMS_SHOWN).map(|call| brief(&call.arguments)).collect();
        Outcome::fail(format!(
            "{expected}; got {} call(s) with args [{}{}], {matching} matching",
            calls.len(),
            seen.join(", "),
            more_in_list(calls.len()),
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;
    use super::*;

    #[test]
    fn counts_matching_calls() {
        let check = json!({"type": "toolCalledWith", "toolName": "t", "args": {"args": {"a": 1}}, "minCount": 2});
        let transcript = json!({"toolCalls": [{"toolName": "t", "arguments": {"a": 1}}]});
        assert_eq!(
            outcome(&check, transcript),
            r#"fail: expected tool "t" called ≥2× with {"a":1} (partial match); got 1 call(s) with args [{"a":1}], 1 matching"#
        );
    }

    #[test]
    fn a_count_below_one_is_refused_first() {
        let check =
            json!({"type": "toolCalledWith", "toolName": "t", "args": {"args": {}}, "minCount": 0});
        assert_eq!(
            outcome(&check, json!({})),
            "fail: invalid minCount 0; expected a positive integer ≥ 1"
        );
    }

    #[test]
    fn the_echo_masks_secrets() {
        let check =
            json!({"type": "toolCalledWith", "toolName": "t", "args": {"args": {"token": "s"}}});
        assert_eq!(echoed(&check)["args"]["args"], json!({"token": "«redacted»"}));
    }
}
