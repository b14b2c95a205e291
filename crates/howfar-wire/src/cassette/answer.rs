//! What came back for a request, as a cassette keeps it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::vocabulary::RefusalKind;

/// What came back for a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExchangeAnswer {
    /// A model's turn.
    Turn(RecordedTurn),
    /// A failed model call.
    ModelError(RecordedModelError),
    /// A session with a server.
    Connected(RecordedSession),
    /// Connecting or listing failed.
    SetupFailed(Box<SetupFault>),
    /// A page of tools, exactly as sent.
    Page {
        /// The `result` object.
        result: Map<String, Value>,
    },
    /// The result of a tool call, exactly as sent.
    Result {
        /// The `result` object.
        result: Value,
        /// The HTTP response that carried it; absent off HTTP.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        http: Option<HttpAnswer>,
    },
    /// A JSON-RPC error.
    RpcError {
        /// Its code.
        code: i64,
        /// Its message.
        message: String,
        /// Its data; absent when the server sent none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
        /// The HTTP response that carried it; absent off HTTP.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        http: Option<HttpAnswer>,
    },
    /// Clearly the answer, but not readable as one.
    Malformed {
        /// Why.
        reason: String,
        /// Its start.
        excerpt: String,
        /// The HTTP response that carried it; absent off HTTP.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        http: Option<HttpAnswer>,
    },
    /// The transport failed before an answer came.
    TransportFailed {
        /// How.
        failure: TransportFault,
        /// The HTTP response, when there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        http: Option<HttpAnswer>,
    },
    /// No answer within the limit of the call.
    TimedOut {
        /// The limit in milliseconds.
        limit_ms: u64,
        /// Texts that answered no request and came in the meantime.
        strays: Vec<String>,
    },
    /// What the egress canary found.
    Canary {
        /// Its verdict.
        verdict: CanaryAnswer,
    },
    /// Nothing had come back when the trial was given up: its clock fired, or the run was interrupted.
    Unanswered,
}

impl ExchangeAnswer {
    /// The spelling of the kind, for messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Turn(_) => "turn",
            Self::ModelError(_) => "modelError",
            Self::Connected(_) => "connected",
            Self::SetupFailed(_) => "setupFailed",
            Self::Page { .. } => "page",
            Self::Result { .. } => "result",
            Self::RpcError { .. } => "rpcError",
            Self::Malformed { .. } => "malformed",
            Self::TransportFailed { .. } => "transportFailed",
            Self::TimedOut { .. } => "timedOut",
            Self::Canary { .. } => "canary",
            Self::Unanswered => "unanswered",
        }
    }
}

/// A model's turn. Absence means what it means in a live turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedTurn {
    /// What the model said.
    pub text: String,
    /// What it called, in order.
    pub tool_calls: Vec<RecordedCall>,
    /// The provider's separate reasoning text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<RecordedUsage>,
    /// What the provider says the turn cost, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Why the turn ended, in the provider's spelling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// The provider's id of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_id: Option<String>,
    /// When the provider says it answered, in Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<i64>,
    /// The model that the provider says answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The provider's name.
    pub provider: String,
    /// From sending the request to the first piece of the answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_to_first_chunk_ms: Option<f64>,
}

/// A tool call of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedCall {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments_text: String,
    /// Provider data that goes back with the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<Value>,
}

/// Tokens of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedUsage {
    /// Tokens of the request.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
}

/// A failed model call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedModelError {
    /// What kind of failure it is.
    pub failure: ModelFailure,
    /// The provider's name.
    pub provider: String,
    /// The HTTP status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The provider's own error code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What happened.
    pub message: String,
    /// How long the provider asks to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// What kind of failure a model call ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ModelFailure {
    /// The provider refused.
    Refused {
        /// How.
        refusal: RefusalKind,
    },
    /// The provider answered with any other error.
    Rejected,
    /// The clock of the request fired.
    RequestTimeout,
    /// The clock between two pieces of an answer fired.
    IdleTimeout,
    /// No connection came about.
    Unreachable,
    /// The answer broke off.
    Disconnected,
    /// The answer is not what the wire promises.
    Malformed,
    /// The request cannot be put on this wire.
    Unsupported,
    /// The script has no answer.
    Script,
}

/// What opening a session established.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedSession {
    /// The protocol version.
    pub protocol_version: String,
    /// `serverInfo` as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_info: Option<Value>,
    /// `instructions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The server's `capabilities` as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Value>,
    /// The capabilities that the client declared.
    pub client_capabilities: Value,
}

/// Why a server could not be set up: the facts that attribution reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetupFault {
    /// What went wrong.
    pub cause: SetupFaultCause,
    /// Where: `command "node"` or `host:port`.
    pub place: String,
    /// The HTTP response, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpAnswer>,
    /// How the child process ended, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_exit: Option<ChildEnd>,
    /// The last lines of the child's standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// The first line of standard output that was no protocol message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_noise: Option<String>,
}

/// What went wrong while a server was set up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SetupFaultCause {
    /// The child process did not start.
    Spawn {
        /// The kind.
        code: SpawnFault,
        /// What the system said.
        detail: String,
    },
    /// The binding cannot be used.
    InvalidBinding {
        /// Why.
        detail: String,
    },
    /// The transport failed.
    Transport {
        /// How.
        failure: TransportFault,
    },
    /// A JSON-RPC error.
    Rpc {
        /// Its code.
        code: i64,
        /// Its message.
        message: String,
        /// Its data.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
    },
    /// The answer cannot be read.
    Malformed {
        /// Why.
        reason: String,
        /// Its start.
        excerpt: String,
    },
    /// A protocol version that this client does not speak.
    UnsupportedVersion {
        /// The version.
        answered: String,
    },
    /// No answer within our own limit.
    Timeout {
        /// The limit in milliseconds.
        limit_ms: u64,
    },
}

/// Why a child process could not be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SpawnFault {
    /// No such command.
    NotFound,
    /// No such command, and it reads like a command line.
    CommandLine,
    /// The interpreter that its first line names is missing.
    NoInterpreter,
    /// The working directory is no folder.
    NoFolder,
    /// Not executable.
    PermissionDenied,
    /// Anything else.
    Other,
}

/// How a transport failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum TransportFault {
    /// No connection, or it broke.
    Network {
        /// The system's name of it, for example `ECONNREFUSED`.
        code: String,
        /// The innermost cause's text.
        detail: String,
    },
    /// An HTTP response without a protocol message.
    Http {
        /// The response.
        response: HttpAnswer,
    },
    /// The stream or the child process ended.
    Closed {
        /// What is known about the end.
        detail: String,
    },
}

/// What an HTTP response said besides its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// The content type, without parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// Whether a header offers the Bearer scheme.
    pub bearer_challenge: bool,
    /// Whether the body is an HTML page.
    pub html_body: bool,
    /// The start of a body that is no protocol message.
    pub body: String,
}

/// How a child process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildEnd {
    /// The exit code; absent when a signal ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The signal; absent when it exited by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
}

/// What a server did that it should not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFinding {
    /// The kind, as findings spell it.
    pub code: String,
    /// The sentence.
    pub text: String,
}

/// What the egress canary found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CanaryAnswer {
    /// Our own path works.
    Verified,
    /// It was tried and does not work.
    NotVerified,
    /// It was not tried.
    NotRun,
}
