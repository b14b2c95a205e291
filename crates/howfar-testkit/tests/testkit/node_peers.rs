use howfar_testkit::peers;
use serde_json::json;

use crate::wire::{check_tools, post};

#[test]
fn everything_lists_its_tools() {
    check_tools(peers::node("everything"), 13);
}

#[test]
fn filesystem_lists_its_tools() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    check_tools(peers::node("filesystem").map(|spec| spec.arg_path(folder.path())), 14);
}

#[test]
fn memory_lists_its_tools() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = folder.path().join("memory.jsonl");
    check_tools(
        peers::node("memory").map(|spec| spec.env("MEMORY_FILE_PATH", file.to_string_lossy())),
        9,
    );
}

#[test]
fn everything_speaks_streamable_http() {
    let Some(peer) = peers::everything_http() else { return };
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "wire", "version": "0"},
    });
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let answer = post(&peer, "/mcp", &request);
    assert!(answer.to_lowercase().contains("mcp-session-id"), "{answer}");
}

#[test]
fn aimock_answers_from_its_fixture() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let fixture = folder.path().join("fixture.json");
    let text = json!({"fixtures": [{"match": {"userMessage": "sum"}, "response": {"content": "The sum is 5."}}]});
    std::fs::write(&fixture, text.to_string()).expect("the temporary folder is writable");
    let Some(peer) = peers::aimock(&fixture, &[]) else { return };
    let request = json!({"model": "gpt", "messages": [{"role": "user", "content": "sum"}]});
    let answer = post(&peer, "/v1/chat/completions", &request);
    assert!(answer.contains("The sum is 5."), "{answer}");
}

#[test]
fn aimock_takes_flags() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let fixture = folder.path().join("fixture.json");
    std::fs::write(&fixture, r#"{"fixtures": []}"#).expect("the temporary folder is writable");
    let Some(peer) = peers::aimock(&fixture, &["--chaos-ratelimit", "1"]) else { return };
    let request = json!({"model": "gpt", "messages": [{"role": "user", "content": "sum"}]});
    let answer = post(&peer, "/v1/chat/completions", &request);
    assert!(answer.starts_with("HTTP/1.1 429"), "{answer}");
}
