//! The HTTP backend of the protocol crate's streamable HTTP transport, with recording.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{BoxStream, StreamExt};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    HttpStatusError, SseError, StreamableHttpClient, StreamableHttpClientTransportConfig,
    StreamableHttpError, StreamableHttpPostResponse,
};
use serde_json::Value;
use sse_stream::Sse;

use super::TransportFault;
use super::handoff::{to_sdk, to_text};
use super::http_body::{BodyError, Event, events, facts_of, network_failure, read_body, with_body};
use crate::answer::{HttpFacts, TransportFailure};
use crate::network::is_loopback;
use crate::recorder::{Handoff, Recorder};

const EVENT_STREAM: &str = "text/event-stream";
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Bytes of an error response that are read.
const ERROR_BODY_LIMIT: usize = 64 * 1024;

/// Same-origin redirects that are followed, and only those that keep method and body.
const MOST_REDIRECTS: usize = 5;

/// An HTTP server to talk to.
#[derive(Clone)]
pub(crate) struct HttpEndpoint {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) limit: usize,
}

impl HttpEndpoint {
    /// Checks the headers and builds a client. The error never quotes a value.
    pub(crate) fn new(
        url: Url,
        headers: &BTreeMap<String, String>,
        limit: usize,
    ) -> Result<Self, String> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let header = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| format!("the header name \"{name}\" is not valid"))?;
            let mut value = HeaderValue::from_str(value).map_err(|_| {
                format!("the value of header \"{name}\" has characters that a header cannot carry")
            })?;
            value.set_sensitive(true);
            map.append(header, value);
        }
        let client = build_client(is_loopback(&url))
            .map_err(|error| format!("no HTTP client could be built: {error}"))?;
        Ok(Self { client, url, headers: map, limit })
    }

    pub(super) fn request(&self, builder: RequestBuilder) -> RequestBuilder {
        builder.headers(self.headers.clone())
    }
}

/// A client for one request to a place that is no MCP server.
pub(crate) fn plain_client() -> Client {
    build_client(false).unwrap_or_default()
}

fn build_client(loopback: bool) -> reqwest::Result<Client> {
    // Fails when a provider is installed already, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let policy = Policy::custom(|attempt| {
        let keeps_method = matches!(
            attempt.status(),
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
        );
        let same_origin =
            attempt.previous().last().is_some_and(|from| from.origin() == attempt.url().origin());
        if keeps_method && same_origin && attempt.previous().len() <= MOST_REDIRECTS {
            attempt.follow()
        } else {
            attempt.stop()
        }
    });
    let builder = Client::builder().redirect(policy).connect_timeout(Duration::from_secs(30));
    // A proxy can only be in the way between this machine and itself.
    let builder = if loopback { builder.no_proxy() } else { builder };
    builder.build()
}

/// The protocol crate's transport over a recording backend.
pub(crate) fn transport(
    endpoint: HttpEndpoint,
    recorder: &Arc<Recorder>,
) -> StreamableHttpClientTransport<RecordingBackend> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(endpoint.url.as_str());
    // A lost session is evidence; opening another one in silence would hide it.
    config.reinit_on_expired_session = false;
    config.max_sse_event_size = endpoint.limit;
    config.max_json_response_size = endpoint.limit;
    let backend = RecordingBackend { endpoint, recorder: Arc::clone(recorder) };
    StreamableHttpClientTransport::with_client(backend, config)
}

/// Sends requests and shows everything that comes back to the recorder first.
#[derive(Clone)]
pub(crate) struct RecordingBackend {
    endpoint: HttpEndpoint,
    recorder: Arc<Recorder>,
}

type BackendError = StreamableHttpError<TransportFault>;
type SseStream = BoxStream<'static, Result<Sse, SseError>>;

impl StreamableHttpClient for RecordingBackend {
    type Error = TransportFault;

    async fn post_message(
        &self,
        _uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, BackendError> {
        let message = serde_json::to_value(&message)?;
        let id = message.get("method").and_then(|_| message.get("id")).and_then(Value::as_i64);
        let request = self
            .endpoint
            .client
            .post(self.endpoint.url.clone())
            .header(CONTENT_TYPE, "application/json");
        let request =
            self.prepare(request, session_id.as_deref(), custom_headers)?.body(message.to_string());
        self.recorder.outgoing(&message);
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return Err(self.fail(id, network_failure(error))),
        };
        let facts = facts_of(&response);
        if let Some(id) = id {
            self.recorder.http(id, facts.clone());
        }
        let session = response
            .headers()
            .get(&SESSION_ID)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        match response.status() {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => {
                Ok(StreamableHttpPostResponse::Accepted)
            }
            status
                if status.is_success() && facts.content_type.as_deref() == Some(EVENT_STREAM) =>
            {
                Ok(StreamableHttpPostResponse::Sse(self.record_events(response, id), session))
            }
            status if status.is_success() => self.whole_body(response, facts, id, session).await,
            _ => self.refusal(response, facts, id).await,
        }
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), BackendError> {
        let request = self.endpoint.client.delete(self.endpoint.url.clone());
        let request = self.prepare(request, Some(&session_id), custom_headers)?;
        // A server may refuse to delete; the session ends on our side all the same.
        request.send().await.map(drop).map_err(|error| client_error(&network_failure(error)))
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<SseStream, BackendError> {
        let request = self.endpoint.client.get(self.endpoint.url.clone());
        let mut request = self.prepare(request, session_id.as_deref(), custom_headers)?;
        if let Some(last) = last_event_id {
            request = request.header(LAST_EVENT_ID, last);
        }
        let response =
            request.send().await.map_err(|error| client_error(&network_failure(error)))?;
        let facts = facts_of(&response);
        match (response.status().is_success(), facts.content_type.as_deref()) {
            (true, Some(EVENT_STREAM)) => Ok(self.record_events(response, None)),
            (true, _) => Err(StreamableHttpError::UnexpectedContentType(facts.content_type)),
            // The stream is optional, and 405 is how a server says that it has none.
            (false, _) if facts.status == 405 => Err(StreamableHttpError::ServerDoesNotSupportSse),
            (false, _) => Err(HttpStatusError::new(facts.status, None).into()),
        }
    }
}

impl RecordingBackend {
    fn prepare(
        &self,
        request: RequestBuilder,
        session_id: Option<&str>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<RequestBuilder, BackendError> {
        let mut headers: HeaderMap = custom_headers.into_iter().collect();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if let Some(session) = session_id {
            let value = HeaderValue::from_str(session).map_err(|_| {
                StreamableHttpError::Client(TransportFault(
                    "the session id is no header value".to_owned(),
                ))
            })?;
            headers.insert(SESSION_ID, value);
        }
        Ok(self.endpoint.request(request).headers(headers))
    }

    /// A successful response that is no event stream.
    async fn whole_body(
        &self,
        response: Response,
        facts: HttpFacts,
        id: Option<i64>,
        session: Option<String>,
    ) -> Result<StreamableHttpPostResponse, BackendError> {
        let limit = self.endpoint.limit;
        let text = match read_body(response, limit).await {
            Ok(text) => text,
            Err(BodyError::TooLarge(start)) => {
                self.recorder.oversized(&start, limit, id);
                return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: limit });
            }
            Err(BodyError::Broken(failure)) => return Err(self.fail(id, failure)),
        };
        let Some(id) = id else {
            // The answer to a notification or to a reply says nothing.
            return Ok(StreamableHttpPostResponse::Accepted);
        };
        let json = facts.content_type.as_deref() == Some("application/json")
            || text.trim_start().starts_with('{');
        if !json {
            return Err(self.fail(Some(id), TransportFailure::Http(with_body(facts, &text))));
        }
        let handoffs = self.recorder.incoming(&text, Some(id));
        self.recorder.no_answer(id, "the response body holds no answer", &text);
        hand_over(handoffs, session)
    }

    /// A response that is no success.
    async fn refusal(
        &self,
        response: Response,
        facts: HttpFacts,
        id: Option<i64>,
    ) -> Result<StreamableHttpPostResponse, BackendError> {
        let text = match read_body(response, ERROR_BODY_LIMIT).await {
            Ok(text) | Err(BodyError::TooLarge(text)) => text,
            Err(BodyError::Broken(_)) => String::new(),
        };
        let facts = with_body(facts, &text);
        if let Some(id) = id {
            self.recorder.http(id, facts.clone());
            if speaks_protocol(&text) && self.recorder.is_answer(&text) {
                let handoffs = self.recorder.incoming(&text, Some(id));
                if !handoffs.is_empty() {
                    return hand_over(handoffs, None);
                }
            }
        }
        let status = facts.status;
        self.fail(id, TransportFailure::Http(facts));
        Err(HttpStatusError::new(status, None).into())
    }

    /// Records that a message failed, and says so to the protocol crate.
    fn fail(&self, id: Option<i64>, failure: TransportFailure) -> BackendError {
        let error = client_error(&failure);
        match id {
            Some(id) => self.recorder.failed(id, failure),
            None => self.recorder.failed_aside(failure),
        }
        error
    }

    /// The events of a response, each shown to the recorder before the protocol crate gets it.
    fn record_events(&self, response: Response, origin: Option<i64>) -> SseStream {
        let recorder = Arc::clone(&self.recorder);
        let limit = self.endpoint.limit;
        events(response, limit)
            .flat_map(move |item| {
                futures::stream::iter(record_event(&recorder, limit, origin, item))
            })
            .boxed()
    }
}

fn record_event(
    recorder: &Recorder,
    limit: usize,
    origin: Option<i64>,
    item: Result<Event, TransportFailure>,
) -> Vec<Result<Sse, SseError>> {
    let (event, handoffs) = match item {
        Ok(Event::Whole(event)) => {
            let handoffs = recorder.incoming(event.data.as_deref().unwrap_or_default(), origin);
            (event, handoffs)
        }
        Ok(Event::TooLong(start)) => {
            (Sse::default(), recorder.oversized(&start, limit, origin).into_iter().collect())
        }
        Err(failure) => {
            return vec![Err(SseError::Body(Box::new(TransportFault(failure.to_string()))))];
        }
    };
    // The event's id and retry delay matter for resumption even when its data does not.
    let mut passed: Vec<Sse> =
        handoffs.into_iter().map(|handoff| Sse::default().data(to_text(handoff))).collect();
    if passed.is_empty() {
        passed.push(Sse::default().data(""));
    }
    if let Some(last) = passed.last_mut() {
        last.id = event.id;
        last.retry = event.retry;
    }
    passed.into_iter().map(Ok).collect()
}

/// Recorded messages of a whole body in the form that the protocol crate takes.
fn hand_over(
    handoffs: Vec<Handoff>,
    session: Option<String>,
) -> Result<StreamableHttpPostResponse, BackendError> {
    let mut messages: Vec<_> = handoffs.into_iter().filter_map(to_sdk).collect();
    match (messages.len(), messages.pop()) {
        (1, Some(message)) => Ok(StreamableHttpPostResponse::Json(message, session)),
        (_, Some(last)) => {
            messages.push(last);
            let texts = messages.iter().map(|message| {
                Ok(Sse::default().data(serde_json::to_string(message).unwrap_or_default()))
            });
            let texts: Vec<_> = texts.collect();
            Ok(StreamableHttpPostResponse::Sse(futures::stream::iter(texts).boxed(), session))
        }
        (_, None) => Err(StreamableHttpError::UnexpectedServerResponse(
            "the response holds no answer".into(),
        )),
    }
}

fn client_error(failure: &TransportFailure) -> BackendError {
    StreamableHttpError::Client(TransportFault(failure.to_string()))
}

/// Whether the body of an error status is a message of the protocol. Authorization servers and gateways answer with
/// JSON of their own (`{"error": "invalid_token"}`), and then the status is what the server says.
fn speaks_protocol(body: &str) -> bool {
    let Ok(body) = serde_json::from_str::<serde_json::Value>(body) else { return false };
    body.get("jsonrpc").is_some()
        || body.pointer("/error/code").is_some_and(serde_json::Value::is_number)
}
