//! The real MCP servers and fake model servers that `cargo xtask test` sets up.
//!
//! Each function gives `None`, and prints why, where the peers are not set up; the test then returns:
//!
//! ```no_run
//! # fn node_peers_everything_lists_its_tools() {
//! let Some(everything) = howfar_testkit::peers::node("everything") else { return };
//! # let _ = everything;
//! # }
//! ```
//!
//! A test that needs a peer has the name of the peer's group in its path, `node_peers` or `python_peers`: the test task
//! runs each group by itself.

use std::path::{Path, PathBuf};

use crate::program::{HttpPeer, ProgramSpec};

/// The variable that names the folder of the peers; `cargo xtask test` sets it.
pub const PEERS_VARIABLE: &str = "HOWFAR_PEERS";

/// Peers that run on Node: the name in tests, and the program.
const NODE_PEERS: &[(&str, &str)] = &[
    ("everything", "node/node_modules/.bin/mcp-server-everything"),
    ("filesystem", "node/node_modules/.bin/mcp-server-filesystem"),
    ("memory", "node/node_modules/.bin/mcp-server-memory"),
    ("aimock", "node/node_modules/.bin/llmock"),
];

/// Peers that run on Python: the name in tests, and the program.
const PYTHON_PEERS: &[(&str, &str)] = &[
    ("time", "python/bin/mcp-server-time"),
    ("git", "python/bin/mcp-server-git"),
    ("stubllm", "python/bin/stubllm"),
    ("sqlite", "python-mcp1/bin/mcp-server-sqlite"),
];

/// A peer that runs on Node, without its arguments: `everything`, `filesystem` (takes the folder that it serves),
/// `memory` (takes its file in the variable `MEMORY_FILE_PATH`) or `aimock`.
///
/// # Panics
///
/// When the name is none of these.
pub fn node(name: &str) -> Option<ProgramSpec> {
    peer(name, NODE_PEERS)
}

/// A peer that runs on Python, without its arguments: `time` (takes `--local-timezone UTC`), `git` (takes
/// `--repository DIR`), `sqlite` (takes `--db-path FILE`) or `stubllm`.
///
/// # Panics
///
/// When the name is none of these.
pub fn python(name: &str) -> Option<ProgramSpec> {
    peer(name, PYTHON_PEERS)
}

/// The server `everything` over streamable HTTP, at the path `/mcp`.
pub fn everything_http() -> Option<HttpPeer> {
    let spec = node("everything")?.arg("streamableHttp");
    Some(HttpPeer::start(|port| spec.clone().env("PORT", port.to_string())))
}

/// The server `everything` over the older HTTP+SSE transport, at the path `/sse`.
pub fn everything_sse() -> Option<HttpPeer> {
    let spec = node("everything")?.arg("sse");
    Some(HttpPeer::start(|port| spec.clone().env("PORT", port.to_string())))
}

/// aimock with one fixture file and more flags, for example `["--chaos-ratelimit", "1"]`.
///
/// It speaks the chat and responses APIs of OpenAI below `/v1`, Anthropic's messages, Gemini and Ollama. A request that
/// no fixture matches is answered with 404; `/__aimock/journal` lists what came in.
pub fn aimock(fixture: &Path, flags: &[&str]) -> Option<HttpPeer> {
    let spec = with_flags(node("aimock")?.arg("--fixtures").arg_path(fixture), flags);
    Some(HttpPeer::start(|port| spec.clone().arg("--port").arg(port.to_string())))
}

/// stubllm with one fixture file and more flags. It speaks OpenAI's chat API and Anthropic's messages, and allows
/// argument strings that are not JSON.
pub fn stubllm(fixture: &Path, flags: &[&str]) -> Option<HttpPeer> {
    let spec =
        with_flags(python("stubllm")?.arg("serve").arg("--fixture-file").arg_path(fixture), flags);
    Some(HttpPeer::start(|port| spec.clone().arg("--port").arg(port.to_string())))
}

fn peer(name: &str, known: &[(&str, &str)]) -> Option<ProgramSpec> {
    let found = known.iter().find(|(known, _)| *known == name);
    let (_, program) = found.unwrap_or_else(|| panic!("{name} is not a peer; known are {known:?}"));
    let root = std::env::var_os(PEERS_VARIABLE).map(PathBuf::from);
    let program = root.map(|root| root.join(program)).filter(|program| program.exists());
    if program.is_none() {
        println!("skipped: the peer {name} is not set up; run cargo xtask test");
    }
    program.map(ProgramSpec::new)
}

fn with_flags(spec: ProgramSpec, flags: &[&str]) -> ProgramSpec {
    flags.iter().copied().fold(spec, ProgramSpec::arg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "evrything is not a peer")]
    fn a_misspelt_peer_is_an_error_and_not_a_skipped_test() {
        node("evrything");
    }
}
