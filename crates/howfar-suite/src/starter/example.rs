//! Example arguments from an input schema.

use serde_json::{Map, Value};

use super::number::example_number;
use super::schema::SchemaDocument;
use super::text::example_text;

/// Objects and lists inside objects and lists …; deeper ones stay empty.
const DEPTH_LIMIT: usize = 8;

/// The most items of one list.
const MAX_ITEMS: usize = 10;

/// The most members of an object.
const MAX_MEMBERS: usize = 100;

/// The largest value that is taken from a schema as it stands, in bytes of JSON.
const MAX_GIVEN: usize = 2_000;

/// What is known beside the schema.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExampleHints {
    /// A folder that the server was started with: a likely value of an argument that is a path.
    pub folder: Option<String>,
    /// Whether the tool speaks of SQL, so that a query is a statement.
    pub sql: bool,
}

/// Arguments that should fit the schema, from its required properties only: values that the schema gives (`const`,
/// `examples`, `default`, `enum`) before values made from its types and limits. References are followed inside the
/// schema. Whether they do fit, a validator says; where a schema contradicts itself they do not.
pub fn example_arguments(schema: &Map<String, Value>, hints: &ExampleHints) -> Map<String, Value> {
    let root = Value::Object(schema.clone());
    let sampler = Sampler { document: SchemaDocument::new(&root), hints };
    match sampler.value(&root, "", DEPTH_LIMIT) {
        Value::Object(arguments) => arguments,
        // Arguments are an object whatever a schema says.
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

struct Sampler<'a> {
    document: SchemaDocument<'a>,
    hints: &'a ExampleHints,
}

impl Sampler<'_> {
    fn value(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let schema = self.document.effective(schema);
        if let Some(given) = given_value(&schema) {
            return given.clone();
        }
        match kind_of(&schema) {
            Kind::Object => self.object(&schema, depth),
            Kind::List => self.list(&schema, name, depth),
            Kind::Text => Value::String(example_text(&schema, name, self.hints)),
            Kind::Number => example_number(&schema),
            Kind::Flag => Value::Bool(false),
            Kind::Null => Value::Null,
        }
    }

    fn object(&self, schema: &Map<String, Value>, depth: usize) -> Value {
        let mut members = Map::new();
        if depth == 0 {
            return Value::Object(members);
        }
        for name in required(schema).take(MAX_MEMBERS) {
            if !members.contains_key(name) {
                let property = schema.get("properties").and_then(|all| all.get(name));
                let value = self.value(property.unwrap_or(&Value::Bool(true)), name, depth - 1);
                members.insert(name.to_owned(), value);
            }
        }
        Value::Object(members)
    }

    /// As many items as the schema wants, else one: an empty list shows nothing.
    fn list(&self, schema: &Map<String, Value>, name: &str, depth: usize) -> Value {
        let limit = |key: &str| {
            let count = schema.get(key).and_then(Value::as_u64);
            count.map(|count| usize::try_from(count).unwrap_or(usize::MAX))
        };
        let most = limit("maxItems").unwrap_or(MAX_ITEMS).min(MAX_ITEMS);
        let count = if depth == 0 { 0 } else { limit("minItems").unwrap_or(0).max(1).min(most) };
        let items = schema.get("items");
        let places = schema.get("prefixItems").or(items).and_then(Value::as_array);
        let item = |at: usize| {
            let place = places.and_then(|places| places.get(at));
            let schema = place.or(items.filter(|items| !items.is_array()));
            self.value(schema.unwrap_or(&Value::Bool(true)), name, depth - 1)
        };
        let mut list: Vec<Value> = (0..count).map(item).collect();
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            make_unique(&mut list, items);
        }
        Value::Array(list)
    }
}

/// A value that the schema itself gives.
fn given_value(schema: &Map<String, Value>) -> Option<&Value> {
    let first = |key: &str| {
        let values = schema.get(key).and_then(Value::as_array)?;
        values.iter().find(|value| !value.is_null()).or(values.first())
    };
    let singles = [schema.get("const"), first("examples"), schema.get("example")];
    let candidates = singles.into_iter().chain([schema.get("default"), first("enum")]);
    candidates.flatten().find(|value| is_usable(schema, value))
}

/// Whether a given value is small, not null where something else is wanted, and has what an object must have.
fn is_usable(schema: &Map<String, Value>, value: &Value) -> bool {
    let fits = match (kind_of(schema), value) {
        (Kind::Object, Value::Object(members)) => {
            required(schema).all(|name| members.contains_key(name))
        }
        (Kind::Null, Value::Null) => true,
        (_, Value::Null) => schema.get("const").is_some(),
        (Kind::Object, _) => false,
        (Kind::List | Kind::Text | Kind::Number | Kind::Flag | Kind::Null, _) => true,
    };
    fits && value.to_string().len() <= MAX_GIVEN
}

fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str)
}

enum Kind {
    Object,
    List,
    Text,
    Number,
    Flag,
    Null,
}

/// The first declared type that is not null; without one, what the keywords speak of.
fn kind_of(schema: &Map<String, Value>) -> Kind {
    let declared = match schema.get("type") {
        Some(Value::String(kind)) => Some(kind.as_str()),
        Some(Value::Array(kinds)) => {
            let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
            kinds.iter().find(|kind| **kind != "null").or(kinds.first()).copied()
        }
        Some(_) | None => None,
    };
    let speaks_of = |keys: &[&str]| keys.iter().any(|key| schema.contains_key(*key));
    match declared {
        Some("object") => Kind::Object,
        Some("array") => Kind::List,
        Some("integer" | "number") => Kind::Number,
        Some("boolean") => Kind::Flag,
        Some("null") => Kind::Null,
        Some("string") => Kind::Text,
        Some(_) | None if speaks_of(&["properties", "required"]) => Kind::Object,
        Some(_) | None if speaks_of(&["items", "prefixItems", "minItems"]) => Kind::List,
        Some(_) | None if speaks_of(&["minimum", "maximum", "multipleOf"]) => Kind::Number,
        Some(_) | None => Kind::Text,
    }
}

/// Repeated items become others of their kind, as far as that is simple: texts get a number, numbers count on, and an
/// enumeration of the items' schema is walked.
fn make_unique(list: &mut [Value], items: Option<&Value>) {
    let members = items.and_then(|items| items.get("enum")).and_then(Value::as_array);
    for at in 1..list.len() {
        if !list[..at].contains(&list[at]) {
            continue;
        }
        let other = match (members, &list[at]) {
            (Some(members), _) => members.get(at).cloned(),
            (None, Value::String(text)) => Some(Value::String(format!("{text}{}", at + 1))),
            (None, Value::Number(number)) => {
                number.as_i64().map(|number| Value::from(number.saturating_add(at as i64)))
            }
            (None, Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) => None,
        };
        if let Some(other) = other {
            list[at] = other;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(schema: Value, expected: Value) {
        let Value::Object(schema) = schema else { panic!("a schema of arguments is an object") };
        let found = example_arguments(&schema, &ExampleHints::default());
        assert_eq!(Value::Object(found), expected);
    }

    fn property(schema: Value, expected: Value) {
        check(
            json!({"type": "object", "required": ["p"], "properties": {"p": schema}}),
            json!({ "p": expected }),
        );
    }

    #[test]
    fn only_required_properties_get_a_value() {
        check(
            json!({"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}}}),
            json!({"b": false}),
        );
        check(json!({"type": "object"}), json!({}));
    }

    #[test]
    fn what_the_schema_gives_comes_first() {
        property(json!({"const": 7, "default": 8}), json!(7));
        property(json!({"type": "string", "examples": ["x"], "default": "y"}), json!("x"));
        property(json!({"type": "string", "default": "y", "enum": ["z", "y"]}), json!("y"));
        property(json!({"enum": [null, "red"]}), json!("red"));
        property(json!({"type": ["null", "integer"], "default": null}), json!(1));
    }

    #[test]
    fn objects_and_lists_are_filled() {
        let item =
            json!({"type": "object", "required": ["n"], "properties": {"n": {"type": "number"}}});
        property(
            json!({"type": "array", "items": item, "minItems": 2}),
            json!([{"n": 1}, {"n": 1}]),
        );
        property(json!({"type": "array", "items": {"type": "integer"}}), json!([1]));
        property(json!({"type": "array", "maxItems": 0}), json!([]));
        property(
            json!({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "uniqueItems": true}),
            json!(["a", "b"]),
        );
        property(
            json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}], "minItems": 2}),
            json!([1, false]),
        );
    }

    #[test]
    fn a_given_object_must_be_whole() {
        property(
            json!({"type": "object", "default": {}, "required": ["a"], "properties": {"a": {"const": 1}}}),
            json!({"a": 1}),
        );
    }

    #[test]
    fn references_are_followed_and_end() {
        check(
            json!({
                "type": "object", "required": ["node"], "properties": {"node": {"$ref": "#/$defs/node"}},
                "$defs": {"node": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
            }),
            json!({"node": {"id": 1}}),
        );
        let endless = json!({"type": "object", "required": ["again"], "properties": {"again": {"$ref": "#"}}});
        let Value::Object(endless) = endless else { return };
        assert!(example_arguments(&endless, &ExampleHints::default()).contains_key("again"));
    }
}
