//! Parts of a schema that are unusable only where an instance reaches them (predicates 9.3, rule 3).
//!
//! The engine refuses a whole schema for one pattern that does not compile or one reference that leads nowhere, though most
//! instances never come there. Such a part is replaced by a keyword of our own that notes when it is reached. What only
//! describes a schema is no reason to refuse it either, and is left out when the engine does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value, json};

/// The keyword that stands for unusable parts: from the type of instance that reaches one to what is wrong with it.
pub(super) const UNUSABLE: &str = "x-howfar-unusable";

/// Keywords whose value is a map of subschemas; in `dependencies` an entry may also be a list of names.
const MAPS: [&str; 6] =
    ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];
/// Keywords whose value is a subschema, or a list of them.
const SUBSCHEMAS: [&str; 15] = [
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "allOf",
    "anyOf",
    "oneOf",
];
/// Whether a value has the JSON type that a keyword asks for.
type IsTyped = fn(&Value) -> bool;

/// Keywords that only describe, with the JSON type that the dialects ask for.
const DESCRIPTIONS: [(&str, IsTyped); 9] = [
    ("title", Value::is_string),
    ("description", Value::is_string),
    ("$comment", Value::is_string),
    ("examples", Value::is_array),
    ("deprecated", Value::is_boolean),
    ("readOnly", Value::is_boolean),
    ("writeOnly", Value::is_boolean),
    ("contentMediaType", Value::is_string),
    ("format", Value::is_string),
];

/// The schema as the engine may take it after all.
pub(super) fn deferred(schema: &Value, compiles: &dyn Fn(&str) -> bool) -> Value {
    let mut taken = schema.clone();
    Walk { root: schema, compiles }.subschema(&mut taken);
    taken
}

struct Walk<'a> {
    root: &'a Value,
    compiles: &'a dyn Fn(&str) -> bool,
}

impl Walk<'_> {
    fn subschema(&self, schema: &mut Value) {
        let Value::Object(members) = schema else { return };
        let mut unusable = Map::new();
        if let Some(broken) = self.broken_reference(members) {
            unusable.insert("any".to_owned(), json!(broken));
            members.shift_remove("$ref");
        }
        if let Some(broken) = self.broken_pattern(members) {
            unusable.insert("string".to_owned(), json!(broken));
            members.shift_remove("pattern");
        }
        if let Some(broken) = self.broken_key_pattern(members) {
            unusable.insert("object".to_owned(), json!(broken));
            members.shift_remove("patternProperties");
        }
        members.retain(|key, value| {
            DESCRIPTIONS.iter().all(|(description, is_typed)| key != description || is_typed(value))
        });
        items_by_place(members);
        for key in MAPS {
            if let Some(Value::Object(named)) = members.get_mut(key) {
                named.values_mut().for_each(|subschema| self.subschema(subschema));
            }
        }
        for key in SUBSCHEMAS {
            match members.get_mut(key) {
                Some(Value::Array(list)) => list.iter_mut().for_each(|it| self.subschema(it)),
                Some(subschema) => self.subschema(subschema),
                None => {}
            }
        }
        if !unusable.is_empty() {
            members.insert(UNUSABLE.to_owned(), Value::Object(unusable));
        }
    }

    /// A reference by pointer that leads nowhere, or to another document; nothing is ever fetched.
    fn broken_reference(&self, members: &Map<String, Value>) -> Option<String> {
        let reference = members.get("$ref")?.as_str()?;
        let leads_somewhere = match reference.strip_prefix('#') {
            Some("") => true,
            Some(pointer) if pointer.starts_with('/') => {
                percent_decoded(pointer).is_none_or(|it| self.root.pointer(&it).is_some())
            }
            Some(_) => true,
            None => !reference.contains("://"),
        };
        (!leads_somewhere).then(|| format!("unresolved reference {reference:?}"))
    }

    fn broken_pattern(&self, members: &Map<String, Value>) -> Option<String> {
        let pattern = members.get("pattern")?.as_str()?;
        (!(self.compiles)(pattern)).then(|| format!("pattern {pattern:?} does not compile"))
    }

    fn broken_key_pattern(&self, members: &Map<String, Value>) -> Option<String> {
        let patterns = members.get("patternProperties")?.as_object()?;
        let broken = patterns.keys().find(|pattern| !(self.compiles)(pattern))?;
        Some(format!("pattern {broken:?} does not compile"))
    }
}

/// Lists under `items`, as older dialects write them, in the words of the newer one.
fn items_by_place(members: &mut Map<String, Value>) {
    if !members.get("items").is_some_and(Value::is_array) || members.contains_key("prefixItems") {
        return;
    }
    if let Some(by_place) = members.shift_remove("items") {
        members.insert("prefixItems".to_owned(), by_place);
    }
    if let Some(rest) = members.shift_remove("additionalItems") {
        members.insert("items".to_owned(), rest);
    }
}

/// The text of a URI fragment; `None` when its escapes are not UTF-8.
fn percent_decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let digit = |at: usize| tail.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (byte, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).ok()?);
                rest = &tail[2..];
            }
            (_, _, _) => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// What was reached in the evaluation that is going on.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Held for one evaluation, so that trials do not see each other's notes.
    turn: Mutex<()>,
    note: Arc<Mutex<Option<String>>>,
}

impl Reached {
    /// Evaluates, and says which unusable part was reached first, if one was.
    pub(super) fn watch<T>(&self, evaluate: impl FnOnce() -> T) -> Result<T, String> {
        let _turn = locked(&self.turn);
        *locked(&self.note) = None;
        let outcome = evaluate();
        let note = locked(&self.note).take();
        note.map_or(Ok(outcome), Err)
    }

    /// The keyword for one place of the schema.
    pub(super) fn keyword(&self, value: &Value) -> UnusablePart {
        let parts = value.as_object().cloned().unwrap_or_default();
        UnusablePart { parts, note: Arc::clone(&self.note) }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A note is written whole, so that a panic elsewhere leaves none half-made.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The unusable parts at one place of the schema.
pub(super) struct UnusablePart {
    parts: Map<String, Value>,
    note: Arc<Mutex<Option<String>>>,
}

impl UnusablePart {
    fn reached_by(&self, instance: &Value) -> Option<&str> {
        let of_type = match instance {
            Value::String(_) => "string",
            Value::Object(_) => "object",
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => "any",
        };
        self.parts.get("any").or_else(|| self.parts.get(of_type))?.as_str()
    }
}

impl<'i> Keyword<'i> for UnusablePart {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            return Ok(());
        }
        Err(ValidationError::custom("this part of the schema is unusable"))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let Some(what) = self.reached_by(instance) else { return true };
        locked(&self.note).get_or_insert_with(|| what.to_owned());
        false
    }
}
