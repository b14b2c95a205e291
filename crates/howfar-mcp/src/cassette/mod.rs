//! Keeping the exchanges with a server, and answering from such a recording with no process and no socket.
//!
//! What is kept is what the recorder read of an answer: the object as it stood on the wire, or why there is none. How a
//! process ended, a status or an error of the network is a recorded fact as well.

mod canary;
mod convert;
mod fault;
mod record;
mod replay;

pub use canary::recorded_egress_canary;
pub(crate) use record::{Log, keep_connect};
pub(crate) use replay::{Replay, connect_replayed};
