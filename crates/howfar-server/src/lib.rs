//! Stored runs for readers: the web dashboard with its JSON API, and an MCP server over stdio.
//!
//! Handlers are thin: they read the request, call one function of [`read`], and shape the answer. Nothing here decides a
//! state, a verdict or a category, and nothing here writes to the store.

pub mod mcp;
pub mod read;
pub mod web;
