//! An authored suite back to text (suite and runner, section A13).
//!
//! Block style, two spaces, no anchors, no folded lines. Writing what was read and reading what was written are
//! inverse, and writing twice gives the same bytes.

mod order;
mod scalar;

use howfar_wire::canon;
use serde_json::{Map, Value};

use crate::AuthoredSuite;
use order::{KeyOrder, suite_file};
pub(crate) use scalar::shows;

/// The text of a suite file, in the file's own dialect. The caller writes it through a temporary file and a rename.
pub fn write_suite(suite: &AuthoredSuite) -> String {
    let mut out = String::new();
    match suite.value() {
        Value::Object(members) => {
            write_members(&mut out, members, Some(suite_file(suite.dialect())), 0)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {}
    }
    out
}

/// One member on lines of its own, indented, with the line break that ends it.
pub(crate) fn write_member(out: &mut String, key: &str, value: &Value, indent: usize) {
    push_indent(out, indent);
    scalar::write_key(out, key, indent);
    out.push(':');
    write_value(out, value, None, indent);
}

/// Members on lines of their own, each ended by a line break.
fn write_members(
    out: &mut String,
    members: &Map<String, Value>,
    order: Option<&KeyOrder>,
    indent: usize,
) {
    for (at, (key, value)) in ordered(members, order).into_iter().enumerate() {
        if at > 0 || indent == 0 {
            push_indent(out, indent);
        }
        scalar::write_key(out, key, indent);
        out.push(':');
        write_value(out, value, order.and_then(|order| order.inside(key)), indent);
    }
}

/// A value after `key:` or `-`, with the line break that ends it.
fn write_value(out: &mut String, value: &Value, order: Option<&KeyOrder>, indent: usize) {
    match value {
        Value::Object(members) if members.is_empty() => out.push_str(" {}\n"),
        Value::Object(members) => {
            out.push('\n');
            push_indent(out, indent + 2);
            write_members(out, members, order, indent + 2);
        }
        Value::Array(items) if items.is_empty() => out.push_str(" []\n"),
        Value::Array(items) => {
            out.push('\n');
            for item in items {
                push_indent(out, indent + 2);
                write_item(out, item, order, indent + 2);
            }
        }
        Value::String(text) => {
            out.push(' ');
            scalar::write_text(out, text, indent + 2);
        }
        Value::Null => out.push_str(" null\n"),
        Value::Bool(value) => out.push_str(if *value { " true\n" } else { " false\n" }),
        Value::Number(number) => {
            out.push(' ');
            out.push_str(&canon::number_text(number));
            out.push('\n');
        }
    }
}

/// An item of a list; the members of an object start on the line of its dash.
fn write_item(out: &mut String, item: &Value, order: Option<&KeyOrder>, indent: usize) {
    out.push('-');
    match item {
        Value::Object(members) if !members.is_empty() => {
            out.push(' ');
            write_members(out, members, order, indent + 2);
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => write_value(out, item, order, indent),
    }
}

/// Listed keys first, in the listed order; the others keep theirs.
fn ordered<'a>(
    members: &'a Map<String, Value>,
    order: Option<&KeyOrder>,
) -> Vec<(&'a String, &'a Value)> {
    let mut members: Vec<_> = members.iter().collect();
    if let Some(order) = order {
        members.sort_by_key(|(key, _)| order.rank(key));
    }
    members
}

fn push_indent(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
}
