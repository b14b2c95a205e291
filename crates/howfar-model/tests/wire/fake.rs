//! A server on loopback that answers every request with the same raw bytes, and a client for it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use howfar_model::{
    Clocks, Message, ModelError, ModelRequest, ModelSettings, ModelTurn, Secret, ToolSpec,
    TrialContext, build_model,
};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// The key that every test uses; no error text may show it.
pub(crate) const KEY: &str = "sk-test-0123456789";

/// What the server does after the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Closes the connection.
    Close,
    /// Keeps it open and says nothing more.
    Hang,
}

/// A server and the requests that it saw.
pub(crate) struct Fake {
    pub(crate) base_url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    pub(crate) async fn start(answer: String, ending: Ending) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback can be bound");
        let address = listener.local_addr().expect("a bound listener has an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answer, seen) = (answer.clone(), Arc::clone(&seen));
                tokio::spawn(async move { serve(stream, &answer, ending, &seen).await });
            }
        });
        Self { base_url: format!("http://{address}"), requests }
    }

    /// The head of the only request.
    pub(crate) fn head(&self) -> String {
        self.only_request().0
    }

    /// The body of the only request.
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.only_request().1).expect("the request is JSON")
    }

    fn only_request(&self) -> (String, String) {
        let requests = self.requests.lock().expect("no test thread panicked");
        assert_eq!(requests.len(), 1, "exactly one request, so nothing was retried");
        let (head, body) = requests[0].split_once("\r\n\r\n").expect("a request has a head");
        (head.to_owned(), body.to_owned())
    }
}

async fn serve(mut stream: TcpStream, answer: &str, ending: Ending, seen: &Mutex<Vec<String>>) {
    let request = read_request(&mut stream).await;
    seen.lock().expect("no test thread panicked").push(request);
    // The client may be gone already, which is its right.
    let _ = stream.write_all(answer.as_bytes()).await;
    if ending == Ending::Hang {
        let _ = stream.read(&mut [0; 1]).await;
    }
}

async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_lowercase().strip_prefix("content-length:")?.trim().parse::<usize>().ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return text;
        }
    }
}

/// An answer with this status and content type whose body ends with the connection.
pub(crate) fn answer(status: &str, content_type: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n{body}")
}

/// A stream of events that each hold this data.
pub(crate) fn events(data: &[&str]) -> String {
    let body: String = data.iter().map(|data| format!("data: {data}\n\n")).collect();
    answer("200 OK", "text/event-stream", &body)
}

/// The same in chunks, but without the last chunk: the connection breaks off.
pub(crate) fn broken_events(data: &[&str]) -> String {
    let body: String = data.iter().map(|data| format!("data: {data}\n\n")).collect();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked";
    format!("{head}\r\n\r\n{:x}\r\n{body}\r\n", body.len())
}

/// A request with one prompt and one tool whose name no wire accepts.
pub(crate) fn request() -> ModelRequest {
    ModelRequest {
        system: Some("be brief".to_owned()),
        messages: vec![Message::User("add 2 and 3".to_owned())],
        tools: vec![ToolSpec {
            name: "math.sum".to_owned(),
            description: Some("Adds".to_owned()),
            input_schema: json!({"type": "object"}),
        }],
        temperature: Some(0.5),
        trial: TrialContext { case_id: "case-1".to_owned(), trial: 1, seed: None },
    }
}

/// Asks the server once, with generous clocks.
pub(crate) async fn ask(provider: &str, fake: &Fake) -> Result<ModelTurn, ModelError> {
    ask_within(provider, fake, Clocks::default()).await
}

/// Asks the server once, with these clocks.
pub(crate) async fn ask_within(
    provider: &str,
    fake: &Fake,
    clocks: Clocks,
) -> Result<ModelTurn, ModelError> {
    let settings = ModelSettings {
        key: Some(Secret::new(KEY)),
        base_url: Some(fake.base_url.clone()),
        clocks,
        ..ModelSettings::new(provider, "some-model")
    };
    let model = build_model(&settings).expect("the settings are complete");
    let turn = model.respond(&request(), &CancellationToken::new()).await;
    if let Err(error) = &turn {
        assert!(!format!("{error} {error:?}").contains(KEY), "the key is shown: {error:?}");
    }
    turn
}

/// Clocks short enough for a test that waits for one.
pub(crate) fn short(request_ms: u64, idle_ms: u64) -> Clocks {
    Clocks { request: Duration::from_millis(request_ms), idle: Duration::from_millis(idle_ms) }
}
