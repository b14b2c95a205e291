//! Identities: what makes a case the same case, and a file the same file (suite and runner, section A14).

use howfar_wire::canon;
use howfar_wire::suite::{Assertion, Step};
use serde_json::{Map, Value, json};

use crate::ResolvedCase;

/// The version of the content that the hash covers.
const CONTENT_LOCK_VERSION: u8 = 2;

/// The digest of a file's bytes as read, a byte-order mark included.
pub fn source_hash(bytes: &[u8]) -> String {
    canon::sha256_hex(bytes)
}

/// The digest of what a case says. Step ids, models, counts, case-level checks and times are out on purpose, so that
/// changing them is not a change of the case.
pub fn case_content_hash(case: &ResolvedCase) -> String {
    let mut content = Map::new();
    content.insert("lockVersion".to_owned(), json!(CONTENT_LOCK_VERSION));
    content.insert("title".to_owned(), json!(case.title));
    content.insert("isNegative".to_owned(), json!(case.is_negative_test));
    if let Some(expected_output) = &case.expected_output {
        content.insert("expectedOutput".to_owned(), json!(expected_output));
    }
    content.insert("steps".to_owned(), case.steps.iter().map(step_content).collect());
    canon::canonical_digest(&Value::Object(content))
}

/// The digest of a selection: the array of case id and content hash, sorted by case id (run documents, section 5).
pub fn case_set_fingerprint<'a>(cases: impl IntoIterator<Item = &'a ResolvedCase>) -> String {
    let mut cases: Vec<&ResolvedCase> = cases.into_iter().collect();
    cases.sort_by(|a, b| canon::utf16_cmp(&a.id.0, &b.id.0));
    let entry =
        |case: &ResolvedCase| json!({"caseId": case.id, "contentHash": case_content_hash(case)});
    canon::canonical_digest(&cases.into_iter().map(entry).collect())
}

fn step_content(step: &Step) -> Value {
    match step {
        Step::Prompt { id: _, prompt } => json!({"kind": "prompt", "prompt": prompt}),
        Step::Assert { id: _, assertion } => {
            let assertion = match assertion {
                Assertion::Predicate(predicate) => predicate.value(),
                Assertion::Widget(widget) => widget,
            };
            json!({"kind": "assert", "assertion": assertion})
        }
        Step::ToolCall {
            id: _,
            server_id,
            server_name,
            tool_name,
            arguments,
            render_timeout_ms,
        } => {
            let mut content = Map::new();
            content.insert("kind".to_owned(), json!("toolCall"));
            if let Some(server_id) = server_id {
                content.insert("serverId".to_owned(), json!(server_id));
            }
            content.insert("serverName".to_owned(), json!(server_name));
            content.insert("toolName".to_owned(), json!(tool_name));
            content.insert("arguments".to_owned(), Value::Object(arguments.clone()));
            if let Some(milliseconds) = render_timeout_ms {
                content.insert("renderTimeoutMs".to_owned(), json!(milliseconds));
            }
            Value::Object(content)
        }
        Step::Interact { id: _, tool_name, action } => {
            json!({"kind": "interact", "toolName": tool_name, "action": action})
        }
    }
}
