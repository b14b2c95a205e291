//! A scripted MCP server over streamable HTTP: `hostile-http [PORT]`, on the loopback interface.
//!
//! It prints its port, serves the endpoints that `howfar_testkit::hostile::http` lists, and ends when its stdin closes or
//! when nothing was asked for ten minutes. `GET /` answers `ready`. Every answer closes its connection.

#![expect(clippy::print_stdout, reason = "the port is what the program prints")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use howfar_testkit::hostile::{Mode, Reply, answer};
use serde_json::Value;

/// How long the server waits for a request before it ends.
const IDLE_BOUND: Duration = Duration::from_secs(600);
/// The delay of a late answer.
const DELAY: Duration = Duration::from_secs(2);
/// The largest body that is read, in bytes.
const BODY_LIMIT: u64 = 16 << 20;

/// What keeps the server alive or ends it.
enum Event {
    Asked,
    StdinClosed,
}

struct Request {
    method: String,
    path: String,
    body: Vec<u8>,
}

struct Response {
    status: &'static str,
    headers: &'static [(&'static str, &'static str)],
    kind: &'static str,
    body: String,
}

fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    println!("{}", listener.local_addr()?.port());
    let (events, received) = channel();
    let stdin_events = events.clone();
    std::thread::spawn(move || {
        // Whatever ends the reading, nobody holds the other side any more.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        stdin_events.send(Event::StdinClosed)
    });
    std::thread::spawn(move || accept(&listener, &events));
    while let Ok(Event::Asked) = received.recv_timeout(IDLE_BOUND) {}
    Ok(())
}

fn accept(listener: &TcpListener, events: &Sender<Event>) {
    for stream in listener.incoming().map_while(Result::ok) {
        if events.send(Event::Asked).is_err() {
            return;
        }
        // A client that breaks off is its own business.
        std::thread::spawn(move || serve(&stream).is_ok());
    }
}

fn serve(stream: &TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let Some(request) = read_request(&mut reader)? else { return Ok(()) };
    match respond(&request) {
        Some(response) => write_response(stream, &response),
        // Never answered: the connection stays open until the client closes it.
        None => std::io::copy(&mut reader, &mut std::io::sink()).map(|_| ()),
    }
}

/// The response to a request; `None` when there is none, ever.
fn respond(request: &Request) -> Option<Response> {
    if request.path == "/" {
        return Some(response("200 OK", "text/plain", "ready".to_owned()));
    }
    if request.method != "POST" {
        return Some(response("405 Method Not Allowed", "text/plain", String::new()));
    }
    let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let method = message["method"].as_str().unwrap_or_default();
    match (request.path.as_str(), method) {
        ("/hang", _) => None,
        ("/html", _) => Some(response(
            "200 OK",
            "text/html",
            "<!doctype html><title>Welcome</title>".to_owned(),
        )),
        ("/list401", "tools/list") | ("/init401", "initialize") => Some(unauthorized()),
        ("/init500", "initialize") => {
            Some(response("500 Internal Server Error", "text/plain", "out of order".to_owned()))
        }
        ("/list401" | "/init401" | "/init500", _) => speak(Mode::Ok, &message),
        (path, _) => match Mode::parse(path.trim_start_matches('/')) {
            Some(mode) => speak(mode, &message),
            None => Some(response("404 Not Found", "text/plain", "no such endpoint".to_owned())),
        },
    }
}

/// The answer of a mode in the shape of HTTP; a notification is accepted without one.
fn speak(mode: Mode, message: &Value) -> Option<Response> {
    if message.get("id").is_none() {
        return Some(response("202 Accepted", "text/plain", String::new()));
    }
    match answer(mode, mode.default_method(), None, message) {
        Reply::Line(line) => Some(response("200 OK", "application/json", line)),
        Reply::Late(line) => {
            std::thread::sleep(DELAY);
            Some(response("200 OK", "application/json", line))
        }
        Reply::Silence | Reply::End => None,
    }
}

fn unauthorized() -> Response {
    Response {
        status: "401 Unauthorized",
        headers: &[("WWW-Authenticate", "Bearer realm=\"hostile\", error=\"invalid_token\"")],
        kind: "application/json",
        body: r#"{"error": "invalid_token"}"#.to_owned(),
    }
}

fn response(status: &'static str, kind: &'static str, body: String) -> Response {
    Response { status, headers: &[], kind, body }
}

/// Reads one request with its body; `None` when the connection closed before one came.
fn read_request(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0).min(BODY_LIMIT);
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    Ok(Some(Request { method, path, body }))
}

fn write_response(mut stream: &TcpStream, response: &Response) -> std::io::Result<()> {
    let Response { status, headers, kind, body } = response;
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: {kind}\r\n");
    for (name, value) in *headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}
