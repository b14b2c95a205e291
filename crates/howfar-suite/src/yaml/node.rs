//! The tree. Nodes lie in one list and name each other by position, so that an alias costs nothing.

use howfar_wire::finding::Location;
use indexmap::IndexMap;
use serde_json::{Number, Value};

/// The position of a node in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeId(pub(super) usize);

/// A whole document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(super) nodes: Vec<Node>,
    pub(super) root: Child,
}

/// A use of a node: which one, and where it is used. The place is unknown for documents that come from JSON values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child {
    pub(crate) node: NodeId,
    pub(crate) place: Option<Location>,
}

/// One node.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) content: Content,
}

/// What a node holds.
#[derive(Debug)]
pub(crate) enum Content {
    Scalar(Scalar),
    List(Vec<Child>),
    Object(IndexMap<String, Entry>),
}

/// A member of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key_place: Option<Location>,
    pub(crate) value: Child,
}

/// A resolved scalar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
}

impl Document {
    /// The root.
    pub(crate) const fn root(&self) -> Child {
        self.root
    }

    /// What a use of a node stands for.
    pub(crate) fn content(&self, child: Child) -> &Content {
        &self.nodes[child.node.0].content
    }

    /// A JSON value as a document without places.
    pub(crate) fn from_json(value: &Value) -> Self {
        let mut nodes = Vec::new();
        let root = json_node(&mut nodes, value);
        Self { nodes, root }
    }
}

/// A number as documents hold it: whole numbers below 2^53 as integers, everything else as a double. `None` for what
/// JSON cannot say.
pub(crate) fn json_number(value: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

fn json_node(nodes: &mut Vec<Node>, value: &Value) -> Child {
    let content = match value {
        Value::Null => Content::Scalar(Scalar::Null),
        Value::Bool(value) => Content::Scalar(Scalar::Bool(*value)),
        Value::Number(value) => Content::Scalar(Scalar::Number(value.as_f64().unwrap_or(f64::NAN))),
        Value::String(text) => Content::Scalar(Scalar::Text(text.clone())),
        Value::Array(items) => {
            Content::List(items.iter().map(|item| json_node(nodes, item)).collect())
        }
        Value::Object(members) => {
            let entry = |(key, value): (&String, &Value)| {
                (key.clone(), Entry { key_place: None, value: json_node(nodes, value) })
            };
            Content::Object(members.iter().map(entry).collect())
        }
    };
    nodes.push(Node { content });
    Child { node: NodeId(nodes.len() - 1), place: None }
}
