//! The identifiers in one result (friction, section A7).

use howfar_wire::canon::{es_trim, number_text, utf16_cmp, utf16_len};
use serde_json::{Map, Value};

use super::json_text::{json_document, looks_like_json};
use super::result::NormalizedResult;
use super::shape::{looks_like_identifier, names_identifier};

/// The most candidates that are taken from one result, before equal ones are merged.
const MAX_CANDIDATES: usize = 200;
/// How deep the walk goes.
const MAX_DEPTH: usize = 6;
/// How many entries of a list the walk visits.
const MAX_ITEMS: usize = 50;
/// The shortest identifier, in UTF-16 units.
const MIN_UNITS: usize = 3;

/// The identifiers of one result. The values stay inside the derivation: documents hold counts and paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identifiers {
    /// The different values, by UTF-16 unit. A number and a text that look alike are one.
    pub values: Vec<String>,
    /// The different places, by UTF-16 unit; `$` for the result itself. Keys are copied as they are.
    pub key_paths: Vec<String>,
    /// Whether the walk left something out.
    pub truncated: bool,
}

/// The identifiers of a result: of its structured content where there is any, else of its text parts.
pub fn extract_identifiers(result: &NormalizedResult<'_>) -> Identifiers {
    let mut walk = Walk::default();
    match result.structured_content {
        Some(content) => walk.document(content),
        None => walk.text_parts(&result.text_parts),
    }
    walk.finish()
}

#[derive(Default)]
struct Walk {
    values: Vec<String>,
    key_paths: Vec<String>,
    truncated: bool,
}

impl Walk {
    fn text_parts(&mut self, parts: &[&str]) {
        for part in parts {
            if self.is_full() {
                self.truncated = true;
                return;
            }
            // One entry more than the walk visits, so that it sees that the list goes on.
            let document = looks_like_json(part)
                .then(|| json_document(part, MAX_DEPTH, MAX_ITEMS + 1))
                .flatten();
            if let Some(document) = document {
                self.document(&document);
            }
        }
    }

    fn document(&mut self, document: &Value) {
        self.node(document, &mut String::new(), 0, false);
    }

    /// Equal values count towards the cap.
    fn is_full(&self) -> bool {
        self.values.len() >= MAX_CANDIDATES
    }

    /// `named` says that the key above names an identifier; it holds through lists and ends at every object.
    fn node(&mut self, value: &Value, path: &mut String, depth: usize, named: bool) {
        if self.is_full() {
            self.truncated = true;
            return;
        }
        match value {
            Value::Array(items) => self.list(items, path, depth, named),
            Value::Object(object) => self.object(object, path, depth),
            Value::String(text) => self.scalar(es_trim(text), path, named),
            Value::Number(number) => self.scalar(&number_text(number), path, named),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn list(&mut self, items: &[Value], path: &mut String, depth: usize, named: bool) {
        if depth >= MAX_DEPTH {
            self.truncated |= !items.is_empty();
            return;
        }
        self.truncated |= items.len() > MAX_ITEMS;
        for item in items.iter().take(MAX_ITEMS) {
            self.below(item, path, "[]", depth, named);
        }
    }

    fn object(&mut self, object: &Map<String, Value>, path: &mut String, depth: usize) {
        if depth >= MAX_DEPTH {
            self.truncated |= !object.is_empty();
            return;
        }
        let mut members: Vec<_> = object.iter().collect();
        members.sort_by(|(a, _), (b, _)| utf16_cmp(a, b));
        for (key, value) in members {
            let len = path.len();
            if len > 0 {
                path.push('.');
            }
            self.below(value, path, key, depth, names_identifier(key));
            path.truncate(len);
        }
    }

    fn below(&mut self, value: &Value, path: &mut String, step: &str, depth: usize, named: bool) {
        let len = path.len();
        path.push_str(step);
        self.node(value, path, depth + 1, named);
        path.truncate(len);
    }

    fn scalar(&mut self, text: &str, path: &str, named: bool) {
        if utf16_len(text) >= MIN_UNITS && (named || looks_like_identifier(text)) {
            self.values.push(text.to_owned());
            self.key_paths.push(if path.is_empty() { "$" } else { path }.to_owned());
        }
    }

    fn finish(self) -> Identifiers {
        Identifiers {
            values: distinct(self.values),
            key_paths: distinct(self.key_paths),
            truncated: self.truncated,
        }
    }
}

fn distinct(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_by(|a, b| utf16_cmp(a, b));
    texts.dedup();
    texts
}
