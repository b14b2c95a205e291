//! What is wrong with a document that was read.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// One thing that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The keys and list positions that lead there, joined by dots; empty for the document itself.
    pub path: String,
    /// What is wrong there, as the end of a sentence that begins with the path.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the document" } else { &self.path };
        write!(f, "{path} {}", self.message)
    }
}

/// The problems found so far, in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.0.push(Problem { path: path.into(), message: message.into() });
    }

    /// Notes a problem unless `holds`.
    pub(crate) fn check(
        &mut self,
        holds: bool,
        path: impl Into<String>,
        message: impl Into<String>,
    ) {
        if !holds {
            self.add(path, message);
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_list(self) -> Vec<Problem> {
        self.0
    }

    /// The value, when nothing is wrong.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Vec<Problem>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }
}

/// A closed document as its type, or the place where its shape is wrong.
pub(crate) fn read_closed<T: DeserializeOwned>(document: &Value) -> Result<T, Vec<Problem>> {
    serde_path_to_error::deserialize(document).map_err(|error| {
        let path = error.path().to_string().replace(['[', ']'], "");
        let path = if path == "." { String::new() } else { path };
        vec![Problem { path, message: format!("has a wrong shape: {}", error.inner()) }]
    })
}
