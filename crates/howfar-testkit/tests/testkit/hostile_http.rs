//! Each endpoint of the scripted HTTP server answers as its path promises.

use std::io::Read;
use std::net::TcpStream;

use howfar_testkit::hostile;
use serde_json::json;

use crate::wire::{post, request};

fn check(path: &str, method: &str, status: &str, expected: &str) {
    let peer = hostile::http();
    let answer =
        post(&peer, path, &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}));
    assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
    assert!(answer.contains(expected), "{answer}");
}

#[test]
fn list401_initializes_and_then_refuses_the_list() {
    check("/list401", "initialize", "200", "protocolVersion");
    check("/list401", "tools/list", "401", "WWW-Authenticate: Bearer");
}

#[test]
fn init401_refuses_the_handshake() {
    check("/init401", "initialize", "401", "WWW-Authenticate: Bearer");
}

#[test]
fn init500_fails_the_handshake() {
    check("/init500", "initialize", "500", "out of order");
}

#[test]
fn html_is_a_web_page() {
    check("/html", "initialize", "200", "Content-Type: text/html");
}

#[test]
fn a_mode_is_an_endpoint() {
    check("/ok", "tools/list", "200", r#""name":"echo""#);
    check("/notools", "tools/list", "200", r#""tools":[]"#);
}

#[test]
fn an_unknown_endpoint_is_not_found() {
    check("/nowhere", "tools/list", "404", "no such endpoint");
}

#[test]
fn a_notification_is_accepted_without_an_answer() {
    let peer = hostile::http();
    let answer =
        post(&peer, "/ok", &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
}

#[test]
fn hang_keeps_the_connection_without_an_answer() {
    let peer = hostile::http();
    let mut stream = TcpStream::connect(peer.address()).expect("a started peer accepts");
    request(
        &mut stream,
        &peer,
        "/hang",
        &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"}),
    );
    // The server answers other requests meanwhile.
    let other = post(&peer, "/ok", &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    assert!(other.contains("result"), "{other}");
    stream.set_nonblocking(true).expect("a socket can be switched");
    let read = stream.read(&mut [0]).expect_err("nothing came");
    assert_eq!(read.kind(), std::io::ErrorKind::WouldBlock);
}
