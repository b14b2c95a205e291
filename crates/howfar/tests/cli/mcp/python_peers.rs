//! The official Python SDK as the client, on both of its lines. It checks every answer against the tool's output schema.

use std::path::PathBuf;

use howfar_testkit::peers;

use super::{Served, check};

/// Asks everything with the Python of an environment.
fn accepts_every_answer(environment: &str) {
    let Some(root) = std::env::var_os(peers::PEERS_VARIABLE).map(PathBuf::from) else { return };
    let served = Served::new();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-peers/client.py");
    let python = root.join(environment).join("bin/python");
    check(&served.asked(&python, &[program], &served.questions()));
}

#[test]
fn the_python_client_accepts_every_answer() {
    if peers::python("time").is_some() {
        accepts_every_answer("python");
    }
}

#[test]
fn the_older_python_client_accepts_every_answer() {
    if peers::python("sqlite").is_some() {
        accepts_every_answer("python-mcp1");
    }
}
