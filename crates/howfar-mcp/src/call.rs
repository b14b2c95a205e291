//! One tool call and what came of it.

use std::time::Duration;

use serde_json::Value;

use crate::answer::{HttpFacts, RpcError, TransportFailure};

/// One tool call and what came of it. Times are on the connection's clock.
#[derive(Debug, Clone, PartialEq)]
pub struct CallOutcome {
    /// The tool's name as called.
    pub tool: String,
    /// Just before the request was written; when it never was, when the call began.
    pub started: Duration,
    /// When the answer was read, or the call was given up.
    pub ended: Duration,
    /// What came back.
    pub answer: CallAnswer,
    /// The HTTP response that carried it; absent off HTTP and when there was none.
    pub http: Option<HttpFacts>,
}

impl CallOutcome {
    /// Answer stamp minus request stamp.
    pub fn latency(&self) -> Duration {
        self.ended.saturating_sub(self.started)
    }
}

/// What came back for a tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum CallAnswer {
    /// A result; it may itself report an error of the tool.
    Result(ToolResult),
    /// A JSON-RPC error.
    Error(RpcError),
    /// Clearly the answer, but not readable as one.
    Malformed {
        /// Why.
        reason: String,
        /// Its start.
        excerpt: String,
    },
    /// The transport failed before an answer came.
    Transport(TransportFailure),
    /// No answer within the limit; the server was told.
    Timeout {
        /// The limit.
        limit: Duration,
        /// Texts that look like an answer but belong to no request of ours and came in the meantime, quoted.
        strays: Vec<String>,
    },
}

/// The `result` object of a `tools/call`, exactly as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The object.
    pub raw: Value,
}

impl ToolResult {
    /// `content` as sent, of any type; absent when the server sent none.
    pub fn content(&self) -> Option<&Value> {
        self.raw.get("content")
    }

    /// `structuredContent` as sent; absent when the server sent none.
    pub fn structured_content(&self) -> Option<&Value> {
        self.raw.get("structuredContent")
    }

    /// Whether `isError` is the boolean true; another type counts as no error and is a defect.
    pub fn is_error(&self) -> bool {
        self.raw.get("isError") == Some(&Value::Bool(true))
    }

    /// The texts of the text blocks, in order. A block of another type or shape is left out.
    pub fn texts(&self) -> Vec<&str> {
        let blocks =
            self.content().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let is_text = |block: &&Value| block.get("type").and_then(Value::as_str) == Some("text");
        blocks
            .iter()
            .filter(is_text)
            .filter_map(|block| block.get("text").and_then(Value::as_str))
            .collect()
    }

    /// What is wrong with the result's shape; empty when nothing is.
    pub fn defects(&self) -> Vec<String> {
        let mut defects = Vec::new();
        match self.content() {
            None if self.structured_content().is_none() => {
                defects.push("there is neither content nor structuredContent".to_owned());
            }
            None | Some(Value::Array(_)) => {}
            Some(_) => defects.push("content is not a list".to_owned()),
        }
        let blocks =
            self.content().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        defects.extend(
            blocks.iter().enumerate().filter_map(|(index, block)| block_defect(index, block)),
        );
        if !matches!(self.raw.get("isError"), None | Some(Value::Null | Value::Bool(_))) {
            defects.push("isError is not true or false".to_owned());
        }
        defects
    }
}

/// Content block types of the protocol, with the members that each must have as text.
const BLOCKS: [(&str, &[&str]); 5] = [
    ("text", &["text"]),
    ("image", &["data", "mimeType"]),
    ("audio", &["data", "mimeType"]),
    ("resource_link", &["uri"]),
    ("resource", &[]),
];

fn block_defect(index: usize, block: &Value) -> Option<String> {
    let Some(kind) = block.get("type").and_then(Value::as_str) else {
        return Some(format!("content[{index}] has no type"));
    };
    let Some((_, members)) = BLOCKS.iter().find(|(name, _)| *name == kind) else {
        return Some(format!("content[{index}] has the unknown type \"{kind}\""));
    };
    let missing = members.iter().find(|member| !block.get(**member).is_some_and(Value::is_string));
    missing.map(|member| format!("content[{index}].{member} is not text"))
}

#[cfg(test)]
mod tests {
    use super::ToolResult;
    use serde_json::{Value, json};

    fn check(raw: Value, expected: &[&str]) {
        assert_eq!(ToolResult { raw }.defects(), expected);
    }

    #[test]
    fn well_formed_results_have_no_defect() {
        check(json!({"content": [{"type": "text", "text": "a"}], "isError": false}), &[]);
        check(json!({"structuredContent": {}}), &[]);
    }

    #[test]
    fn defects_are_named() {
        check(
            json!({"content": "a", "isError": "true"}),
            &["content is not a list", "isError is not true or false"],
        );
        check(
            json!({"content": [{"type": "hologram"}]}),
            &["content[0] has the unknown type \"hologram\""],
        );
        check(json!({"content": [{"type": "text"}]}), &["content[0].text is not text"]);
        check(json!({}), &["there is neither content nor structuredContent"]);
    }
}
