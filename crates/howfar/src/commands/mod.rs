//! One module per command: parse what it was given, call the libraries, shape the answer.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod derive;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod gate;
pub(crate) mod init;
pub(crate) mod judge;
pub(crate) mod list;
mod live;
pub(crate) mod mcp;
mod outlet;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod stored;
pub(crate) mod trace;
