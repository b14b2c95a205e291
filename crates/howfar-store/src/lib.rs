//! Runs, the evidence of their trials, and what was derived from it, in SQLite.
//!
//! A [`Recorder`] writes one run, fact by fact, each durable before the call returns; a [`Store`] reads. Evidence is
//! kept as it was recorded, compressed, with tool catalogs stored once. Derived documents carry the analyzer version
//! that made them and are never overwritten by a newer one: they are derived again, beside the old ones.
//!
//! The SQL is plain enough for a second database; only [`store`](crate::Store) knows that it is SQLite. This crate does
//! not know how trials are run, never prints and does not look for its own place.

mod catalog;
mod check;
mod codec;
mod derive;
mod error;
mod fill;
mod prune;
mod read;
mod session;
mod store;
mod write;

pub use derive::Derived;
pub use error::{FindError, StoreError};
pub use prune::Retention;
pub use read::{
    DocumentRow, RunId, RunPlace, RunQuery, StoredRun, SuiteRow, TrialGroup, TrialLane, TrialPlace,
    TrialQuery, TrialRow,
};
pub use store::{SCHEMA_VERSION, Store};
pub use write::{OpenGrading, Recorder};
