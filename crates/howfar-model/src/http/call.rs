//! One call: send, wait under the clocks, and read the answer piece by piece.

use std::collections::VecDeque;
use std::future::Future;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::endpoint::Endpoint;
use super::fault::{ProviderFault, shown};
use super::sse::{Decoder, Event};
use crate::error::{Clock, ModelError, ModelErrorKind};

/// The most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// The most bytes of an error answer that are looked at.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// The clocks of one model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// From sending the request to the end of the answer.
    pub request: Duration,
    /// Between two pieces of the answer, counted from its headers on.
    pub idle: Duration,
}

impl Default for Clocks {
    /// Two minutes for a request, as for an iteration (suite and runner, section B10), and one minute between pieces.
    fn default() -> Self {
        Self { request: Duration::from_secs(120), idle: Duration::from_secs(60) }
    }
}

/// A call in flight.
pub(crate) struct Call<'a> {
    endpoint: &'a Endpoint,
    cancel: &'a CancellationToken,
    sent: Instant,
}

/// A successful answer, by its form.
pub(crate) enum Answer<'a> {
    /// One JSON document, from a server that does not stream.
    Whole(Value, Duration),
    /// A stream of events.
    Events(Box<EventStream<'a>>),
}

/// The events of a streamed answer.
pub(crate) struct EventStream<'a> {
    call: Call<'a>,
    /// `None` once the body has ended.
    response: Option<Response>,
    decoder: Decoder,
    pending: VecDeque<Event>,
    read: usize,
    first_piece: Option<Duration>,
}

impl<'a> Call<'a> {
    /// Starts the clocks.
    pub(crate) fn start(endpoint: &'a Endpoint, cancel: &'a CancellationToken) -> Self {
        Self { endpoint, cancel, sent: Instant::now() }
    }

    /// Sends the request and tells the answer's form apart.
    pub(crate) async fn post(self, body: &Value) -> Result<Answer<'a>, ModelError> {
        let endpoint = self.endpoint;
        let request = endpoint.client.post(endpoint.url.clone());
        let request = request.headers(endpoint.headers.clone()).json(body);
        let response = self.before_answer(request.send()).await?;
        let response = response.map_err(|error| self.transport_error(error))?;
        if response.status() != StatusCode::OK {
            return Err(self.refused(response).await);
        }
        match content_form(response.headers()) {
            Form::Events => Ok(Answer::Events(Box::new(EventStream::new(self, response)))),
            Form::Json => self.whole(response).await,
            Form::Unknown => self.sniffed(response).await,
            Form::Other(media_type) => Err(self.not_an_answer(response, &media_type).await),
        }
    }

    async fn whole(self, mut response: Response) -> Result<Answer<'a>, ModelError> {
        let body = self.read_all(&mut response).await?;
        if body.trim_ascii().is_empty() {
            return Err(self.malformed("the answer is empty"));
        }
        let value = serde_json::from_slice(&body).map_err(|error| {
            let start = self.shown(&String::from_utf8_lossy(&body));
            self.malformed(&format!("the answer is not JSON ({error}): {start}"))
        })?;
        Ok(Answer::Whole(value, self.sent.elapsed()))
    }

    /// An answer without a telling content type: its first characters say what it is.
    async fn sniffed(self, mut response: Response) -> Result<Answer<'a>, ModelError> {
        let body = self.read_all(&mut response).await?;
        let text = String::from_utf8_lossy(&body);
        let start = text.trim_start();
        if ["data:", "event:", ":"].iter().any(|field| start.starts_with(field)) {
            let mut decoder = Decoder::default();
            let mut pending: VecDeque<_> = decoder.push(&body).into();
            pending.extend(decoder.finish());
            let first_piece = Some(self.sent.elapsed());
            let read = body.len();
            let response = None;
            let stream = EventStream { call: self, response, decoder, pending, read, first_piece };
            return Ok(Answer::Events(Box::new(stream)));
        }
        let value = serde_json::from_str(&text).map_err(|_| {
            self.malformed(&format!("the answer is neither JSON nor events: {}", self.shown(start)))
        })?;
        Ok(Answer::Whole(value, self.sent.elapsed()))
    }

    async fn read_all(&self, response: &mut Response) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece(response).await? {
            body.extend_from_slice(&piece);
            self.check_size(body.len())?;
        }
        Ok(body)
    }

    async fn piece(&self, response: &mut Response) -> Result<Option<Vec<u8>>, ModelError> {
        let piece = self.within_answer(response.chunk()).await?;
        let piece = piece.map_err(|error| self.transport_error(error))?;
        Ok(piece.map(|piece| piece.to_vec()))
    }

    fn check_size(&self, bytes: usize) -> Result<(), ModelError> {
        if bytes <= MAX_ANSWER_BYTES {
            return Ok(());
        }
        Err(self.malformed(&format!("the answer is larger than {MAX_ANSWER_BYTES} bytes")))
    }

    /// The failure that an answer with another status than 200 is.
    async fn refused(&self, mut response: Response) -> ModelError {
        let status = response.status().as_u16();
        let retry_after = retry_after(response.headers());
        let body = match self.start_of(&mut response).await {
            Ok(body) => body,
            Err(error) => return error,
        };
        let error = ProviderFault::in_body(&body).with_status(self.endpoint, status);
        ModelError { retry_after, ..error }
    }

    async fn not_an_answer(&self, mut response: Response, media_type: &str) -> ModelError {
        match self.start_of(&mut response).await {
            Ok(body) => self.malformed(&format!(
                "answered with {} instead of JSON or events: {}",
                self.shown(media_type),
                self.shown(&body)
            )),
            Err(error) => error,
        }
    }

    /// The start of a body as text. One that breaks off or outlasts a clock gives what came, since the head already
    /// says that the call failed; only cancellation is an error.
    async fn start_of(&self, response: &mut Response) -> Result<String, ModelError> {
        let mut body = Vec::new();
        while body.len() < MAX_ERROR_BYTES {
            match self.within_answer(response.chunk()).await {
                Ok(Ok(Some(piece))) => body.extend_from_slice(&piece),
                Err(error) if error.kind == ModelErrorKind::Cancelled => return Err(error),
                Ok(Ok(None) | Err(_)) | Err(_) => break,
            }
        }
        body.truncate(MAX_ERROR_BYTES);
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// Waits under the request clock alone: a model may think long before its first word.
    async fn before_answer<T>(&self, work: impl Future<Output = T>) -> Result<T, ModelError> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(self.cancelled()),
            done = work => Ok(done),
            () = tokio::time::sleep_until(self.deadline()) => Err(self.fired(Clock::Request)),
        }
    }

    /// Waits for the next piece under both clocks.
    async fn within_answer<T>(&self, work: impl Future<Output = T>) -> Result<T, ModelError> {
        tokio::select! {
            biased;
            done = self.before_answer(work) => done,
            () = tokio::time::sleep(self.endpoint.clocks.idle) => Err(self.fired(Clock::Idle)),
        }
    }

    fn deadline(&self) -> Instant {
        self.sent + self.endpoint.clocks.request
    }

    fn fired(&self, clock: Clock) -> ModelError {
        let limit = match clock {
            Clock::Request => self.endpoint.clocks.request,
            Clock::Idle => self.endpoint.clocks.idle,
        };
        let message = format!("the {} clock fired after {} ms", clock.as_str(), limit.as_millis());
        self.endpoint.error(ModelErrorKind::Timeout(clock), &message)
    }

    fn cancelled(&self) -> ModelError {
        self.endpoint.error(ModelErrorKind::Cancelled, "the model call was cancelled")
    }

    fn malformed(&self, message: &str) -> ModelError {
        self.endpoint.error(ModelErrorKind::Malformed, message)
    }

    fn shown(&self, text: &str) -> String {
        shown(self.endpoint, text)
    }

    fn transport_error(&self, error: reqwest::Error) -> ModelError {
        let error = error.without_url();
        let host = self.endpoint.host();
        let causes = causes(&error);
        if error.is_connect() {
            let message = format!("could not connect to {host}: {causes}");
            return self.endpoint.error(ModelErrorKind::Unreachable, &message);
        }
        let message = format!("the connection to {host} broke off: {causes}");
        self.endpoint.error(ModelErrorKind::Disconnected, &message)
    }
}

impl<'a> EventStream<'a> {
    fn new(call: Call<'a>, response: Response) -> Self {
        Self {
            call,
            response: Some(response),
            decoder: Decoder::default(),
            pending: VecDeque::new(),
            read: 0,
            first_piece: None,
        }
    }

    /// The next event; `None` when the body ended as it should on the HTTP level.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, ModelError> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Ok(Some(event));
            }
            let Some(response) = &mut self.response else { return Ok(None) };
            match self.call.piece(response).await? {
                Some(piece) => {
                    self.first_piece.get_or_insert_with(|| self.call.sent.elapsed());
                    self.read += piece.len();
                    self.call.check_size(self.read)?;
                    self.pending.extend(self.decoder.push(&piece));
                }
                None => {
                    self.response = None;
                    self.pending.extend(self.decoder.finish());
                }
            }
        }
    }

    /// The data of an event as JSON. An event that the end of the body cut says that the answer broke off before
    /// `expected`; any other that is not JSON is malformed.
    pub(crate) fn json(&self, event: &Event, expected: &str) -> Result<Value, ModelError> {
        serde_json::from_str(&event.data).map_err(|error| {
            if event.unfinished {
                return self.broke_off(expected);
            }
            let start = self.call.shown(&event.data);
            self.call.malformed(&format!("an event of the stream is not JSON ({error}): {start}"))
        })
    }

    /// From sending the request to the first piece.
    pub(crate) fn first_piece(&self) -> Option<Duration> {
        self.first_piece
    }

    /// How the stream ended too early, as a failure.
    pub(crate) fn broke_off(&self, expected: &str) -> ModelError {
        let (kind, message) = if self.read == 0 {
            (ModelErrorKind::Malformed, "the answer is an empty stream".to_owned())
        } else {
            (ModelErrorKind::Disconnected, format!("the stream ended before {expected}"))
        };
        self.call.endpoint.error(kind, &message)
    }
}

enum Form {
    Events,
    Json,
    Unknown,
    Other(String),
}

fn content_form(headers: &HeaderMap) -> Form {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match media_type.as_str() {
        "text/event-stream" => Form::Events,
        "" | "text/plain" | "application/octet-stream" => Form::Unknown,
        json if json == "application/json" || json.ends_with("+json") => Form::Json,
        _ => Form::Other(media_type),
    }
}

/// `retry-after-ms`, else `retry-after` in seconds. A date is not read, because it needs a clock.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    let milliseconds = number("retry-after-ms").map(Duration::from_millis);
    milliseconds.or_else(|| number("retry-after").map(Duration::from_secs))
}

fn causes(error: &dyn std::error::Error) -> String {
    let mut causes = vec![error.to_string()];
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    causes.dedup();
    causes.join(": ")
}
