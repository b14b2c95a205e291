//! Opening a connection.

use std::future::Future;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use howfar_wire::cassette::Traffic;
use rmcp::RoleClient;
use rmcp::transport::Transport;
use serde_json::Value;

use crate::answer::{AnswerBody, HttpFacts, TransportFailure};
use crate::binding::TransportKind;
use crate::cassette::{connect_replayed, keep_connect};
use crate::connection::{ConnectionInfo, Link, cause_of};
use crate::finding::{FindingCode, excerpt};
use crate::network::{host_of, http_url};
use crate::recorder::Recorder;
use crate::session::{self, DISCOVER_VERSION, Lifecycle, SPOKEN_VERSIONS, Session};
use crate::setup_error::{SetupCause, SetupPhase, SpawnCode};
use crate::transport::{http, sse, stdio};
use crate::{
    ConnectOptions, Connection, HttpBinding, HttpFlavor, ProtocolMode, ServerBinding, SetupError,
    StdioBinding,
};

/// JSON-RPC codes with which a server says that it does not know `initialize`, or none of its versions.
const REFUSES_INITIALIZE: [i64; 3] = [-32601, -32602, -32022];

/// Statuses with which a server of the 2024-11-05 transport refuses a POST of `initialize`.
const REFUSES_STREAMABLE: [u16; 3] = [400, 404, 405];

/// Connects to a server and opens a session.
///
/// # Errors
/// When the server cannot be reached, does not answer within the setup timeout, or answers with something that makes
/// no session. Nothing of a failed attempt is left running.
pub async fn connect(
    name: &str,
    binding: &ServerBinding,
    options: &ConnectOptions,
) -> Result<Connection, SetupError> {
    match &options.traffic {
        Traffic::Live => connect_live(name, binding, options).await,
        Traffic::Recorded(sink) => {
            let began = options.clock.now();
            let connected = connect_live(name, binding, options).await;
            keep_connect(sink, name, options.clock.now().saturating_sub(began), &connected);
            connected
        }
        Traffic::Replayed(source) => connect_replayed(name, binding, options, source).await,
    }
}

async fn connect_live(
    name: &str,
    binding: &ServerBinding,
    options: &ConnectOptions,
) -> Result<Connection, SetupError> {
    match options.mode {
        ProtocolMode::Initialize => connect_as(name, binding, options, Lifecycle::Initialize).await,
        ProtocolMode::Discover => connect_as(name, binding, options, Lifecycle::Discover).await,
        ProtocolMode::Auto => match connect_as(name, binding, options, Lifecycle::Initialize).await
        {
            Err(error)
                if error.rpc_code().is_some_and(|code| REFUSES_INITIALIZE.contains(&code)) =>
            {
                connect_as(name, binding, options, Lifecycle::Discover).await
            }
            first => first,
        },
    }
}

async fn connect_as(
    name: &str,
    binding: &ServerBinding,
    options: &ConnectOptions,
    lifecycle: Lifecycle,
) -> Result<Connection, SetupError> {
    match binding {
        ServerBinding::Stdio(stdio) => connect_stdio(name, stdio, options, lifecycle).await,
        ServerBinding::Http(http) => connect_http(name, http, options, lifecycle).await,
    }
}

async fn connect_stdio(
    name: &str,
    binding: &StdioBinding,
    options: &ConnectOptions,
    lifecycle: Lifecycle,
) -> Result<Connection, SetupError> {
    let program = program_of(&binding.command);
    let mut attempt = Attempt::new(
        name,
        format!("command \"{program}\""),
        TransportKind::Stdio,
        options,
        lifecycle,
    );
    match stdio::open(binding, options, &attempt.link.recorder) {
        Ok(opened) => {
            attempt.link.child = Some(opened.child);
            attempt.link.stderr = Some(opened.stderr);
            attempt.open(opened.transport).await
        }
        Err(error) => {
            let code = spawn_code(binding, error.kind());
            Err(attempt.error(SetupCause::Spawn { code, detail: error.to_string() }, None).await)
        }
    }
}

/// The program of a command for messages: never its folder, and no argument that was written into it by mistake.
fn program_of(command: &str) -> &str {
    let path = match command.split_whitespace().next() {
        Some(first) if !Path::new(command).exists() => first,
        Some(_) | None => command,
    };
    path.rsplit('/').next().unwrap_or(path)
}

/// Why a child did not start. The system has one answer for a missing command, interpreter and folder.
fn spawn_code(binding: &StdioBinding, kind: ErrorKind) -> SpawnCode {
    if binding.cwd.as_ref().is_some_and(|cwd| !cwd.is_dir()) {
        return SpawnCode::NoFolder;
    }
    match kind {
        ErrorKind::NotFound if binding.command.contains('/') && is_file(binding) => {
            SpawnCode::NoInterpreter
        }
        ErrorKind::NotFound if binding.command.contains(char::is_whitespace) => {
            SpawnCode::CommandLine
        }
        ErrorKind::NotFound => SpawnCode::NotFound,
        ErrorKind::PermissionDenied => SpawnCode::PermissionDenied,
        // The list of kinds is open.
        _ => SpawnCode::Other,
    }
}

/// Whether the command's path leads to a file, from where the child would have started.
fn is_file(binding: &StdioBinding) -> bool {
    let from = binding.cwd.as_deref().unwrap_or(Path::new(""));
    from.join(&binding.command).is_file()
}

async fn connect_http(
    name: &str,
    binding: &HttpBinding,
    options: &ConnectOptions,
    lifecycle: Lifecycle,
) -> Result<Connection, SetupError> {
    let attempt =
        || Attempt::new(name, host_of(&binding.url), TransportKind::Http, options, lifecycle);
    let endpoint = http_url(&binding.url).map_err(|detail| format!("the url {detail}"));
    let client = endpoint
        .and_then(|url| http::HttpEndpoint::new(url, &binding.headers, options.max_message_bytes));
    let endpoint = match client {
        Ok(endpoint) => endpoint,
        Err(detail) => {
            return Err(attempt().error(SetupCause::InvalidBinding { detail }, None).await);
        }
    };
    if binding.flavor == HttpFlavor::Sse {
        return open_sse(attempt(), endpoint).await;
    }
    let streamable = attempt();
    let transport = http::transport(endpoint.clone(), &streamable.link.recorder);
    let error = match streamable.open(transport).await {
        Ok(connection) => return Ok(connection),
        Err(error) => error,
    };
    let refused = error.http_status().is_some_and(|status| REFUSES_STREAMABLE.contains(&status));
    if binding.flavor == HttpFlavor::Streamable || !refused {
        return Err(error);
    }
    let legacy = attempt();
    let status = error.http_status().unwrap_or_default();
    legacy.link.recorder.find(
        FindingCode::LegacyTransport,
        format!(
            "streamable HTTP was refused with status {status}; the 2024-11-05 transport was used"
        ),
    );
    // When the older transport does not work either, the first refusal is what the user needs to read.
    open_sse(legacy, endpoint).await.map_err(|_| error)
}

async fn open_sse(
    attempt: Attempt,
    endpoint: http::HttpEndpoint,
) -> Result<Connection, SetupError> {
    let limit = attempt.link.options.setup_timeout;
    match tokio::time::timeout(limit, sse::open(endpoint, &attempt.link.recorder)).await {
        Ok(Ok(transport)) => attempt.open(transport).await,
        Ok(Err(failure)) => Err(attempt.error(SetupCause::Transport(failure), None).await),
        Err(_) => Err(attempt.error(SetupCause::Timeout { limit }, None).await),
    }
}

/// One attempt to open a session.
struct Attempt {
    link: Link,
    transport: TransportKind,
    lifecycle: Lifecycle,
    started: Duration,
}

impl Attempt {
    fn new(
        name: &str,
        place: String,
        transport: TransportKind,
        options: &ConnectOptions,
        lifecycle: Lifecycle,
    ) -> Self {
        let link = Link {
            server: name.to_owned(),
            place,
            options: options.clone(),
            recorder: Arc::new(Recorder::new(options.clock)),
            child: None,
            stderr: None,
        };
        Self { link, transport, lifecycle, started: options.clock.now() }
    }

    async fn open<T: Transport<RoleClient> + 'static>(
        self,
        transport: T,
    ) -> Result<Connection, SetupError> {
        let limit = self.link.options.setup_timeout;
        let opening = session::open(transport, &self.link.options, self.lifecycle);
        let opened = within(limit, opening).await;
        let answer = self.link.recorder.take_method(self.lifecycle.method());
        let http = answer.as_ref().and_then(|recorded| recorded.http.clone());
        let body = answer.map(|recorded| recorded.body);
        match (opened, body) {
            (Some(Ok(session)), Some(AnswerBody::Result(result))) => {
                self.accept(session, result, http).await
            }
            (Some(Ok(session)), _) => {
                session.close().await;
                let failure = TransportFailure::Closed {
                    detail: "the session opened without an answer".to_owned(),
                };
                Err(self.error(SetupCause::Transport(failure), http).await)
            }
            (Some(Err(text)), Some(AnswerBody::Result(result))) => {
                Err(self.error(self.unusable(text, &result), http).await)
            }
            (Some(Err(_)), Some(body)) => Err(self.error(cause_of(body), http).await),
            (Some(Err(text)), None) => {
                Err(self.error(SetupCause::Transport(self.failure(text)), http).await)
            }
            (None, _) => Err(self.error(SetupCause::Timeout { limit }, http).await),
        }
    }

    /// The cause when an answer came but made no session.
    fn unusable(&self, text: String, result: &Value) -> SetupCause {
        match self.version(result) {
            Some(version) if SPOKEN_VERSIONS.contains(&version.as_str()) => {
                SetupCause::Transport(self.failure(text))
            }
            Some(answered) => SetupCause::UnsupportedVersion { answered },
            None => SetupCause::Malformed {
                reason: format!(
                    "the answer to {} has no usable protocol version",
                    self.lifecycle.method()
                ),
                excerpt: excerpt(&result.to_string(), 300),
            },
        }
    }

    /// How the transport failed, as it saw it itself; `text` is what the protocol crate says of it.
    fn failure(&self, text: String) -> TransportFailure {
        let recorder = &self.link.recorder;
        let seen = recorder.end().or_else(|| recorder.side_failure());
        seen.unwrap_or(TransportFailure::Closed { detail: text })
    }

    /// The version of the opening answer. For `server/discover` it is the one we asked for, when it is listed.
    fn version(&self, result: &Value) -> Option<String> {
        match self.lifecycle {
            Lifecycle::Initialize => result.get("protocolVersion")?.as_str().map(str::to_owned),
            Lifecycle::Discover => {
                let versions = result.get("supportedVersions")?.as_array()?;
                let listed = versions
                    .iter()
                    .filter_map(Value::as_str)
                    .any(|version| version == DISCOVER_VERSION);
                listed.then(|| DISCOVER_VERSION.to_owned())
            }
        }
    }

    async fn accept(
        self,
        session: Session,
        result: Value,
        http: Option<HttpFacts>,
    ) -> Result<Connection, SetupError> {
        let version = self.version(&result);
        let Some(protocol_version) =
            version.filter(|version| SPOKEN_VERSIONS.contains(&version.as_str()))
        else {
            session.close().await;
            return Err(self.error(self.unusable(String::new(), &result), http).await);
        };
        self.remark(&protocol_version, &result);
        let info = ConnectionInfo {
            transport: self.transport,
            protocol_version,
            server_info: server_info(&result).cloned(),
            instructions: result.get("instructions").and_then(Value::as_str).map(str::to_owned),
            capabilities: result.get("capabilities").cloned(),
            client_capabilities: session::client_capabilities(),
            started: self.started,
            ended: self.link.recorder.clock().now(),
        };
        Ok(Connection::new(self.link, session, info))
    }

    /// Findings about an opening answer that made a session.
    fn remark(&self, version: &str, result: &Value) {
        let recorder = &self.link.recorder;
        if self.lifecycle == Lifecycle::Discover {
            return;
        }
        if version == DISCOVER_VERSION {
            let text = format!("initialize was answered with {version}, which has no initialize");
            recorder.find(FindingCode::VersionWithoutInitialize, text);
        }
        let named = |member: &str| {
            server_info(result).and_then(|info| info.get(member)).is_some_and(Value::is_string)
        };
        if !named("name") || !named("version") {
            recorder.find(
                FindingCode::IncompleteInitialize,
                "serverInfo lacks a name or version that is text",
            );
        }
        if !result.get("capabilities").is_some_and(Value::is_object) {
            recorder.find(FindingCode::IncompleteInitialize, "there are no capabilities");
        }
    }

    async fn error(&self, cause: SetupCause, http: Option<HttpFacts>) -> SetupError {
        self.link.error(SetupPhase::Connect, self.started, cause, http).await
    }
}

/// `serverInfo`: a member of the result, or since 2026-07-28 of its `_meta`.
fn server_info(result: &Value) -> Option<&Value> {
    let in_meta = || result.get("_meta")?.get("io.modelcontextprotocol/serverInfo");
    result.get("serverInfo").or_else(in_meta)
}

async fn within<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(limit, future).await.ok()
}
