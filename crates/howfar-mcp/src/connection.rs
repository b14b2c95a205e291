//! An open connection to one server.

use std::sync::Arc;
use std::time::Duration;

use howfar_wire::cassette::{Traffic, TrialRef};
use serde_json::{Map, Value};

use crate::answer::{AnswerBody, TransportFailure};
use crate::binding::TransportKind;
use crate::call::{CallAnswer, ToolResult};
use crate::cassette::{Log, Replay};
use crate::recorder::{Recorded, Recorder, TextTail};
use crate::session::{Exchange, Session};
use crate::setup_error::{SetupCause, SetupPhase};
use crate::transport::process::{ChildExit, ChildProcess};
use crate::{CallOptions, CallOutcome, Catalog, ConnectOptions, Finding, SetupError};

/// Lines of standard error that an error quotes.
const STDERR_LINES: usize = 5;

/// How long an error waits for a child's exit status, which comes a moment after its streams end.
const EXIT_LIMIT: Duration = Duration::from_millis(500);

/// What opening a session established.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectionInfo {
    /// The transport as reports spell it.
    pub transport: TransportKind,
    /// The protocol version that the server answered with.
    pub protocol_version: String,
    /// `serverInfo` as sent; absent when the server sent none.
    pub server_info: Option<Value>,
    /// `instructions`; absent when the server sent none, or something that is not text.
    pub instructions: Option<String>,
    /// The server's `capabilities` as sent; absent when it sent none.
    pub capabilities: Option<Value>,
    /// The capabilities that this client declared; a catalog is a function of them.
    pub client_capabilities: Value,
    /// When the connection was begun, on the connection's clock.
    pub started: Duration,
    /// When the session was open.
    pub ended: Duration,
}

impl ConnectionInfo {
    /// `serverInfo.name`; absent when it is missing or no text.
    pub fn server_name(&self) -> Option<&str> {
        self.server_info.as_ref()?.get("name")?.as_str()
    }

    /// `serverInfo.version`; absent when it is missing or no text.
    pub fn server_version(&self) -> Option<&str> {
        self.server_info.as_ref()?.get("version")?.as_str()
    }
}

/// An open connection. Clones share it; when the last one is dropped, the session is closed and a child process with
/// its whole group is ended in the background. [`Connection::shutdown`] does the same and waits for it.
#[derive(Clone)]
pub struct Connection {
    inner: Arc<Inner>,
    /// Which trial this handle calls for.
    trial: Option<TrialRef>,
}

struct Inner {
    link: Link,
    peer: Peer,
    info: ConnectionInfo,
}

/// Who answers.
enum Peer {
    /// The server.
    Live(Box<Session>),
    /// A recording of it.
    Replayed(Replay),
}

/// What belongs to a connection besides its session, also while it is being opened.
pub(crate) struct Link {
    pub(crate) server: String,
    pub(crate) place: String,
    pub(crate) options: ConnectOptions,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) child: Option<ChildProcess>,
    pub(crate) stderr: Option<Arc<TextTail>>,
}

impl Connection {
    pub(crate) fn new(link: Link, session: Session, info: ConnectionInfo) -> Self {
        Self {
            inner: Arc::new(Inner { link, peer: Peer::Live(Box::new(session)), info }),
            trial: None,
        }
    }

    pub(crate) fn replayed(link: Link, replay: Replay, info: ConnectionInfo) -> Self {
        Self { inner: Arc::new(Inner { link, peer: Peer::Replayed(replay), info }), trial: None }
    }

    /// The same connection, calling for a trial: a recording keeps for whom a call was made.
    #[must_use]
    pub fn for_trial(&self, trial: TrialRef) -> Self {
        Self { inner: Arc::clone(&self.inner), trial: Some(trial) }
    }

    /// The server's name.
    pub fn server(&self) -> &str {
        &self.inner.link.server
    }

    /// What opening the session established.
    pub fn info(&self) -> &ConnectionInfo {
        &self.inner.info
    }

    /// What the server did that it should not, so far.
    pub fn findings(&self) -> Vec<Finding> {
        self.inner.link.recorder.findings()
    }

    /// The last 64 KiB of a child's standard error; empty for HTTP.
    pub fn stderr_tail(&self) -> String {
        self.inner.link.stderr.as_ref().map(|tail| tail.text()).unwrap_or_default()
    }

    /// How often the server said that its tool list changed, so far.
    pub fn tool_list_changes(&self) -> u64 {
        self.inner.link.recorder.calls("notifications/tools/list_changed")
    }

    /// How the child process ended; absent while it runs, and for HTTP.
    pub fn child_exit(&self) -> Option<ChildExit> {
        self.inner.link.child.as_ref().and_then(ChildProcess::exit)
    }

    /// Whether the child process has ended; in a replay, whether it had when this was recorded.
    pub fn is_lost(&self) -> bool {
        match &self.inner.peer {
            Peer::Live(_) => self.child_exit().is_some(),
            Peer::Replayed(replay) => replay.is_lost(),
        }
    }

    /// Lists the server's tools, page by page.
    ///
    /// # Errors
    /// When a page cannot be read at all. A broken entry, a repeated cursor or too many pages are findings.
    pub async fn list_tools(&self) -> Result<Catalog, SetupError> {
        crate::catalog::list_tools(self).await
    }

    /// Calls a tool. Calls on one connection may run at the same time. Dropping the future cancels the call at the
    /// server.
    pub async fn call_tool(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        options: CallOptions,
    ) -> CallOutcome {
        let session = match &self.inner.peer {
            Peer::Live(session) => session,
            Peer::Replayed(replay) => {
                let clock = self.inner.link.recorder.clock();
                return replay.call_tool(tool, arguments, self.trial.clone(), clock).await;
            }
        };
        let open = self.log().map(|log| log.open_call(self.trial.clone(), tool, arguments));
        let outcome = self.call_live(session, tool, arguments, options).await;
        if let Some(open) = open {
            open.end(&outcome);
        }
        outcome
    }

    async fn call_live(
        &self,
        session: &Session,
        tool: &str,
        arguments: &Map<String, Value>,
        options: CallOptions,
    ) -> CallOutcome {
        let recorder = &self.inner.link.recorder;
        let begun = recorder.clock().now();
        let exchange = session.call_tool(recorder, tool, arguments, options.timeout).await;
        let tool = tool.to_owned();
        match exchange {
            Exchange::TimedOut { sent } => CallOutcome {
                tool,
                started: sent.unwrap_or(begun),
                ended: recorder.clock().now(),
                answer: CallAnswer::Timeout {
                    limit: options.timeout,
                    strays: recorder.drain_strays(),
                },
                http: None,
            },
            Exchange::Recorded(Recorded { sent, answered, body, http }) => {
                let answer = match body {
                    AnswerBody::Result(raw) => CallAnswer::Result(ToolResult { raw }),
                    AnswerBody::Error(error) => CallAnswer::Error(error),
                    AnswerBody::Malformed { reason, excerpt } => {
                        CallAnswer::Malformed { reason, excerpt }
                    }
                    AnswerBody::Failed(failure) => {
                        CallAnswer::Transport(self.inner.link.explain(failure).await)
                    }
                };
                CallOutcome { tool, started: sent.unwrap_or(begun), ended: answered, answer, http }
            }
        }
    }

    /// Closes the session, and ends a child process: its standard input is closed, then after a grace SIGTERM and
    /// after another SIGKILL go to its whole group. Safe to call twice.
    pub async fn shutdown(&self) {
        if let Peer::Live(session) = &self.inner.peer {
            session.close().await;
        }
        let link = &self.inner.link;
        if let Some(child) = &link.child {
            child.stop();
            child.wait(link.options.shutdown_grace * 3 + EXIT_LIMIT).await;
        }
    }

    pub(crate) fn options(&self) -> &ConnectOptions {
        &self.inner.link.options
    }

    /// Where exchanges are kept; `None` when they are not.
    fn log(&self) -> Option<Log<'_>> {
        let link = &self.inner.link;
        match &link.options.traffic {
            Traffic::Recorded(sink) => Some(Log { sink, server: &link.server }),
            Traffic::Live | Traffic::Replayed(_) => None,
        }
    }

    /// The result object of one page of tools.
    pub(crate) async fn tools_page(
        &self,
        cursor: Option<String>,
    ) -> Result<Map<String, Value>, SetupError> {
        let recorder = &self.inner.link.recorder;
        let session = match &self.inner.peer {
            Peer::Live(session) => session,
            Peer::Replayed(replay) => return replay.tools_page(cursor.as_deref(), recorder).await,
        };
        let began = recorder.clock().now();
        let page = self.live_page(session, cursor.clone()).await;
        if let Some(log) = self.log() {
            let took = recorder.clock().now().saturating_sub(began);
            log.keep_page(cursor.as_deref(), took, &page, recorder);
        }
        page
    }

    async fn live_page(
        &self,
        session: &Session,
        cursor: Option<String>,
    ) -> Result<Map<String, Value>, SetupError> {
        let link = &self.inner.link;
        let started = link.recorder.clock().now();
        let limit = link.options.setup_timeout;
        let exchange = session.list_tools(&link.recorder, cursor, limit).await;
        let (cause, http) = match exchange {
            Exchange::TimedOut { sent: _ } => (SetupCause::Timeout { limit }, None),
            Exchange::Recorded(recorded) => match recorded.body {
                AnswerBody::Result(Value::Object(page))
                    if page.get("tools").is_some_and(Value::is_array) =>
                {
                    return Ok(page);
                }
                AnswerBody::Result(other) => {
                    let reason = "the result has no list of tools".to_owned();
                    let excerpt = crate::finding::excerpt(&other.to_string(), 300);
                    (SetupCause::Malformed { reason, excerpt }, recorded.http)
                }
                body @ (AnswerBody::Error(_)
                | AnswerBody::Malformed { .. }
                | AnswerBody::Failed(_)) => (cause_of(body), recorded.http),
            },
        };
        Err(link.error(SetupPhase::ListTools, started, cause, http).await)
    }
}

/// The cause that an answer other than a result makes.
pub(crate) fn cause_of(body: AnswerBody) -> SetupCause {
    match body {
        AnswerBody::Result(other) => SetupCause::Malformed {
            reason: "the result cannot be used".to_owned(),
            excerpt: crate::finding::excerpt(&other.to_string(), 300),
        },
        AnswerBody::Error(error) => SetupCause::Rpc(error),
        AnswerBody::Malformed { reason, excerpt } => SetupCause::Malformed { reason, excerpt },
        AnswerBody::Failed(failure) => SetupCause::Transport(failure),
    }
}

impl Link {
    /// An error of this connection, with everything that is known around it.
    pub(crate) async fn error(
        &self,
        phase: SetupPhase,
        started: Duration,
        cause: SetupCause,
        http: Option<crate::HttpFacts>,
    ) -> SetupError {
        let ended = self.recorder.clock().now();
        let gone = matches!(cause, SetupCause::Transport(_));
        let child_exit = match &self.child {
            Some(child) if gone => child.wait(EXIT_LIMIT).await,
            Some(child) => child.exit(),
            None => None,
        };
        if let Some(tail) = self.stderr.as_ref().filter(|_| gone) {
            tail.wait_for_end(EXIT_LIMIT).await;
        }
        let http = http.or(match &cause {
            SetupCause::Transport(TransportFailure::Http(facts)) => Some(facts.clone()),
            SetupCause::Transport(
                TransportFailure::Network { .. } | TransportFailure::Closed { .. },
            )
            | SetupCause::Spawn { .. }
            | SetupCause::InvalidBinding { .. }
            | SetupCause::Rpc(_)
            | SetupCause::Malformed { .. }
            | SetupCause::UnsupportedVersion { .. }
            | SetupCause::Timeout { .. } => None,
        });
        SetupError {
            server: self.server.clone(),
            phase,
            cause,
            place: self.place.clone(),
            started,
            ended,
            http,
            child_exit,
            stderr: self
                .stderr
                .as_ref()
                .map(|tail| tail.last_lines(STDERR_LINES))
                .unwrap_or_default(),
            stdout_noise: self.recorder.first_noise(),
        }
    }

    /// A failure with how the child ended, when that is why.
    async fn explain(&self, failure: TransportFailure) -> TransportFailure {
        match (failure, &self.child) {
            (TransportFailure::Closed { detail }, Some(child)) => {
                let exit = child.wait(EXIT_LIMIT).await;
                let detail = exit.map_or(detail.clone(), |exit| {
                    format!("{detail}; the process {}", exit.describe())
                });
                TransportFailure::Closed { detail }
            }
            (
                failure @ (TransportFailure::Closed { .. }
                | TransportFailure::Network { .. }
                | TransportFailure::Http(_)),
                _,
            ) => failure,
        }
    }
}
