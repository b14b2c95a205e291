//! Reading HTTP responses: facts, bounded bodies and server-sent events.

use futures::{Stream, StreamExt};
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, WWW_AUTHENTICATE};
use sse_stream::Sse;

use crate::answer::{HttpFacts, TransportFailure};
use crate::finding::excerpt;
use crate::network::classify;
use crate::recorder::{Line, LineSplitter};

/// Characters of a body that is no protocol message which are kept.
const KEPT_BODY: usize = 500;

/// A request that got no response, or a response that broke.
pub(super) fn network_failure(error: reqwest::Error) -> TransportFailure {
    // The url may carry credentials.
    let (code, detail) = classify(&error.without_url());
    TransportFailure::Network { code, detail }
}

/// Status and headers of a response; the body is not known yet.
pub(super) fn facts_of(response: &Response) -> HttpFacts {
    let headers = response.headers();
    let content_type = headers.get(CONTENT_TYPE).map(|value| {
        let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        text.split(';').next().unwrap_or_default().trim().to_owned()
    });
    let challenges = headers.get_all(WWW_AUTHENTICATE);
    let bearer =
        challenges.iter().any(|value| offers_bearer(&String::from_utf8_lossy(value.as_bytes())));
    HttpFacts {
        status: response.status().as_u16(),
        html_body: content_type.as_deref() == Some("text/html"),
        content_type,
        bearer_challenge: bearer,
        body: String::new(),
    }
}

fn offers_bearer(challenge: &str) -> bool {
    challenge.split(',').any(|part| {
        let scheme = part.trim_start().split(' ').next().unwrap_or_default();
        scheme.eq_ignore_ascii_case("bearer")
    })
}

/// The facts with the start of a body that is no protocol message.
pub(super) fn with_body(mut facts: HttpFacts, body: &str) -> HttpFacts {
    let start = body.trim_start().get(..9).unwrap_or_default().to_ascii_lowercase();
    facts.html_body =
        facts.html_body || start.starts_with("<!doctype") || start.starts_with("<html");
    facts.body = excerpt(body, KEPT_BODY);
    facts
}

/// Why a body could not be read.
#[derive(Debug)]
pub(super) enum BodyError {
    /// It is larger than the limit; its start.
    TooLarge(String),
    /// The connection broke.
    Broken(TransportFailure),
}

/// The whole body as text, at most `limit` bytes.
pub(super) async fn read_body(response: Response, limit: usize) -> Result<String, BodyError> {
    let mut body = Vec::new();
    let mut stream = response.bytes_stream();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| BodyError::Broken(network_failure(error)))?;
        let room = limit - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            body.truncate(KEPT_BODY);
            return Err(BodyError::TooLarge(String::from_utf8_lossy(&body).into_owned()));
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

/// One item of an event stream.
pub(super) enum Event {
    /// A whole event.
    Whole(Sse),
    /// An event with a line over the limit; its start.
    TooLong(String),
}

/// The events of a response, until it ends; the last item of a broken one says how it broke.
pub(super) fn events(
    response: Response,
    limit: usize,
) -> impl Stream<Item = Result<Event, TransportFailure>> + Send {
    let decoder = EventDecoder::new(limit);
    futures::stream::unfold(
        (response.bytes_stream(), decoder, false),
        |(mut bytes, mut decoder, done)| async move {
            if done {
                return None;
            }
            let (items, done) = match bytes.next().await {
                Some(Ok(chunk)) => (decoder.push(&chunk).into_iter().map(Ok).collect(), false),
                Some(Err(error)) => (vec![Err(network_failure(error))], true),
                None => (Vec::new(), true),
            };
            Some((futures::stream::iter(items), (bytes, decoder, done)))
        },
    )
    .flatten()
}

/// Decodes server-sent events leniently: an unknown field or a repeated one is no error.
struct EventDecoder {
    lines: LineSplitter,
    limit: usize,
    event: Sse,
    touched: bool,
    first_line: bool,
}

impl EventDecoder {
    fn new(limit: usize) -> Self {
        Self {
            lines: LineSplitter::new(limit),
            limit,
            event: Sse::default(),
            touched: false,
            first_line: true,
        }
    }

    fn push(&mut self, chunk: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for line in self.lines.push(chunk) {
            match line {
                Line::Whole(line) if line.is_empty() => events.extend(self.end_event()),
                Line::Whole(line) => {
                    let line = if self.first_line {
                        line.trim_start_matches('\u{feff}')
                    } else {
                        line.as_str()
                    };
                    self.take_field(line);
                }
                Line::TooLong { start } => events.push(Event::TooLong(start)),
            }
            self.first_line = false;
            if self.event.data.as_ref().is_some_and(|data| data.len() > self.limit) {
                let data = self.event.data.take().unwrap_or_default();
                events.push(Event::TooLong(data.chars().take(KEPT_BODY).collect()));
            }
        }
        events
    }

    fn end_event(&mut self) -> Option<Event> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.touched).then_some(Event::Whole(event))
    }

    fn take_field(&mut self, line: &str) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.event.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.event.data = Some(value.to_owned()),
            },
            "event" => self.event.event = Some(value.to_owned()),
            "id" => self.event.id = Some(value.to_owned()),
            "retry" => self.event.retry = value.parse().ok(),
            // A comment, or a field of a later version.
            _ => return,
        }
        self.touched = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(chunks: &[&str], expected: &[(&str, &str)]) {
        let mut decoder = EventDecoder::new(64);
        let events = chunks.iter().flat_map(|chunk| decoder.push(chunk.as_bytes()));
        let found: Vec<(String, String)> = events
            .map(|event| match event {
                Event::Whole(event) => {
                    (event.event.unwrap_or_default(), event.data.unwrap_or_default())
                }
                Event::TooLong(_) => ("too long".to_owned(), String::new()),
            })
            .collect();
        let found: Vec<(&str, &str)> =
            found.iter().map(|(event, data)| (event.as_str(), data.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn events_span_chunks_and_join_data_lines() {
        check(
            &["event: endp", "oint\r\ndata: /x\r\n\r\n: note\n\ndata:a\ndata: b\n\n"],
            &[("endpoint", "/x"), ("", "a\nb")],
        );
    }

    #[test]
    fn an_event_over_the_limit_is_one_item() {
        let long = format!("data: {}\n\ndata: ok\n\n", "x".repeat(200));
        check(&[&long], &[("too long", ""), ("", "ok")]);
    }

    #[test]
    fn a_bearer_challenge_is_found_among_others() {
        assert!(offers_bearer("Basic realm=\"a\", Bearer resource_metadata=\"u\""));
        assert!(!offers_bearer("Basic realm=\"Bearer x\""));
    }
}
