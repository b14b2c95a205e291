//! From raw messages to the protocol crate's.

use rmcp::model::{ErrorData, RequestId, ServerJsonRpcMessage};
use serde_json::{Value, json};

use crate::recorder::Handoff;

/// The protocol crate's form of a recorded message; `None` for a call of the server that it cannot read.
pub(super) fn to_sdk(handoff: Handoff) -> Option<ServerJsonRpcMessage> {
    match handoff {
        Handoff::Broken { id, reason } => Some(unreadable(id, reason)),
        Handoff::Message { message, method } => {
            let id = message.get("id").and_then(Value::as_i64);
            let message = plain(message, method.as_deref());
            match (serde_json::from_value(message), method, id) {
                (Ok(message), _, _) => Some(message),
                (Err(error), Some(_), Some(id)) => Some(unreadable(id, error.to_string())),
                (Err(error), _, _) => {
                    tracing::debug!(%error, "a call of the server is not readable and was left out");
                    None
                }
            }
        }
    }
}

/// The same as text, for an event stream.
pub(super) fn to_text(handoff: Handoff) -> String {
    match handoff {
        Handoff::Broken { id, reason } => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32600, "message": reason}})
                .to_string()
        }
        Handoff::Message { message, method } => plain(message, method.as_deref()).to_string(),
    }
}

fn plain(message: Value, method: Option<&str>) -> Value {
    match method {
        Some("initialize") => with_result(message, plain_initialize),
        Some("server/discover") => with_result(message, plain_discover),
        Some(_) | None => message,
    }
}

fn unreadable(id: i64, reason: String) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(
        ErrorData::invalid_request(reason, None),
        Some(RequestId::Number(id)),
    )
}

/// The message with the result that `plain` makes of its own; unchanged when it makes none.
fn with_result(mut message: Value, plain: fn(&Value) -> Option<Value>) -> Value {
    if let Some(result) = message.get_mut("result")
        && let Some(replacement) = plain(result)
    {
        *result = replacement;
    }
    message
}

/// The answer to `initialize` with the members that the protocol crate needs and nothing else: the session must not
/// fail on a member that only a reader of evidence cares about.
fn plain_initialize(result: &Value) -> Option<Value> {
    let version = result.get("protocolVersion")?.as_str()?;
    let text = |member: &str| {
        let value =
            result.get("serverInfo").and_then(|info| info.get(member)).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    let info = json!({"name": text("name"), "version": text("version")});
    Some(json!({"protocolVersion": version, "capabilities": {}, "serverInfo": info}))
}

/// The same for `server/discover`.
fn plain_discover(result: &Value) -> Option<Value> {
    let versions: Vec<&str> =
        result.get("supportedVersions")?.as_array()?.iter().filter_map(Value::as_str).collect();
    Some(json!({
        "resultType": "complete",
        "supportedVersions": versions,
        "capabilities": {},
        "ttlMs": 0,
        "cacheScope": "private",
    }))
}
