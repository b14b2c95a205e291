//! Text to a tree of nodes with places: YAML 1.2 core schema, which reads JSON too (suite and runner, section A1).
//!
//! Positions and duplicate keys are why this is not a serde reader: a suite file gets every finding at once, each with
//! its line.

mod build;
mod node;
mod scalar;

pub(crate) use build::{YamlError, read};
pub(crate) use node::{Child, Content, Document, Entry, Scalar, json_number};

/// Whether a plain scalar of this text would be read as text.
pub(crate) fn is_plain_text(text: &str) -> bool {
    matches!(scalar::resolve_plain(text), Scalar::Text(_))
}
