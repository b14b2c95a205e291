use std::process::Command;

use howfar_testkit::peers;
use serde_json::json;

use crate::wire::{check_tools, post};

#[test]
fn time_lists_its_tools() {
    check_tools(peers::python("time").map(|spec| spec.arg("--local-timezone").arg("UTC")), 2);
}

#[test]
fn git_lists_its_tools() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let made = Command::new("git").args(["init", "--quiet"]).current_dir(folder.path()).status();
    assert!(made.is_ok_and(|status| status.success()), "git makes a repository");
    check_tools(
        peers::python("git").map(|spec| spec.arg("--repository").arg_path(folder.path())),
        12,
    );
}

#[test]
fn sqlite_lists_its_tools() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = folder.path().join("data.db");
    check_tools(peers::python("sqlite").map(|spec| spec.arg("--db-path").arg_path(&file)), 6);
}

#[test]
fn stubllm_sends_arguments_that_are_not_json() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let fixture = folder.path().join("fixture.json");
    let call = json!({"function": {"name": "add", "arguments": "{\"a\": 2,"}});
    let text = json!({"fixtures": [{"match": {"provider": "openai"}, "response": {"tool_calls": [call]}}]});
    std::fs::write(&fixture, text.to_string()).expect("the temporary folder is writable");
    let Some(peer) = peers::stubllm(&fixture, &[]) else { return };
    let request = json!({"model": "gpt", "messages": [{"role": "user", "content": "sum"}]});
    let answer = post(&peer, "/v1/chat/completions", &request);
    assert!(answer.contains(r#""arguments":"{\"a\": 2,""#), "{answer}");
}
