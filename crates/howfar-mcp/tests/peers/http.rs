//! Streamable HTTP and the 2024-11-05 transport.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use howfar_mcp::{
    CallAnswer, CanaryVerdict, Connection, FindingCode, HttpBinding, HttpFlavor, ServerBinding,
    SetupError, TransportFailure, connect, egress_canary,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::http_peer::{HttpPeer, Request, Response, json as json_response, respond};
use crate::script::{call, options};

fn session() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "peer", "version": "1"}})
}

/// A peer that opens a session; `answer` makes the response to every later request.
async fn peer(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Connection {
    let peer = HttpPeer::start(move |request| match (request.method.as_str(), request.rpc()) {
        ("POST", "initialize") => json_response(request.answer(&session())),
        ("POST", "notifications/initialized" | "notifications/cancelled") => {
            respond("202 Accepted", "text/plain", "")
        }
        ("POST", _) => answer(request),
        _ => respond("405 Method Not Allowed", "text/plain", ""),
    });
    connect("s", &peer.await.binding(), &options()).await.expect("a session")
}

async fn refused(response: impl Fn() -> Response + Send + Sync + 'static) -> SetupError {
    let peer = HttpPeer::start(move |_| response()).await;
    connect("s", &peer.binding(), &options()).await.err().expect("no session opens")
}

fn stream(text: String) -> Response {
    Response::Stream(text, mpsc::unbounded_channel().1)
}

#[tokio::test]
async fn a_result_comes_as_a_body_or_as_an_event() {
    let body = peer(|request| json_response(request.answer(&json!({"n": 1})))).await;
    let event = peer(|request| {
        stream(format!(": hi\n\ndata: ping\n\ndata: {}\n\n", request.answer(&json!({"n": 2}))))
    })
    .await;
    for (connection, n) in [(body, 1), (event, 2)] {
        let CallAnswer::Result(result) = call(&connection).await else { panic!("a result") };
        assert_eq!(result.raw, json!({"n": n}));
    }
}

#[tokio::test]
async fn a_body_that_is_no_answer_ends_the_call_at_once() {
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":{"co"#,
        r#"{"jsonrpc":"2.0","id":1,"result":7}"#,
        "{}",
        "[]",
    ] {
        let connection = peer(move |_| json_response(body)).await;
        let answer = call(&connection).await;
        assert!(matches!(answer, CallAnswer::Malformed { .. }), "{body}: {answer:?}");
    }
}

#[tokio::test]
async fn a_page_instead_of_an_answer_is_a_transport_failure_with_its_facts() {
    let connection =
        peer(|_| respond("502 Bad Gateway", "text/html; charset=utf-8", "<html>gateway</html>"))
            .await;
    let CallAnswer::Transport(TransportFailure::Http(facts)) = call(&connection).await else {
        panic!("HTTP facts")
    };
    assert_eq!(
        (facts.status, facts.html_body, facts.body.as_str()),
        (502, true, "<html>gateway</html>")
    );
}

#[tokio::test]
async fn an_error_answer_keeps_its_status() {
    let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gone"}}"#;
    let connection = peer(move |_| respond("404 Not Found", "application/json", text)).await;
    let error = connection.list_tools().await.expect_err("an error answer");
    assert_eq!((error.http_status(), error.rpc_code()), (Some(404), Some(-32000)));
}

#[tokio::test]
async fn a_stream_that_ends_without_an_answer_ends_the_call() {
    let connection = peer(|_| stream("data: \n\n".to_owned())).await;
    let answer = call(&connection).await;
    assert!(matches!(answer, CallAnswer::Transport(_)), "{answer:?}");
}

#[tokio::test]
async fn a_body_over_the_limit_is_an_error() {
    let peer = HttpPeer::start(|_| {
        json_response(format!("{{\"jsonrpc\":\"2.0\",\"id\":0,{}", " ".repeat(5000)))
    })
    .await;
    let options = howfar_mcp::ConnectOptions { max_message_bytes: 1000, ..options() };
    let error = connect("s", &peer.binding(), &options).await.err().expect("too large").to_string();
    assert!(error.contains("larger than 1000 bytes"), "{error}");
}

#[tokio::test]
async fn a_bearer_challenge_is_a_fact() {
    let head = "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer realm=\"x\"";
    let error = refused(move || Response::Whole(head.to_owned(), String::new())).await;
    assert_eq!(
        (error.http_status(), error.http.as_ref().map(|facts| facts.bearer_challenge)),
        (Some(401), Some(true))
    );
    assert!(
        error.to_string().contains("asks for a bearer token; check the credentials"),
        "{error}"
    );
}

#[tokio::test]
async fn nothing_listening_is_econnrefused_and_the_loopback_canary_works() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let binding = ServerBinding::from_url(format!("http://127.0.0.1:{port}/mcp?token=hidden"));
    let error = connect("s", &binding, &options()).await.err().expect("refused");
    assert_eq!(error.code(), Some("ECONNREFUSED"));
    assert!(
        error.to_string().contains(&format!("127.0.0.1:{port}"))
            && !error.to_string().contains("hidden")
    );
    assert_eq!(
        egress_canary(&binding, &error, None, Duration::from_secs(5)).await,
        CanaryVerdict::Verified
    );
}

#[tokio::test]
async fn headers_are_sent_with_every_request() {
    let peer = HttpPeer::start(|request| match (request.header("x-key"), request.rpc()) {
        (Some("v"), "initialize") => json_response(request.answer(&session())),
        (Some("v"), "tools/list") => json_response(request.answer(&json!({"tools": []}))),
        (Some("v"), _) => respond("202 Accepted", "text/plain", ""),
        _ => respond("403 Forbidden", "text/plain", "no key"),
    });
    let headers = BTreeMap::from([("X-Key".to_owned(), "v".to_owned())]);
    let url = format!("{}/mcp", peer.await.origin);
    let binding = ServerBinding::Http(HttpBinding { url, headers, flavor: HttpFlavor::Streamable });
    let connection = connect("s", &binding, &options()).await.expect("a session");
    assert!(connection.list_tools().await.expect("a listing").complete);
}

/// A peer of the 2024-11-05 transport: answers to posts go to the open event stream.
async fn legacy_peer(endpoint: &'static str) -> HttpPeer {
    let sender: Mutex<Option<mpsc::UnboundedSender<String>>> = Mutex::new(None);
    HttpPeer::start(move |request| match (request.method.as_str(), request.path.as_str()) {
        ("GET", _) => {
            let (more, receiver) = mpsc::unbounded_channel();
            *sender.lock().expect("no panic under the lock") = Some(more);
            Response::Stream(format!("event: endpoint\ndata: {endpoint}\n\n"), receiver)
        }
        ("POST", "/messages?s=1") => {
            let result = if request.rpc() == "initialize" { session() } else { json!({"n": 5}) };
            let event = format!("event: message\ndata: {}\n\n", request.answer(&result));
            if request.body.get("id").is_some()
                && let Some(sender) = sender.lock().expect("no panic under the lock").as_ref()
            {
                let _ = sender.send(event);
            }
            respond("202 Accepted", "text/plain", "Accepted")
        }
        _ => respond("405 Method Not Allowed", "text/plain", ""),
    })
    .await
}

#[tokio::test]
async fn the_older_transport_is_used_when_the_newer_one_is_refused() {
    let peer = legacy_peer("/messages?s=1").await;
    let connection = connect("s", &peer.binding(), &options()).await.expect("a session");
    let CallAnswer::Result(result) = call(&connection).await else { panic!("a result") };
    assert_eq!(
        (result.raw, connection.findings()[0].code),
        (json!({"n": 5}), FindingCode::LegacyTransport)
    );
}

#[tokio::test]
async fn an_endpoint_at_another_origin_is_refused() {
    let peer = legacy_peer("http://127.0.0.1:9/messages?s=1").await;
    let binding = HttpBinding {
        url: format!("{}/sse", peer.origin),
        headers: BTreeMap::new(),
        flavor: HttpFlavor::Sse,
    };
    let error = connect("s", &ServerBinding::Http(binding), &options())
        .await
        .err()
        .expect("refused")
        .to_string();
    assert!(error.contains("another origin"), "{error}");
}
