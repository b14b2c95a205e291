//! JSON Schema validation of arguments and results (predicates 9.3).
//!
//! Two dialects are carried: draft 2020-12, also for schemas that declare none, and draft-07. References are resolved
//! inside the schema only; nothing is ever fetched.

mod deferred;
mod violation;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use howfar_wire::canon::canonical;
use jsonschema::{Draft, PatternOptions, ValidationOptions, Validator};
use serde_json::{Value, json};

use self::deferred::{Reached, UNUSABLE, deferred};

pub use violation::{Violation, ViolationClass};

/// The work limit of one `pattern`. Running out counts as a violation.
const BACKTRACK_LIMIT: usize = 1_000_000;

/// Why a schema validates nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The schema declares a dialect that this validator does not carry.
    #[error("dialect \"{0}\" is not carried")]
    UnsupportedDialect(String),
    /// The schema cannot be used, with the engine's text.
    #[error("{0}")]
    Unusable(String),
}

/// A schema that was compiled once.
#[derive(Debug)]
pub struct CompiledSchema {
    schema: Value,
    validator: Validator,
    /// Set when parts of the schema are unusable where an instance reaches them.
    reached: Option<Arc<Reached>>,
}

impl CompiledSchema {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// [`SchemaError`] when the dialect is unknown, or when the schema is neither an object nor a boolean or has a keyword
    /// that no evaluation could use.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        let mut schema = schema.clone();
        let draft = match &mut schema {
            Value::Bool(_) => Draft::Draft202012,
            Value::Object(object) => {
                let draft = draft_of(object.get("$schema"))?;
                // The dialect is settled; an odd spelling of its address must not be looked up again.
                object.shift_remove("$schema");
                draft
            }
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                let message = "schema must be an object or a boolean".to_owned();
                return Err(SchemaError::Unusable(message));
            }
        };
        match options(draft).build(&schema) {
            Ok(validator) => Ok(Self { schema, validator, reached: None }),
            Err(error) => Self::deferring(&schema, draft)
                .ok_or_else(|| SchemaError::Unusable(error.to_string())),
        }
    }

    /// Compiles a schema that the engine refused, without the parts that it cannot take; `None` when it refuses the rest
    /// too.
    fn deferring(schema: &Value, draft: Draft) -> Option<Self> {
        let compiles = |pattern: &str| options(draft).build(&json!({"pattern": pattern})).is_ok();
        let schema = deferred(schema, &compiles);
        let reached = Arc::new(Reached::default());
        let of_keyword = Arc::clone(&reached);
        let options = options(draft)
            .with_keyword(UNUSABLE, move |_, value, _| Ok(Box::new(of_keyword.keyword(value))));
        let validator = options.build(&schema).ok()?;
        Some(Self { schema, validator, reached: Some(reached) })
    }

    /// Every violation of an instance, in the order of the specification's keyword table; empty when it is valid.
    ///
    /// # Errors
    ///
    /// [`SchemaError::Unusable`] when the instance reaches a pattern that does not compile or a reference that leads
    /// nowhere.
    pub fn violations(&self, instance: &Value) -> Result<Vec<Violation>, SchemaError> {
        match &self.reached {
            None => Ok(self.found(instance)),
            Some(reached) => reached.watch(|| self.found(instance)).map_err(SchemaError::Unusable),
        }
    }

    fn found(&self, instance: &Value) -> Vec<Violation> {
        if self.validator.is_valid(instance) {
            return Vec::new();
        }
        violation::ordered(&self.schema, instance, self.validator.iter_errors(instance))
    }
}

fn options(draft: Draft) -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(draft)
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .offline()
}

fn draft_of(declared: Option<&Value>) -> Result<Draft, SchemaError> {
    let Some(declared) = declared.and_then(Value::as_str) else { return Ok(Draft::Draft202012) };
    let dialect = declared.strip_suffix('#').unwrap_or(declared);
    match dialect.strip_prefix("https://").or_else(|| dialect.strip_prefix("http://")) {
        Some("json-schema.org/draft/2020-12/schema") => Ok(Draft::Draft202012),
        Some("json-schema.org/draft-07/schema") => Ok(Draft::Draft7),
        Some(_) | None => Err(SchemaError::UnsupportedDialect(dialect.to_owned())),
    }
}

/// What compiling a schema gave, shared between evaluations.
pub(crate) type SharedSchema = Arc<Result<CompiledSchema, SchemaError>>;

/// Compiled schemas by their canonical text, so that no schema of a catalog is compiled twice in a run.
#[derive(Debug, Default)]
pub(crate) struct SchemaCache {
    compiled: Mutex<HashMap<String, SharedSchema>>,
}

impl SchemaCache {
    /// The compiled form of a schema.
    pub(crate) fn compiled(&self, schema: &Value) -> SharedSchema {
        let key = canonical(schema);
        // A panic while the lock was held cannot leave a half-made entry: entries are inserted whole.
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = compiled.entry(key).or_insert_with(|| Arc::new(CompiledSchema::new(schema)));
        Arc::clone(shared)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn violations(schema: Value, instance: Value) -> Vec<Violation> {
        let found = CompiledSchema::new(&schema).expect("compiles").violations(&instance);
        found.expect("nothing unusable is reached")
    }

    fn is_unusable(schema: Value, instance: Value) -> bool {
        CompiledSchema::new(&schema).and_then(|schema| schema.violations(&instance)).is_err()
    }

    #[test]
    fn only_two_dialects_are_carried() {
        let refused = CompiledSchema::new(&json!({"$schema": "urn:x#"})).expect_err("refused");
        assert_eq!(refused, SchemaError::UnsupportedDialect("urn:x".to_owned()));
        assert!(CompiledSchema::new(&json!({"$schema": 5})).is_ok());
    }

    #[test]
    fn a_schema_is_an_object_or_a_boolean() {
        let refused = CompiledSchema::new(&json!("x")).expect_err("refused");
        assert_eq!(refused.to_string(), "schema must be an object or a boolean");
    }

    #[test]
    fn unresolved_references_and_bad_patterns_are_unusable() {
        assert!(is_unusable(json!({"$ref": "#/nope"}), json!(1)));
        assert!(is_unusable(json!({"not": {"pattern": "("}}), json!("x")));
        assert!(is_unusable(json!({"patternProperties": {"(": {}}}), json!({"a": 1})));
    }

    #[test]
    fn an_unusable_part_that_is_not_reached_does_no_harm() {
        let properties = json!({"a": {"pattern": "("}, "b": {"$ref": "#/nope"}});
        let schema = json!({"properties": properties, "required": ["c"]});
        assert!(is_unusable(schema.clone(), json!({"a": "x"})));
        assert_eq!(violations(schema.clone(), json!({"a": 1, "c": 1})), []);
        assert_eq!(violations(schema, json!({"a": 1})).len(), 1);
    }

    #[test]
    fn a_description_of_a_wrong_type_refuses_no_schema() {
        let schema =
            json!({"title": null, "properties": {"a": {"description": 5, "type": "string"}}});
        assert_eq!(violations(schema, json!({"a": 1})).len(), 1);
    }

    #[test]
    fn a_list_of_items_is_read_in_both_dialects() {
        let schema = json!({"items": [{"type": "string"}], "additionalItems": false});
        assert_eq!(violations(schema.clone(), json!(["a"])), []);
        assert_eq!(violations(schema.clone(), json!([1])).len(), 1);
        assert_eq!(violations(schema, json!(["a", "b"])).len(), 1);
    }

    #[test]
    fn violations_follow_the_keyword_table() {
        let schema = json!({
            "properties": {"b": {"type": "string"}, "a": {"type": "string"}},
            "required": ["c"],
            "type": "object",
        });
        let found = violations(schema, json!({"a": 1, "b": 2}));
        let places: Vec<&str> = found.iter().map(|violation| violation.at.as_str()).collect();
        assert_eq!(places, ["#", "#/b", "#/a"]);
        assert_eq!(found[0].class, ViolationClass::MissingRequired);
    }

    #[test]
    fn a_property_may_be_named_like_a_keyword() {
        let properties = json!({"items": {"type": "string"}, "type": {"type": "string"}});
        let found = violations(json!({"properties": properties}), json!({"type": 1, "items": 2}));
        let places: Vec<&str> = found.iter().map(|violation| violation.at.as_str()).collect();
        assert_eq!(places, ["#/items", "#/type"]);
    }

    #[test]
    fn a_false_schema_is_named_only_when_nothing_else_is() {
        let forbidden = json!({"properties": {"a": false}});
        assert_eq!(
            violations(forbidden.clone(), json!({"a": 1}))[0].message,
            "False boolean schema."
        );
        let schema = json!({"allOf": [forbidden, {"required": ["b"]}]});
        let found = violations(schema, json!({"a": 1}));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].class, ViolationClass::MissingRequired);
    }

    #[test]
    fn types_are_listed_as_declared() {
        let found = violations(json!({"type": ["string", "null"]}), json!(1));
        assert_eq!(
            found[0].message,
            "Instance type \"number\" is invalid. Expected \"string\", \"null\"."
        );
    }

    #[test]
    fn a_cache_compiles_a_schema_once() {
        let cache = SchemaCache::default();
        let first = cache.compiled(&json!({"type": "object", "title": "t"}));
        let second = cache.compiled(&json!({"title": "t", "type": "object"}));
        assert!(Arc::ptr_eq(&first, &second));
    }
}
