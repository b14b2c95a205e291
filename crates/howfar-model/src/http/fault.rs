//! Error objects of providers, wherever they stand: in an error answer, in a JSON answer, or inside a stream.

use serde_json::Value;

use super::endpoint::Endpoint;
use crate::error::{ModelError, ModelErrorKind};
use crate::refusal::classify_refusal;

/// How much of a provider's text a message shows, in characters.
const SHOWN: usize = 600;

/// What a provider says about its failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderFault {
    /// Every code and type that it names, the most exact first.
    codes: Vec<String>,
    message: String,
    /// The whole text, for the classification.
    text: String,
}

impl ProviderFault {
    /// The error that a JSON value carries in its `error` member, or is itself; `None` when it is none.
    pub(crate) fn in_value(value: &Value) -> Option<Self> {
        let carrier = value.as_array().and_then(|items| items.first()).unwrap_or(value);
        let named = carrier.get("error").filter(|error| !error.is_null());
        let error = named.or_else(|| is_error(carrier).then_some(carrier))?;
        let text = carrier.to_string();
        let codes = ["code", "type", "status"].iter();
        let codes = codes.filter_map(|name| code_text(error.get(*name)?)).collect();
        let message = match error {
            Value::String(message) => message.clone(),
            other => other.get("message").and_then(Value::as_str).unwrap_or(&text).to_owned(),
        };
        Some(Self { codes, message, text })
    }

    /// The error that an answer with an error status carries; any body will do.
    pub(super) fn in_body(body: &str) -> Self {
        let value = serde_json::from_str::<Value>(body).ok();
        let mut fault = value.as_ref().and_then(Self::in_value).unwrap_or_else(|| Self {
            codes: Vec::new(),
            message: value.as_ref().and_then(plain_message).unwrap_or_else(|| body.to_owned()),
            text: String::new(),
        });
        body.clone_into(&mut fault.text);
        fault
    }

    /// The failure of a call that was answered with this HTTP status.
    pub(super) fn with_status(self, endpoint: &Endpoint, status: u16) -> ModelError {
        let shown = shown(endpoint, &self.message);
        let said = if shown.is_empty() { String::new() } else { format!(": {shown}") };
        let redirect = if (300..400).contains(&status) {
            ", a redirect, which is not followed: correct the base URL"
        } else {
            ""
        };
        let message = format!("answered with status {status}{redirect}{said}");
        let error = self.classified(endpoint, Some(status), &message);
        ModelError { status: Some(status), ..error }
    }

    /// The failure of a call whose answer began well and then carried this error.
    ///
    /// The wire has no status any more, so the error's own code says which status it would have had.
    pub(crate) fn inside_answer(self, endpoint: &Endpoint) -> ModelError {
        let status = self.codes.iter().find_map(|code| equivalent_status(code));
        let message = format!("the answer carries an error: {}", shown(endpoint, &self.message));
        self.classified(endpoint, status, &message)
    }

    fn classified(self, endpoint: &Endpoint, status: Option<u16>, message: &str) -> ModelError {
        let kind = match classify_refusal(status, &self.text) {
            Some(refusal) => ModelErrorKind::Refused(refusal),
            None => ModelErrorKind::Rejected,
        };
        let code = self.codes.first().map(|code| endpoint.redact(code));
        ModelError { code, ..endpoint.error(kind, message) }
    }
}

/// The start of a provider's text on one line, for messages. The key goes first, so that no cut leaves a part of it.
pub(super) fn shown(endpoint: &Endpoint, text: &str) -> String {
    let redacted = endpoint.redact(text);
    let line = redacted.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

/// Whether a value says of itself that it is an error, as some servers spell one.
fn is_error(value: &Value) -> bool {
    ["object", "type"].iter().any(|name| value.get(*name).is_some_and(|kind| kind == "error"))
}

fn code_text(code: &Value) -> Option<String> {
    match code {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

/// The text of an error answer that has no `error` member.
fn plain_message(value: &Value) -> Option<String> {
    let text = ["message", "detail"].iter().find_map(|name| value.get(*name)?.as_str());
    text.map(str::to_owned)
}

/// The status that an error inside a stream would have had, by its code or type.
fn equivalent_status(code: &str) -> Option<u16> {
    if let Ok(status) = code.parse::<u16>() {
        return (400..600).contains(&status).then_some(status);
    }
    match code.to_ascii_lowercase().as_str() {
        "invalid_request_error" | "bad_request" => Some(400),
        "authentication_error" | "invalid_api_key" | "unauthenticated" => Some(401),
        "billing_error" | "insufficient_quota" | "insufficient_credits" => Some(402),
        "permission_error" | "permission_denied" => Some(403),
        "not_found_error" | "model_not_found" => Some(404),
        "request_too_large" => Some(413),
        "rate_limit_error" | "rate_limit_exceeded" | "resource_exhausted" => Some(429),
        "api_error" | "server_error" | "internal_server_error" | "internal" => Some(500),
        "unavailable" | "service_unavailable" => Some(503),
        "timeout_error" | "deadline_exceeded" => Some(504),
        "overloaded_error" | "overloaded" => Some(529),
        _ => None,
    }
}
