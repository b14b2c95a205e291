//! An HTTP peer on a loopback port: a handler from request to raw response, one response per connection.

use std::sync::Arc;

use howfar_mcp::ServerBinding;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// One request.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Header names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The protocol method of the body; empty when there is none.
    pub(crate) fn rpc(&self) -> &str {
        self.body.get("method").and_then(Value::as_str).unwrap_or_default()
    }

    /// The answer to this request with a result.
    pub(crate) fn answer(&self, result: &Value) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.body["id"])
    }
}

/// What the peer writes back.
pub(crate) enum Response {
    /// Status line and headers without the last empty line, and the body.
    Whole(String, String),
    /// The start of an event stream that stays open; more texts come from the channel.
    Stream(String, tokio::sync::mpsc::UnboundedReceiver<String>),
}

pub(crate) fn respond(status: &str, content_type: &str, body: impl Into<String>) -> Response {
    Response::Whole(format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}"), body.into())
}

pub(crate) fn json(body: impl Into<String>) -> Response {
    respond("200 OK", "application/json", body)
}

/// A running peer; it ends with the runtime of its test.
pub(crate) struct HttpPeer {
    pub(crate) origin: String,
}

impl HttpPeer {
    pub(crate) async fn start(
        handler: impl Fn(&Request) -> Response + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a loopback port");
        let origin = format!("http://{}", listener.local_addr().expect("a bound address"));
        let handler = Arc::new(handler);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let handler = Arc::clone(&handler);
                tokio::spawn(async move { serve(stream, handler.as_ref()).await });
            }
        });
        Self { origin }
    }

    pub(crate) fn binding(&self) -> ServerBinding {
        ServerBinding::from_url(format!("{}/mcp", self.origin))
    }
}

async fn serve(
    stream: TcpStream,
    handler: &(dyn Fn(&Request) -> Response + Send + Sync),
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let request = read_request(&mut stream).await?;
    match handler(&request) {
        Response::Whole(head, body) => {
            let text = format!(
                "{head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(text.as_bytes()).await.ok()?;
        }
        Response::Stream(start, mut more) => {
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            stream.write_all(format!("{head}{start}").as_bytes()).await.ok()?;
            while let Some(text) = more.recv().await {
                stream.write_all(text.as_bytes()).await.ok()?;
            }
        }
    }
    stream.shutdown().await.ok()
}

async fn read_request(stream: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok().filter(|count| *count > 0)?;
        match line.trim_end() {
            "" => break,
            text => lines.push(text.to_owned()),
        }
    }
    let mut words = lines.first()?.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let split = |line: &String| {
        line.split_once(':').map(|(n, v)| (n.to_ascii_lowercase(), v.trim().to_owned()))
    };
    let headers: Vec<(String, String)> = lines[1..].iter().filter_map(split).collect();
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.ok()?;
    Some(Request { method, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}
