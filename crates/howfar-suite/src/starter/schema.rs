//! What a schema says once its references and combinations are followed inside the document.

use std::cell::Cell;

use serde_json::{Map, Value, json};

/// How many schemas are looked at for one tool: a hostile document refers to itself without end.
const WORK_LIMIT: usize = 2_000;

/// Schemas inside schemas inside …; deeper ones say nothing.
const DEPTH_LIMIT: usize = 24;

/// Keywords that combine other schemas.
const COMBINING: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];

/// One document whose references can be followed.
pub(super) struct SchemaDocument<'a> {
    root: &'a Value,
    work_left: Cell<usize>,
}

impl<'a> SchemaDocument<'a> {
    pub(super) const fn new(root: &'a Value) -> Self {
        Self { root, work_left: Cell::new(WORK_LIMIT) }
    }

    /// The keywords that hold for an instance: those of the schema itself, of what it refers to, of all parts of
    /// `allOf`, and of the first branch of `anyOf` and `oneOf` that is not null.
    pub(super) fn effective(&self, schema: &Value) -> Map<String, Value> {
        self.at_depth(schema, DEPTH_LIMIT)
    }

    fn at_depth(&self, schema: &Value, depth: usize) -> Map<String, Value> {
        let mut merged = Map::new();
        let Value::Object(own) = schema else { return merged };
        let work_left = self.work_left.get();
        if depth == 0 || work_left == 0 {
            return merged;
        }
        self.work_left.set(work_left - 1);
        if let Some(target) = own.get("$ref").and_then(Value::as_str).and_then(|to| self.target(to))
        {
            merge(&mut merged, self.at_depth(target, depth - 1));
        }
        for part in own.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            merge(&mut merged, self.at_depth(part, depth - 1));
        }
        let plain = own.iter().filter(|(key, _)| !COMBINING.contains(&key.as_str()));
        merge(&mut merged, plain.map(|(key, value)| (key.clone(), value.clone())).collect());
        for key in ["anyOf", "oneOf"] {
            let branches = own.get(key).and_then(Value::as_array).into_iter().flatten();
            if let Some(branch) = branches.into_iter().find(|branch| !is_null(branch)) {
                merge(&mut merged, self.at_depth(branch, depth - 1));
            }
        }
        merged
    }

    /// The schema that a reference inside the document names. Nothing is ever fetched.
    fn target(&self, reference: &str) -> Option<&'a Value> {
        match reference.strip_prefix('#')? {
            "" => Some(self.root),
            pointer => self.root.pointer(&pointer.replace("%25", "%")),
        }
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
}

/// Later keywords win, except that properties and required names add up.
fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (key, value) in from {
        match (key.as_str(), into.get_mut(&key), value) {
            ("properties", Some(Value::Object(known)), Value::Object(more)) => {
                for (name, schema) in more {
                    let both = known.get(&name).map(|other| json!({ "allOf": [other, schema] }));
                    known.insert(name, both.unwrap_or(schema));
                }
            }
            ("required", Some(Value::Array(known)), Value::Array(more)) => {
                known.extend(more);
            }
            (_, _, value) => {
                into.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: Value, expected: Value) {
        let effective = SchemaDocument::new(&schema).effective(&schema);
        assert_eq!(Value::Object(effective), expected);
    }

    #[test]
    fn references_and_parts_add_up() {
        check(
            json!({
                "$ref": "#/$defs/base",
                "allOf": [{"required": ["b"], "properties": {"b": {"type": "string"}}}],
                "required": ["c"],
                "$defs": {"base": {"required": ["a"], "properties": {"a": {"type": "integer"}}}},
            }),
            json!({
                "required": ["a", "b", "c"],
                "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
                "$defs": {"base": {"required": ["a"], "properties": {"a": {"type": "integer"}}}},
            }),
        );
    }

    #[test]
    fn the_first_branch_that_is_not_null_holds() {
        check(
            json!({"anyOf": [{"type": "null"}, {"type": "integer"}, {"type": "string"}]}),
            json!({"type": "integer"}),
        );
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let looping =
            json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}], "type": "object"});
        check(looping.clone(), json!({"type": "object"}));
        check(json!({"$ref": "#/nowhere"}), json!({}));
    }
}
