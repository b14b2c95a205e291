//! Connections to scripted peers: a shell that prints canned lines, and an HTTP peer on a loopback port.

mod http;
mod http_peer;
mod process;
mod script;
mod setup;
mod stdio;
