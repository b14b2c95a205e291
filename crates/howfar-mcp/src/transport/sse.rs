//! The HTTP+SSE transport of 2024-11-05: answers come on one event stream, messages go out as posts.

use std::pin::pin;
use std::sync::Arc;

use futures::{Stream, StreamExt};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{StatusCode, Url};
use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::TransportFault;
use super::frames::{FrameSender, FrameTransport, Outbound};
use super::http::HttpEndpoint;
use super::http_body::{Event, events, facts_of, network_failure, read_body, with_body};
use crate::answer::TransportFailure;
use crate::recorder::Recorder;

/// Bytes of an error response that are read.
const ERROR_BODY_LIMIT: usize = 64 * 1024;

/// Opens the event stream and waits for its `endpoint` event.
pub(crate) async fn open(
    endpoint: HttpEndpoint,
    recorder: &Arc<Recorder>,
) -> Result<FrameTransport<Poster>, TransportFailure> {
    let request = endpoint.client.get(endpoint.url.clone()).header(ACCEPT, "text/event-stream");
    let response = endpoint.request(request).send().await.map_err(network_failure)?;
    let facts = facts_of(&response);
    if response.status() != StatusCode::OK
        || facts.content_type.as_deref() != Some("text/event-stream")
    {
        let body = read_body(response, ERROR_BODY_LIMIT).await.unwrap_or_default();
        return Err(TransportFailure::Http(with_body(facts, &body)));
    }
    let mut stream = events(response, endpoint.limit).boxed();
    let post_url = loop {
        match stream.next().await {
            Some(Ok(Event::Whole(event))) if event.event.as_deref() == Some("endpoint") => {
                break same_origin(&endpoint.url, event.data.as_deref().unwrap_or_default())?;
            }
            Some(Ok(Event::Whole(_) | Event::TooLong(_))) => {}
            Some(Err(failure)) => return Err(failure),
            None => return Err(closed("the event stream ended before its endpoint event")),
        }
    };
    let stop = CancellationToken::new();
    let limit = endpoint.limit;
    let poster = Poster {
        endpoint,
        post_url,
        recorder: Arc::clone(recorder),
        _stop: stop.clone().drop_guard(),
    };
    let (transport, sender) = FrameTransport::new(Arc::new(poster));
    tokio::spawn(read_events(stream, limit, Arc::clone(recorder), sender, stop));
    Ok(transport)
}

/// The url that messages are posted to. Another origin is refused: headers may carry credentials.
fn same_origin(base: &Url, endpoint: &str) -> Result<Url, TransportFailure> {
    let url = base
        .join(endpoint.trim())
        .map_err(|error| closed(&format!("the endpoint event names no url: {error}")))?;
    if url.origin() == base.origin() {
        Ok(url)
    } else {
        Err(closed("the endpoint event names another origin, which is refused"))
    }
}

fn closed(detail: &str) -> TransportFailure {
    TransportFailure::Closed { detail: detail.to_owned() }
}

/// Posts messages.
pub(crate) struct Poster {
    endpoint: HttpEndpoint,
    post_url: Url,
    recorder: Arc<Recorder>,
    /// Ends the reader with the transport.
    _stop: DropGuard,
}

impl Outbound for Poster {
    async fn deliver(&self, message: Value) -> Result<(), TransportFault> {
        let id = message.get("method").and_then(|_| message.get("id")).and_then(Value::as_i64);
        let request = self
            .endpoint
            .client
            .post(self.post_url.clone())
            .header(CONTENT_TYPE, "application/json");
        let request = self.endpoint.request(request).body(message.to_string());
        self.recorder.outgoing(&message);
        let failure = match request.send().await {
            Ok(response) if response.status().is_success() => return Ok(()),
            Ok(response) => {
                let facts = facts_of(&response);
                let body = read_body(response, ERROR_BODY_LIMIT).await.unwrap_or_default();
                TransportFailure::Http(with_body(facts, &body))
            }
            Err(error) => network_failure(error),
        };
        let fault = TransportFault(failure.to_string());
        match id {
            Some(id) => self.recorder.failed(id, failure),
            None => self.recorder.failed_aside(failure),
        }
        Err(fault)
    }

    async fn close(&self) {}
}

async fn read_events(
    stream: impl Stream<Item = Result<Event, TransportFailure>>,
    limit: usize,
    recorder: Arc<Recorder>,
    sender: FrameSender,
    stop: CancellationToken,
) {
    let mut stream = pin!(stream);
    let failure = loop {
        let item = tokio::select! {
            item = stream.next() => item,
            () = stop.cancelled() => break closed("the connection was closed"),
        };
        let open = match item {
            Some(Ok(Event::Whole(event))) => {
                sender.receive(&recorder, event.data.as_deref().unwrap_or_default()).await
            }
            Some(Ok(Event::TooLong(start))) => {
                sender.pass(recorder.oversized(&start, limit, None)).await
            }
            Some(Err(failure)) => break failure,
            None => break closed("the server ended the event stream"),
        };
        if !open {
            break closed("the connection was closed");
        }
    };
    recorder.ended(failure);
}
