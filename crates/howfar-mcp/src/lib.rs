//! Client side of the Model Context Protocol, with wire capture.
//!
//! [`connect`] opens a session with a server that a [`ServerBinding`] describes; a [`Connection`] lists tools and
//! calls them. The protocol crate below carries lifecycle and sessions; a recorder sits under it and sees every text
//! first. Everything that this crate returns is read from those raw texts with lenient readers: one broken tool entry,
//! an answer without `jsonrpc` or a truncated line is a fact with a reason, not the loss of a page or a timeout.
//!
//! Not in here: who is to blame for a failure (the facts for it are in [`SetupError`]), what the model sees, and
//! redaction (texts quote the server; [`ServerBinding::secrets`] lists what must be replaced).

mod answer;
mod binding;
mod call;
mod canary;
mod cassette;
mod catalog;
mod clock;
mod connect;
mod connection;
mod finding;
mod network;
mod options;
mod recorder;
mod session;
mod setup_error;
mod transport;

pub use answer::{HttpFacts, RpcError, TransportFailure};
pub use binding::{
    BindingError, BindingSources, BoundServer, ConfigSource, HttpBinding, HttpFlavor,
    ServerBinding, SingleTarget, StdioBinding, TransportKind, bind_servers, parse_command_line,
};
pub use call::{CallAnswer, CallOutcome, ToolResult};
pub use canary::{CanaryVerdict, egress_canary};
pub use cassette::recorded_egress_canary;
pub use catalog::{Catalog, QuarantinedEntry, ToolEntry};
pub use clock::WireClock;
pub use connect::connect;
pub use connection::{Connection, ConnectionInfo};
pub use finding::{Finding, FindingCode};
pub use network::NetworkCode;
pub use options::{CallOptions, ConnectOptions, ProtocolMode};
pub use setup_error::{SetupCause, SetupError, SetupPhase, SpawnCode};
pub use transport::process::ChildExit;

/// The protocol versions that this client speaks, for messages.
const SPOKEN: &str = "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28";
