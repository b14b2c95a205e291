//! `fullPageHasContinuation` (predicates 6.10).

use howfar_wire::transcript::{ToolCall, ToolResultRow};
use howfar_wire::vocabulary::CaptureChannel;
use serde_json::Value;

use super::{Check, Compiled};
use crate::number::integer_at_least;
use crate::predicate::evidence::{Evidence, ToolScope, object_of, payload};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

/// Arguments that ask for a page size, strongest first.
const LIMIT_KEYS: [&str; 9] = [
    "limit",
    "page_size",
    "pageSize",
    "per_page",
    "perPage",
    "max_results",
    "maxResults",
    "first",
    "top",
];

/// Top-level keys of a result that say how to continue, whatever their value.
const CONTINUATION_KEYS: [&str; 9] = [
    "nextCursor",
    "next_cursor",
    "hasMore",
    "has_more",
    "cursor",
    "nextPage",
    "next_page",
    "nextPageToken",
    "truncated",
];

#[derive(Debug)]
struct FullPageHasContinuation(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(FullPageHasContinuation(fields.scope())))
}

impl Check for FullPageHasContinuation {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        if !evidence.is_complete(CaptureChannel::ToolResults) {
            return Outcome::error(
                "no tool results captured; cannot tell a full page from a short one",
            );
        }
        let mut results = ResultPairing::new(evidence.transcript.results());
        let mut full_pages = 0_usize;
        for call in evidence.calls(&self.0) {
            let row = results.take(call);
            let Some((row, limit)) = row.zip(requested_limit(call)) else { continue };
            let Some(payload) = payload(row) else { continue };
            if page_length(&payload) != Some(limit) {
                continue;
            }
            if !has_continuation(&payload) {
                return Outcome::fail(format!(
                    "a full page carried no continuation metadata: \"{}\" returned {limit} result(s) against a requested limit of {limit}",
                    call.tool_name
                ));
            }
            full_pages += 1;
        }
        match full_pages {
            0 => Outcome::pass(format!("no full page from {} to inspect", self.0.label())),
            all => Outcome::pass(format!("all {all} full page(s) carried continuation metadata")),
        }
    }
}

/// Results by call: by identifier where there is one, else the next untaken result of the same tool.
struct ResultPairing<'a> {
    rows: &'a [ToolResultRow],
    taken: Vec<bool>,
    all_have_ids: bool,
}

impl<'a> ResultPairing<'a> {
    fn new(rows: &'a [ToolResultRow]) -> Self {
        let all_have_ids = rows.iter().all(|row| row.tool_call_id.is_some());
        Self { rows, taken: vec![false; rows.len()], all_have_ids }
    }

    /// The result of a call, which is taken even when the call asked for no limit.
    fn take(&mut self, call: &ToolCall) -> Option<&'a ToolResultRow> {
        if let Some(id) = call.tool_call_id.as_deref() {
            let by_id = self.rows.iter().position(|row| row.tool_call_id.as_deref() == Some(id));
            if by_id.is_some() || self.all_have_ids {
                return self.mark(by_id?);
            }
        }
        let untaken = (0..self.rows.len())
            .find(|&at| !self.taken[at] && self.rows[at].tool_name == call.tool_name);
        self.mark(untaken?)
    }

    fn mark(&mut self, at: usize) -> Option<&'a ToolResultRow> {
        self.taken[at] = true;
        self.rows.get(at)
    }
}

fn requested_limit(call: &ToolCall) -> Option<usize> {
    let arguments = object_of(&call.arguments);
    let limit = LIMIT_KEYS
        .iter()
        .find_map(|key| arguments.get(*key).and_then(|value| integer_at_least(value, 1)))?;
    usize::try_from(limit).ok()
}

/// The length of an array, or of the longest array directly inside an object.
fn page_length(payload: &Value) -> Option<usize> {
    match payload {
        Value::Array(items) => Some(items.len()),
        Value::Object(object) => object.values().filter_map(Value::as_array).map(Vec::len).max(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// An array at the root can never carry continuation metadata.
fn has_continuation(payload: &Value) -> bool {
    payload
        .as_object()
        .is_some_and(|object| CONTINUATION_KEYS.iter().any(|key| object.contains_key(*key)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::outcome;

    fn check(content: Value) -> String {
        let transcript = json!({
            "toolCalls": [{"toolName": "t", "arguments": {"limit": 2}}],
            "toolResults": [{"toolName": "t", "structuredContent": content}],
            "capture": {"toolResults": "complete"},
        });
        outcome(&json!({"type": "fullPageHasContinuation", "role": "advisory"}), transcript)
    }

    #[test]
    fn a_full_page_says_how_to_continue() {
        assert_eq!(
            check(json!({"items": [1, 2], "nextCursor": null})),
            "pass: all 1 full page(s) carried continuation metadata"
        );
        assert!(check(json!([1, 2])).starts_with("fail: a full page carried no continuation"));
    }

    #[test]
    fn a_short_page_is_not_inspected() {
        assert_eq!(check(json!({"items": [1]})), "pass: no full page from any tool to inspect");
    }
}
