//! JSON that can be folded: keys in the given order, values as they were written.

use std::fmt;

use askama::filters::Escaper as _;
use serde_json::Value;

use crate::html::escape::Visible;
use crate::text::{count, json_line};

/// Up to this many characters a value stands on one line.
const LINE: usize = 90;

/// How many members of an array or object are shown.
const MEMBERS: usize = 60;

/// How many characters of one text are shown.
const TEXT: usize = 1_000;

/// How deep values are unfolded; deeper ones stand on one line, cut.
const DEPTH: usize = 8;

/// A JSON value.
#[derive(Debug, Clone, Copy)]
pub struct JsonView<'a>(pub &'a Value);

impl fmt::Display for JsonView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, self.0, 0)
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: &Value, depth: usize) -> fmt::Result {
    let fits = |line: &str| line.chars().nth(LINE).is_none();
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => scalar(f, value),
        Value::Array(_) | Value::Object(_) if depth >= DEPTH => scalar(f, value),
        Value::Array(items) => match json_line(value) {
            line if fits(&line) => code(f, &line),
            _ => fold(f, depth, &count(items.len() as u64, "item"), items.len(), |f, index| {
                write_value(f, &items[index], depth + 1)
            }),
        },
        Value::Object(members) => match json_line(value) {
            line if fits(&line) => code(f, &line),
            _ => {
                let members: Vec<_> = members.iter().collect();
                fold(f, depth, &count(members.len() as u64, "key"), members.len(), |f, index| {
                    let (key, value) = members[index];
                    code(f, &json_line(key))?;
                    f.write_str(": ")?;
                    write_value(f, value, depth + 1)
                })
            }
        },
    }
}

/// A value on one line, cut with its length said.
fn scalar(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    let line = json_line(value);
    match line.char_indices().nth(TEXT) {
        None => code(f, &line),
        Some((end, _)) => {
            code(f, &line[..end])?;
            write!(f, "… <span class=\"note\">{} characters in all</span>", line.chars().count())
        }
    }
}

fn code(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("<code>")?;
    Visible.write_escaped_str(&mut *f, text)?;
    f.write_str("</code>")
}

/// A list that can be folded; the outermost one starts open.
fn fold(
    f: &mut fmt::Formatter<'_>,
    depth: usize,
    summary: &str,
    members: usize,
    mut member: impl FnMut(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
) -> fmt::Result {
    let open = if depth == 0 { " open" } else { "" };
    write!(f, "<details class=\"json\"{open}><summary>{summary}</summary><ul>")?;
    for index in 0..members.min(MEMBERS) {
        f.write_str("<li>")?;
        member(f, index)?;
    }
    if members > MEMBERS {
        write!(f, "<li class=\"note\">… and {} more", members - MEMBERS)?;
    }
    f.write_str("</ul></details>")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_small_value_is_one_line_with_its_keys_in_order() {
        let shown = JsonView(&json!({"b": "<i>", "a": 1.0})).to_string();
        assert_eq!(shown, "<code>{&#34;b&#34;: &#34;&#60;i&#62;&#34;, &#34;a&#34;: 1.0}</code>");
    }

    #[test]
    fn a_large_value_folds() {
        let shown = JsonView(&json!({"z": "x".repeat(100), "a": [1, 2]})).to_string();
        assert!(shown.starts_with("<details class=\"json\" open><summary>2 keys</summary>"));
        assert!(shown.find("&#34;z&#34;") < shown.find("&#34;a&#34;"), "{shown}");
    }

    #[test]
    fn depth_length_and_number_are_bounded() {
        let deep = (0..100).fold(json!("x".repeat(200)), |inner, _| json!([inner]));
        assert!(JsonView(&deep).to_string().len() < 3_000);
        assert!(JsonView(&json!("y".repeat(9_000))).to_string().contains("9002 characters in all"));
        let wide = JsonView(&json!(vec!["0123456789"; 100])).to_string();
        assert!(wide.contains("… and 40 more"), "{wide}");
    }
}
