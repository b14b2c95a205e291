//! Stored runs as an MCP server over stdio (suite and runner, section E).
//!
//! Ten tools, the glossary as a resource, and a prompt. Every tool is one file of [`tools`]: its parameters, its answer,
//! and the one question that it asks of [`crate::read`]. What all answers share is here: parameters are closed
//! ([`parameters`]), an answer keeps a byte budget and says what it left out ([`answer`]), and an error says what, where
//! and what to do next ([`failure`]).
//!
//! Nothing here writes to the store. `run_suite` hands the run to a [`RunSuite`] of the caller, so that this crate knows no
//! runner.

mod answer;
mod catalog;
mod failure;
mod folder;
mod glossary;
mod parameters;
mod prompt;
mod run;
mod server;
mod tools;

#[cfg(test)]
mod tests;

pub use answer::{DEFAULT_ANSWER_BYTES, MAX_ANSWER_BYTES, MIN_ANSWER_BYTES};
pub use run::{RunProgress, RunSuite, SuiteOrder, SuiteRunEnd};
pub use server::{McpServer, McpServerError};
