//! The transports that carry frames below the protocol crate.
//!
//! Each one shows every text to the recorder before the protocol crate sees it. The protocol crate gets a readable
//! message or, for an answer that is not readable, an error with the same id, so that it never waits for a request
//! that is over.

pub(crate) mod frames;
mod handoff;
pub(crate) mod http;
mod http_body;
pub(crate) mod process;
pub(crate) mod sse;
pub(crate) mod stdio;

/// Frames that may wait for the protocol crate; a full channel slows the reader down.
const CHANNEL_FRAMES: usize = 256;

/// A transport error as the protocol crate wants it: an error type with a text. Facts live in the recorder.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct TransportFault(pub(crate) String);
