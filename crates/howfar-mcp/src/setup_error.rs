//! Why a server could not be set up, with the facts that attribution reads (derivation, section 10).

use std::fmt;
use std::time::Duration;

use crate::answer::{HttpFacts, TransportFailure};
use crate::finding::excerpt;
use crate::transport::process::ChildExit;
use crate::{RpcError, SPOKEN};

/// Which setup operation failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupPhase {
    /// Reaching the server and opening a session.
    Connect,
    /// Listing its tools.
    ListTools,
}

/// Why a child process could not be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnCode {
    /// No such command.
    NotFound,
    /// No such command, and its name reads like a command with its arguments.
    CommandLine,
    /// The file is there, and the interpreter that its first line names is not.
    NoInterpreter,
    /// The working directory of the entry is no folder.
    NoFolder,
    /// Not executable.
    PermissionDenied,
    /// Anything else.
    Other,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum SetupCause {
    /// The child process did not start.
    Spawn {
        /// The kind.
        code: SpawnCode,
        /// What the system said.
        detail: String,
    },
    /// The binding cannot be used.
    InvalidBinding {
        /// Why.
        detail: String,
    },
    /// The transport failed before an answer came.
    Transport(TransportFailure),
    /// The server answered with a JSON-RPC error.
    Rpc(RpcError),
    /// The server's answer cannot be read.
    Malformed {
        /// Why.
        reason: String,
        /// Its start.
        excerpt: String,
    },
    /// The server answered with a protocol version that this client does not speak.
    UnsupportedVersion {
        /// The version.
        answered: String,
    },
    /// No answer within our own limit.
    Timeout {
        /// The limit.
        limit: Duration,
    },
}

/// A server that could not be set up. `Display` is one message that says what, where and what next; its quotes are
/// bounded but not redacted.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupError {
    /// The server's name.
    pub server: String,
    /// Which operation failed.
    pub phase: SetupPhase,
    /// What went wrong.
    pub cause: SetupCause,
    /// Where: `command "node"` or `host:port`; never arguments, path or query.
    pub place: String,
    /// When the operation began, on the connection's clock.
    pub started: Duration,
    /// When it failed.
    pub ended: Duration,
    /// The HTTP response, on HTTP, when there was one.
    pub http: Option<HttpFacts>,
    /// How the child process ended, when it did.
    pub child_exit: Option<ChildExit>,
    /// The last lines of the child's standard error, at most five.
    pub stderr: Vec<String>,
    /// The first line of standard output that was not a protocol message.
    pub stdout_noise: Option<String>,
}

impl SetupError {
    /// The error's code as attribution reads it: a network code such as `ECONNREFUSED`. Absent for every other
    /// cause; a limit of ours is not `ETIMEDOUT`.
    pub const fn code(&self) -> Option<&'static str> {
        match &self.cause {
            SetupCause::Transport(TransportFailure::Network { code, detail: _ }) => {
                Some(code.as_str())
            }
            SetupCause::Transport(TransportFailure::Http(_) | TransportFailure::Closed { .. })
            | SetupCause::Spawn { .. }
            | SetupCause::InvalidBinding { .. }
            | SetupCause::Rpc(_)
            | SetupCause::Malformed { .. }
            | SetupCause::UnsupportedVersion { .. }
            | SetupCause::Timeout { .. } => None,
        }
    }

    /// The HTTP status of the response that made the error; absent off HTTP and when there was no response.
    pub fn http_status(&self) -> Option<u16> {
        self.http.as_ref().map(|facts| facts.status)
    }

    /// The code of the server's JSON-RPC error; absent when it sent none.
    pub const fn rpc_code(&self) -> Option<i64> {
        match &self.cause {
            SetupCause::Rpc(error) => Some(error.code),
            SetupCause::Spawn { .. }
            | SetupCause::InvalidBinding { .. }
            | SetupCause::Transport(_)
            | SetupCause::Malformed { .. }
            | SetupCause::UnsupportedVersion { .. }
            | SetupCause::Timeout { .. } => None,
        }
    }

    /// Whether the connection got as far as a running process: the egress canary of a stdio server (suite and
    /// runner, section B5).
    pub const fn was_spawned(&self) -> bool {
        !matches!(self.cause, SetupCause::Spawn { .. } | SetupCause::InvalidBinding { .. })
    }
}

impl std::error::Error for SetupError {}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let act = match self.phase {
            SetupPhase::Connect => "cannot be connected",
            SetupPhase::ListTools => "cannot list its tools",
        };
        write!(f, "server \"{}\" {act}: ", self.server)?;
        self.write_cause(f)?;
        if let Some(exit) = self.child_exit {
            write!(f, "; the process {}", exit.describe())?;
        }
        if !self.stderr.is_empty() {
            write!(
                f,
                "; it last wrote on standard error: {}",
                excerpt(&self.stderr.join(" | "), 600)
            )?;
        }
        if let Some(noise) = &self.stdout_noise {
            write!(
                f,
                "; its standard output, which may carry protocol messages only, began with: {}",
                excerpt(noise, 200)
            )?;
        }
        write!(f, "; {}", self.advice())
    }
}

impl SetupError {
    fn write_cause(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.cause {
            SetupCause::Spawn { code: SpawnCode::NotFound, detail: _ } => {
                write!(f, "{place} was not found")
            }
            SetupCause::Spawn { code: SpawnCode::CommandLine, detail: _ } => {
                write!(f, "{place} and what follows it is no command")
            }
            SetupCause::Spawn { code: SpawnCode::NoInterpreter, detail: _ } => {
                write!(f, "the interpreter of {place} was not found")
            }
            SetupCause::Spawn { code: SpawnCode::NoFolder, detail: _ } => {
                write!(f, "the working directory (cwd) of {place} is no folder")
            }
            SetupCause::Spawn { code: SpawnCode::PermissionDenied, detail: _ } => {
                write!(f, "{place} may not be executed")
            }
            SetupCause::Spawn { code: SpawnCode::Other, detail } => {
                write!(f, "{place} could not be started ({detail})")
            }
            SetupCause::InvalidBinding { detail } => f.write_str(detail),
            SetupCause::Transport(TransportFailure::Network { code, detail }) => {
                write!(f, "{} ({}: {})", code.sentence(place), code.as_str(), excerpt(detail, 200))
            }
            SetupCause::Transport(TransportFailure::Http(facts)) => write_http(f, place, facts),
            SetupCause::Transport(TransportFailure::Closed { detail }) => {
                write!(f, "{}", excerpt(detail, 300))
            }
            SetupCause::Rpc(error) => {
                write!(
                    f,
                    "{place} answered with error {}: {}",
                    error.code,
                    excerpt(&error.message, 300)
                )
            }
            SetupCause::Malformed { reason, excerpt } => {
                write!(f, "the answer of {place} is not readable: {reason}: {excerpt}")
            }
            SetupCause::UnsupportedVersion { answered } => {
                write!(
                    f,
                    "{place} answered with protocol version \"{}\"; this client speaks {SPOKEN}",
                    excerpt(answered, 40)
                )
            }
            SetupCause::Timeout { limit } => {
                write!(
                    f,
                    "{place} gave no answer within {} s (setup timeout of this client)",
                    limit.as_secs_f64()
                )
            }
        }
    }

    fn advice(&self) -> &'static str {
        match &self.cause {
            SetupCause::Spawn { code: SpawnCode::NotFound, detail: _ } => {
                "install it, or write its full path"
            }
            SetupCause::Spawn { code: SpawnCode::CommandLine, detail: _ } => {
                "\"command\" names one program: write its arguments as \"args\""
            }
            SetupCause::Spawn { code: SpawnCode::NoInterpreter, detail: _ } => {
                "correct the first line of the file"
            }
            SetupCause::Spawn { code: SpawnCode::NoFolder, detail: _ } => {
                "create the folder, or correct the entry"
            }
            SetupCause::Spawn { code: SpawnCode::PermissionDenied, detail: _ } => {
                "make it executable, or run it through its interpreter"
            }
            SetupCause::Spawn { code: SpawnCode::Other, detail: _ }
            | SetupCause::InvalidBinding { .. } => "correct the server's entry",
            SetupCause::Transport(TransportFailure::Network { code, detail: _ }) => code.advice(),
            SetupCause::Transport(TransportFailure::Http(facts)) => http_advice(facts),
            SetupCause::Transport(TransportFailure::Closed { .. }) => {
                "run the command by hand and look at what it prints"
            }
            SetupCause::Rpc(_) | SetupCause::Malformed { .. } => {
                "this is the server's own answer: look at its log"
            }
            SetupCause::UnsupportedVersion { .. } => "update the server, or this client",
            SetupCause::Timeout { .. } => {
                "start the server by hand to see what it waits for, or raise the setup timeout"
            }
        }
    }
}

fn write_http(f: &mut fmt::Formatter<'_>, place: &str, facts: &HttpFacts) -> fmt::Result {
    write!(f, "{place} answered with HTTP status {}", facts.status)?;
    if facts.bearer_challenge {
        f.write_str(" and asks for a bearer token")?;
    }
    match (facts.html_body, facts.body.is_empty()) {
        (true, _) => f.write_str(" and a web page instead of a protocol message"),
        (false, false) => write!(f, " and: {}", excerpt(&facts.body, 200)),
        (false, true) => Ok(()),
    }
}

const fn http_advice(facts: &HttpFacts) -> &'static str {
    match facts.status {
        401 | 403 => "check the credentials in the server's headers",
        404 | 405 => "check the path of its url",
        429 => "wait, or ask for a higher limit",
        500..=599 => "look at the server's own log",
        _ => "check that its url is an MCP endpoint",
    }
}
