//! The protocol crate's session: lifecycle and requests. Evidence comes from the recorder, never from here.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest,
    Implementation, ListToolsRequest, PaginatedRequestParams, ProtocolVersion, RequestId,
};
use rmcp::service::{
    ClientCacheConfig, ClientLifecycleMode, ClientServiceExt, Peer, RequestHandle, RunningService,
};
use rmcp::transport::Transport;
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::ConnectOptions;
use crate::answer::{AnswerBody, TransportFailure};
use crate::recorder::{Recorded, Recorder};

/// How long the notice of a cancelled request may take to be written.
const CANCEL_LIMIT: Duration = Duration::from_secs(1);

/// How long a running session may take to close.
const CLOSE_LIMIT: Duration = Duration::from_secs(2);

/// The newest version that is asked for inside `initialize`.
pub(crate) const INITIALIZE_VERSION: &str = "2025-11-25";

/// The version that is asked for with `server/discover`.
pub(crate) const DISCOVER_VERSION: &str = "2026-07-28";

/// Every version that this client speaks.
pub(crate) const SPOKEN_VERSIONS: [&str; 5] =
    ["2024-11-05", "2025-03-26", "2025-06-18", INITIALIZE_VERSION, DISCOVER_VERSION];

/// Which lifecycle opens a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifecycle {
    Initialize,
    Discover,
}

impl Lifecycle {
    /// The method of the opening request.
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Discover => "server/discover",
        }
    }
}

/// An open session.
pub(crate) struct Session {
    peer: Peer<RoleClient>,
    running: Mutex<Option<RunningService<RoleClient, ClientConfig>>>,
}

/// What a request came to.
pub(crate) enum Exchange {
    /// Something came back, or the transport failed.
    Recorded(Recorded),
    /// Nothing came back within the limit; the server was told.
    TimedOut {
        /// When the request was written, if it was.
        sent: Option<Duration>,
    },
}

/// Opens a session. The error is the protocol crate's text; the recorder knows more.
pub(crate) async fn open<T>(
    transport: T,
    options: &ConnectOptions,
    lifecycle: Lifecycle,
) -> Result<Session, String>
where
    T: Transport<RoleClient> + 'static,
{
    let client = Implementation::new(options.client_name.clone(), options.client_version.clone());
    // The default configuration would ask for 2026-07-28 inside `initialize`, which that version does not have.
    let config = ClientConfig::new(ClientCapabilities::default(), client)
        .with_protocol_version(ProtocolVersion::V_2025_11_25);
    let mode = match lifecycle {
        Lifecycle::Initialize => ClientLifecycleMode::Initialize,
        Lifecycle::Discover => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    };
    let running =
        config.serve_with_lifecycle(transport, mode).await.map_err(|error| error.to_string())?;
    let peer = running.peer().clone();
    // An answer from a cache is no evidence.
    peer.set_response_cache_config(ClientCacheConfig::disabled()).await;
    Ok(Session { peer, running: Mutex::new(Some(running)) })
}

impl Session {
    /// Asks for one page of tools.
    pub(crate) async fn list_tools(
        &self,
        recorder: &Recorder,
        cursor: Option<String>,
        limit: Duration,
    ) -> Exchange {
        let params =
            cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request =
            ListToolsRequest { method: Default::default(), params, extensions: Default::default() };
        self.exchange(recorder, ClientRequest::ListToolsRequest(request), limit).await
    }

    /// Calls a tool.
    pub(crate) async fn call_tool(
        &self,
        recorder: &Recorder,
        name: &str,
        arguments: &Map<String, Value>,
        limit: Duration,
    ) -> Exchange {
        let params = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments.clone());
        self.exchange(recorder, ClientRequest::CallToolRequest(CallToolRequest::new(params)), limit)
            .await
    }

    /// Closes the session and its transport.
    pub(crate) async fn close(&self) {
        let running = self.running.lock().await.take();
        if let Some(mut running) = running {
            let _ = running.close_with_timeout(CLOSE_LIMIT).await;
        }
    }

    /// Sends a request and waits for the first of: raw answer, end of the request in the protocol crate, limit.
    async fn exchange(
        &self,
        recorder: &Recorder,
        request: ClientRequest,
        limit: Duration,
    ) -> Exchange {
        let deadline = tokio::time::sleep(limit);
        tokio::pin!(deadline);
        let sending = self.peer.send_cancellable_request(request, Default::default());
        let handle = tokio::select! {
            handle = sending => handle,
            () = &mut deadline => return Exchange::TimedOut { sent: None },
        };
        let handle = match handle {
            Ok(handle) => handle,
            Err(error) => return Exchange::Recorded(closed(recorder, None, &error.to_string())),
        };
        let RequestId::Number(id) = handle.id else {
            return Exchange::Recorded(closed(recorder, None, "a request id that is no number"));
        };
        let mut open = OpenRequest { handle: Some(handle) };
        tokio::select! {
            biased;
            recorded = recorder.wait(id) => {
                open.handle.take();
                Exchange::Recorded(recorded)
            }
            end = open.end() => {
                open.handle.take();
                // The recorder sees every answer before the protocol crate does, so nothing is lost by asking late.
                Exchange::Recorded(recorder.take(id).unwrap_or_else(|| closed(recorder, recorder.abandon(id), &end)))
            }
            () = deadline => {
                let sent = recorder.abandon(id);
                open.cancel("the call ran out of time").await;
                Exchange::TimedOut { sent }
            }
        }
    }
}

fn closed(recorder: &Recorder, sent: Option<Duration>, detail: &str) -> Recorded {
    let failure =
        recorder.end().unwrap_or_else(|| TransportFailure::Closed { detail: detail.to_owned() });
    Recorded {
        sent,
        answered: recorder.clock().now(),
        body: AnswerBody::Failed(failure),
        http: None,
    }
}

/// A request that the server is told about when its caller stops waiting.
struct OpenRequest {
    handle: Option<RequestHandle<RoleClient>>,
}

impl OpenRequest {
    /// Waits until the protocol crate considers the request over; says why.
    async fn end(&mut self) -> String {
        match &mut self.handle {
            Some(handle) => match (&mut handle.rx).await {
                Ok(Ok(_)) => "the protocol layer took the answer, the recorder did not".to_owned(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "the connection is closed".to_owned(),
            },
            None => std::future::pending().await,
        }
    }

    async fn cancel(&mut self, reason: &str) {
        if let Some(handle) = self.handle.take() {
            let _ =
                tokio::time::timeout(CANCEL_LIMIT, handle.cancel(Some(reason.to_owned()))).await;
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        if let (Some(handle), Ok(runtime)) =
            (self.handle.take(), tokio::runtime::Handle::try_current())
        {
            runtime.spawn(tokio::time::timeout(
                CANCEL_LIMIT,
                handle.cancel(Some("the caller stopped waiting".to_owned())),
            ));
        }
    }
}

/// The capabilities that this client declares; a catalog is a function of them.
pub(crate) fn client_capabilities() -> Value {
    Value::Object(Map::new())
}
