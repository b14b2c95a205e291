//! Reading one text as protocol messages, leniently: whatever is clearly an answer becomes one.

use serde_json::{Map, Value};

use crate::RpcError;
use crate::answer::AnswerBody;
use crate::finding::excerpt;

/// How `serde_json` says that its depth limit is reached; it has no other mark of it.
const TOO_DEEP: &str = "recursion limit exceeded";

/// Characters of a text that are quoted.
pub(super) const QUOTED: usize = 300;

/// One message of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Incoming {
    /// An answer.
    Answer {
        /// Which request it names.
        id: AnswerId,
        /// What it says.
        body: AnswerBody,
        /// Whether its `jsonrpc` member is `"2.0"`.
        versioned: bool,
        /// The whole message.
        message: Value,
    },
    /// A request or notification of the server.
    Call {
        /// Its method.
        method: String,
        /// The whole message.
        message: Value,
    },
    /// Not a message.
    Noise {
        /// Whether it looks like a broken message of the protocol.
        claims_protocol: bool,
        /// The request id that can be found in it.
        id: Option<i64>,
        /// Why it is not a message.
        reason: String,
    },
}

/// Which request an answer names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerId {
    /// A number.
    Number(i64),
    /// A number written as text.
    Text(i64),
    /// None, or null.
    Absent,
    /// Something that is no id of ours.
    Foreign,
}

impl AnswerId {
    /// Whether it can name a request of ours.
    pub(crate) const fn names(self) -> bool {
        matches!(self, Self::Number(_) | Self::Text(_))
    }
}

/// The messages of a text; a list is a batch of 2025-03-26.
pub(crate) fn read_messages(text: &str) -> Vec<Incoming> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(items)) if !items.is_empty() => items.into_iter().map(read_value).collect(),
        Ok(value) => vec![read_value(value)],
        Err(error) => vec![read_broken(text, &error)],
    }
}

fn read_value(value: Value) -> Incoming {
    let Value::Object(members) = &value else {
        return Incoming::Noise {
            claims_protocol: false,
            id: None,
            reason: "JSON, but not an object".to_owned(),
        };
    };
    let versioned = members.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
    if let Some(method) = members.get("method").and_then(Value::as_str)
        && versioned
    {
        let method = method.to_owned();
        return Incoming::Call { method, message: value };
    }
    // A log line may be an object with an `error` member: without `jsonrpc`, only an id makes it an answer.
    let id = answer_id(members.get("id"));
    let says_something = members.contains_key("result") || members.contains_key("error");
    let is_answer = if versioned {
        says_something || members.contains_key("id")
    } else {
        says_something && id.names()
    };
    if !is_answer {
        let reason = "JSON, but neither an answer nor a call".to_owned();
        return Incoming::Noise { claims_protocol: versioned, id: None, reason };
    }
    Incoming::Answer { id, body: answer_body(members), versioned, message: value }
}

fn answer_id(id: Option<&Value>) -> AnswerId {
    match id {
        None | Some(Value::Null) => AnswerId::Absent,
        Some(Value::Number(number)) => number.as_i64().map_or(AnswerId::Foreign, AnswerId::Number),
        Some(Value::String(text)) => text.parse().map_or(AnswerId::Foreign, AnswerId::Text),
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => AnswerId::Foreign,
    }
}

fn answer_body(members: &Map<String, Value>) -> AnswerBody {
    let malformed = |reason: &str| AnswerBody::Malformed {
        reason: reason.to_owned(),
        excerpt: excerpt(&Value::Object(members.clone()).to_string(), QUOTED),
    };
    match (members.get("error"), members.get("result")) {
        (None | Some(Value::Null), Some(Value::Object(result))) => {
            AnswerBody::Result(Value::Object(result.clone()))
        }
        (None | Some(Value::Null), Some(Value::Null)) => malformed("the result is null"),
        (None | Some(Value::Null), Some(_)) => malformed("the result is not an object"),
        (Some(Value::Object(error)), None | Some(_)) => {
            rpc_error(error).map_or_else(malformed, AnswerBody::Error)
        }
        (Some(Value::Null), None) => malformed("the error is null"),
        (Some(_), None | Some(_)) => malformed("the error is not an object"),
        (None, None) => malformed("neither a result nor an error"),
    }
}

fn rpc_error(error: &Map<String, Value>) -> Result<RpcError, &'static str> {
    let code = match error.get("code") {
        Some(Value::Number(number)) => {
            number.as_i64().ok_or("the error's code is not a whole number")?
        }
        Some(_) => return Err("the error's code is not a number"),
        None => return Err("the error has no code"),
    };
    match error.get("message") {
        Some(Value::String(message)) => {
            Ok(RpcError { code, message: message.clone(), data: error.get("data").cloned() })
        }
        Some(_) => Err("the error's message is not text"),
        None => Err("the error has no message"),
    }
}

/// A text that is not JSON. It claims to be a message when it starts like an object and names members of one.
fn read_broken(text: &str, error: &serde_json::Error) -> Incoming {
    let has = |member: &str| text.contains(member);
    let names_answer = has("\"id\"") && (has("\"result\"") || has("\"error\""));
    let claims_protocol =
        text.trim_start().starts_with(['{', '[']) && (has("\"jsonrpc\"") || names_answer);
    let reason = if error.is_eof() {
        "the JSON text is truncated"
    } else if error.to_string().starts_with(TOO_DEEP) {
        "the JSON text nests deeper than 127 levels, which this client does not read"
    } else {
        "the text is not valid JSON"
    };
    let id = claims_protocol.then(|| first_id(text)).flatten();
    Incoming::Noise { claims_protocol, id, reason: reason.to_owned() }
}

/// The number after the first `"id":` of a text, quoted or not.
pub(crate) fn first_id(text: &str) -> Option<i64> {
    let (_, after) = text.split_once("\"id\"")?;
    let value = after.trim_start().strip_prefix(':')?.trim_start();
    let value = value.strip_prefix('"').unwrap_or(value);
    let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    value[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short spelling of what a text reads as.
    fn check(text: &str, expected: &str) {
        let read: Vec<String> = read_messages(text)
            .iter()
            .map(|message| match message {
                Incoming::Answer { id, body, versioned, message: _ } => {
                    let body = match body {
                        AnswerBody::Result(value) => value.to_string(),
                        AnswerBody::Error(error) => {
                            format!("error {} {}", error.code, error.message)
                        }
                        AnswerBody::Malformed { reason, excerpt: _ } => reason.clone(),
                        AnswerBody::Failed(_) => "failed".to_owned(),
                    };
                    format!("{id:?} {body}{}", if *versioned { "" } else { " unversioned" })
                }
                Incoming::Call { method, message: _ } => format!("call {method}"),
                Incoming::Noise { claims_protocol, id, reason } => {
                    format!("noise {claims_protocol} {id:?} {reason}")
                }
            })
            .collect();
        assert_eq!(read.join("; "), expected);
    }

    #[test]
    fn answers_of_any_make_are_answers() {
        check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "Number(1) {}");
        check(r#"{"jsonrpc":"2.0","id":"1","result":{"a":1}}"#, r#"Text(1) {"a":1}"#);
        check(r#"{"id":1,"result":{}}"#, "Number(1) {} unversioned");
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}}"#,
            "Number(1) error -1 m",
        );
        check(
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}"#,
            "Absent error -1 m",
        );
    }

    #[test]
    fn malformed_answers_say_why() {
        check(r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "Number(1) the result is null");
        check(r#"{"jsonrpc":"2.0","id":1,"result":[]}"#, "Number(1) the result is not an object");
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1}}"#,
            "Number(1) the error has no message",
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"m"}}"#,
            "Number(1) the error's code is not a number",
        );
        check(r#"{"jsonrpc":"2.0","id":1}"#, "Number(1) neither a result nor an error");
    }

    #[test]
    fn broken_text_claims_the_protocol_only_when_it_looks_like_it() {
        check(
            r#"{"jsonrpc":"2.0","id":7,"result":{"con"#,
            "noise true Some(7) the JSON text is truncated",
        );
        check("Server listening on 3000", "noise false None the text is not valid JSON");
        let neither = "noise false None JSON, but neither an answer nor a call";
        check(r#"{"level":"info","error":"none"}"#, neither);
        check(r#"{"method":"GET","path":"/"}"#, neither);
        check(
            r#"{"level":"info","msg":"up"}"#,
            "noise false None JSON, but neither an answer nor a call",
        );
    }

    #[test]
    fn a_deep_text_is_not_called_invalid() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"a":{open}{close}}}}}"#)
        };
        assert!(matches!(read_messages(&nested(125))[0], Incoming::Answer { .. }));
        let reason = "the JSON text nests deeper than 127 levels, which this client does not read";
        check(&nested(126), &format!("noise true Some(1) {reason}"));
    }

    #[test]
    fn calls_and_batches() {
        check(r#"{"jsonrpc":"2.0","method":"notifications/x"}"#, "call notifications/x");
        check(
            r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
            "Number(1) {}; call ping",
        );
    }
}
