//! The official TypeScript SDK as the client. It checks every answer against the tool's output schema.

use std::path::PathBuf;

use howfar_testkit::peers;
use serde_json::{Value, json};

use super::{Served, check};

/// Node, the client's program, and the folder that holds the SDK; `None` without peers.
fn client() -> Option<(PathBuf, String, String)> {
    peers::node("everything")?;
    let folder = PathBuf::from(std::env::var_os(peers::PEERS_VARIABLE)?).join("node");
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-peers/client.cjs");
    Some((PathBuf::from("node"), program.to_owned(), folder.display().to_string()))
}

#[test]
fn the_typescript_client_accepts_every_answer() {
    let Some((node, program, folder)) = client() else { return };
    let served = Served::new();
    let questions = served.questions();
    let answers = served.asked(&node, &[&program, &folder], &questions);
    check(&answers);
    // Progress in trials, to a client that asks for it.
    let progress = answers[10]["progress"].as_array().cloned().unwrap_or_default();
    assert_eq!(progress.last().map(|step| step["progress"] == step["total"]), Some(true));
}

#[test]
fn a_client_that_cancels_ends_the_run_and_keeps_what_finished() {
    let Some((node, program, folder)) = client() else { return };
    let served = Served::new();
    let call = json!({ "name": "run_suite", "arguments": { "path": "shop.suite.yaml" } });
    let questions = json!([
        { "method": "callTool", "params": call, "cancelAfterProgress": true },
        { "method": "callTool", "params": { "name": "list_runs", "arguments": {} } },
    ]);
    let questions = served.home.write("cancel.json", &questions.to_string()).display().to_string();
    let answers = served.asked(&node, &[&program, &folder], &questions);
    assert!(answers[1]["error"].is_string(), "{}", answers[1]);
    let runs = &answers[2]["answer"]["structuredContent"]["document"]["runs"];
    assert!(runs.as_array().is_some_and(|runs| runs.len() == 2), "{runs}");
    let stored = served.home.invoke(crate::support::howfar());
    let stored = stored.args(["list", "--store", "runs.db", "--format", "json"]).run().json();
    assert_ne!(stored["runs"][0]["state"], Value::from("running"), "{stored}");
    assert!(stored["runs"][0]["storedTrials"].as_u64().is_some_and(|trials| trials >= 1));
}
