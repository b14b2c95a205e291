//! What came back for one request, as it stood on the wire.

use std::fmt;

use serde_json::Value;

use crate::network::NetworkCode;

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// The code.
    pub code: i64,
    /// The message.
    pub message: String,
    /// The `data` member; absent when the server sent none.
    pub data: Option<Value>,
}

/// What an HTTP response said besides its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpFacts {
    /// The status.
    pub status: u16,
    /// The content type, without parameters, in lower case; absent when there was none.
    pub content_type: Option<String>,
    /// Whether a `WWW-Authenticate` header offers the Bearer scheme.
    pub bearer_challenge: bool,
    /// Whether the body is an HTML page.
    pub html_body: bool,
    /// The start of a body that is not a protocol message; empty when there was none.
    pub body: String,
}

/// How a transport failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransportFailure {
    /// No connection, or it broke.
    Network {
        /// The system's name of it.
        code: NetworkCode,
        /// The innermost cause's text.
        detail: String,
    },
    /// An HTTP response that carries no protocol message.
    Http(HttpFacts),
    /// The stream ended, or the child process did.
    Closed {
        /// What is known about the end.
        detail: String,
    },
}

impl fmt::Display for TransportFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network { code, detail } => {
                write!(f, "{} ({}: {detail})", code.sentence("the server"), code.as_str())
            }
            Self::Http(facts) => {
                write!(f, "HTTP status {} without a protocol message", facts.status)
            }
            Self::Closed { detail } => f.write_str(detail),
        }
    }
}

/// What came back for one request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AnswerBody {
    /// The `result` member.
    Result(Value),
    /// The `error` member.
    Error(RpcError),
    /// Clearly the answer, but not readable as one.
    Malformed {
        /// Why.
        reason: String,
        /// Its start.
        excerpt: String,
    },
    /// The transport failed instead.
    Failed(TransportFailure),
}
