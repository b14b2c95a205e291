//! The catalog of one server, read leniently from the raw pages.

mod entry;
mod list;

use serde_json::{Map, Value};

use crate::Finding;

pub(crate) use list::list_tools;

/// The tools of one server as it listed them. Order and duplicates survive.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalog {
    /// The server's name.
    pub server: String,
    /// Every usable entry, in order; a duplicate is kept.
    pub tools: Vec<ToolEntry>,
    /// Entries that cannot be used, with the reason.
    pub quarantined: Vec<QuarantinedEntry>,
    /// What is wrong with the listing or its entries.
    pub findings: Vec<Finding>,
    /// Every entry exactly as it was sent, usable or not, in order.
    pub raw: Vec<Value>,
    /// Whether every page was read. A listing that was cut, or that ended in an unusable cursor, is not complete.
    pub complete: bool,
    /// How many pages were read.
    pub pages: usize,
}

/// One usable tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolEntry {
    /// `name`.
    pub name: String,
    /// `description`; absent when the server sent none, null or something that is not text.
    pub description: Option<String>,
    /// `inputSchema`, any object. Whether it is a valid schema is not decided here.
    pub input_schema: Map<String, Value>,
    /// `outputSchema` as sent; absent when the server sent none, null or something that is not an object.
    pub output_schema: Option<Map<String, Value>>,
    /// `annotations` as sent, with members of any type; absent when the server sent none, null or no object.
    pub annotations: Option<Map<String, Value>>,
    /// The whole entry exactly as it was sent.
    pub raw: Value,
}

/// An entry that cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct QuarantinedEntry {
    /// Its position in the listing, from 0.
    pub index: usize,
    /// Its name, when it has one that is text.
    pub name: Option<String>,
    /// Why it cannot be used.
    pub reason: String,
}
