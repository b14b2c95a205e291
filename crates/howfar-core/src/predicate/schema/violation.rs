//! Violations in the words and the order of the specification.
//!
//! Units that only say that something below them failed (`allOf`, `$ref`, `items`, `if`) are left out: the engine does
//! not report them, and what failed below says more.

use howfar_wire::canon::{number_text, stringify};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

/// One violation of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The bucket of the violated keyword.
    pub class: ViolationClass,
    /// The place in the instance: a pointer that starts with `#`, URI-encoded.
    pub at: String,
    /// What is wrong there.
    pub message: String,
}

/// The bucket of a violated keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViolationClass {
    /// `required`.
    MissingRequired,
    /// `type`.
    WrongType,
    /// `enum` and `const`.
    BadEnum,
    /// `additionalProperties` and `unevaluatedProperties`.
    HallucinatedParam,
    /// Every other keyword.
    Other,
}

impl ViolationClass {
    /// The spelling in reasons.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingRequired => "missing-required",
            Self::WrongType => "wrong-type",
            Self::BadEnum => "bad-enum",
            Self::HallucinatedParam => "hallucinated-param",
            Self::Other => "other",
        }
    }

    fn of(kind: &ValidationErrorKind) -> Self {
        match kind.keyword() {
            "required" => Self::MissingRequired,
            "type" => Self::WrongType,
            "enum" | "const" => Self::BadEnum,
            "additionalProperties" | "unevaluatedProperties" => Self::HallucinatedParam,
            _ => Self::Other,
        }
    }
}

/// The engine's errors as violations, in the order of the keyword table; the branches of `anyOf` and `oneOf` follow
/// their own violation.
pub(super) fn ordered<'i>(
    schema: &Value,
    instance: &Value,
    errors: impl Iterator<Item = ValidationError<'i>>,
) -> Vec<Violation> {
    let errors: Vec<_> = errors.collect();
    let mut report = Report { schema, instance, found: Vec::new() };
    report.add_sorted(&errors);
    // A false schema only says that something is there; what forbids it says more.
    let says_more = |(is_false, _): &(bool, Violation)| !is_false;
    if report.found.iter().any(says_more) {
        report.found.retain(says_more);
    }
    report.found.into_iter().map(|(_, violation)| violation).collect()
}

struct Report<'a> {
    schema: &'a Value,
    instance: &'a Value,
    /// Violations, each with whether it is one of a false schema.
    found: Vec<(bool, Violation)>,
}

impl Report<'_> {
    fn add_sorted(&mut self, errors: &[ValidationError<'_>]) {
        let mut errors: Vec<_> = errors
            .iter()
            .map(|error| (rank(self.schema, error.schema_path().as_str()), error))
            .collect();
        errors.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (_, error) in errors {
            self.add(error);
        }
    }

    fn add(&mut self, error: &ValidationError<'_>) {
        let pointer = error.instance_path().as_str();
        let at = fragment(pointer);
        let instance = self.instance.pointer(pointer).unwrap_or(&Value::Null);
        let is_false = matches!(error.kind(), ValidationErrorKind::FalseSchema);
        let (class, messages) = match closed_object_keys(error, instance) {
            Some(keys) => (ViolationClass::HallucinatedParam, additional_properties(&keys)),
            None => (ViolationClass::of(error.kind()), self.messages(error, instance)),
        };
        let is_false = is_false && class == ViolationClass::Other;
        let violations =
            messages.into_iter().map(|message| Violation { class, at: at.clone(), message });
        self.found.extend(violations.map(|violation| (is_false, violation)));
        let branches = match error.kind() {
            ValidationErrorKind::AnyOf { context }
            | ValidationErrorKind::OneOfNotValid { context } => context.as_slice(),
            _ => &[],
        };
        for branch in branches {
            self.add_sorted(branch);
        }
    }

    /// What is wrong, once per property where a keyword names several.
    fn messages(&self, error: &ValidationError<'_>, instance: &Value) -> Vec<String> {
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                additional_properties(unexpected)
            }
            ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
                .iter()
                .map(|key| {
                    format!("Property \"{key}\" does not match unevaluated properties schema.")
                })
                .collect(),
            ValidationErrorKind::Type { kind } => {
                let declared = self.schema.pointer(error.schema_path().as_str());
                vec![wrong_type(&expected_types(declared, kind), instance)]
            }
            other => vec![message(other, instance)],
        }
    }
}

/// The keys of an object that `additionalProperties: false` closes without declaring any property; the engine reports
/// them as one false schema.
fn closed_object_keys(error: &ValidationError<'_>, instance: &Value) -> Option<Vec<String>> {
    let closed = matches!(error.kind(), ValidationErrorKind::FalseSchema)
        && error.schema_path().as_str().ends_with("/additionalProperties");
    instance.as_object().filter(|_| closed).map(|object| object.keys().cloned().collect())
}

/// Keywords in the order in which they are looked at.
const KEYWORD_ORDER: [&str; 38] = [
    "$ref",
    "type",
    "const",
    "enum",
    "not",
    "anyOf",
    "allOf",
    "oneOf",
    "if",
    "then",
    "else",
    "required",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "maxItems",
    "minItems",
    "prefixItems",
    "items",
    "additionalItems",
    "contains",
    "unevaluatedItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
];

/// Keywords whose members are named by the author, not by the table.
const NAMED_MEMBERS: [&str; 6] =
    ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];

/// The position of a keyword location: each keyword by the table, each member below one by its place in the schema.
fn rank(schema: &Value, location: &str) -> Vec<usize> {
    let mut at = Some(schema);
    let mut is_member = false;
    let mut ranks = Vec::new();
    for token in location.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        let place = match at {
            Some(Value::Array(_)) => token.parse().ok(),
            Some(Value::Object(object)) if is_member => object.keys().position(|key| *key == token),
            Some(_) | None => KEYWORD_ORDER.iter().position(|keyword| *keyword == token),
        };
        ranks.push(place.unwrap_or(KEYWORD_ORDER.len()));
        is_member = !is_member && NAMED_MEMBERS.contains(&token.as_str());
        at = at.and_then(|value| match value {
            Value::Object(object) => object.get(&token),
            Value::Array(items) => token.parse::<usize>().ok().and_then(|index| items.get(index)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        });
    }
    ranks
}

/// A pointer as a URI fragment.
fn fragment(pointer: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::from("#");
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b";,/?:@&=+$-_.!~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn additional_properties(keys: &[String]) -> Vec<String> {
    keys.iter()
        .map(|key| format!("Property \"{key}\" does not match additional properties schema."))
        .collect()
}

fn message(kind: &ValidationErrorKind, instance: &Value) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::FalseSchema => "False boolean schema.".to_owned(),
        Kind::Type { kind } => wrong_type(&expected_types(None, kind), instance),
        Kind::Constant { expected_value } => {
            format!("Instance does not match {}.", stringify(expected_value))
        }
        Kind::Enum { options } => {
            format!("Instance does not match any of {}.", stringify(options))
        }
        Kind::Not { .. } => "Instance matched \"not\" schema.".to_owned(),
        Kind::AnyOf { .. } => "Instance does not match any subschemas.".to_owned(),
        Kind::OneOfNotValid { .. } => one_of(0),
        Kind::OneOfMultipleValid { context } => {
            one_of(context.iter().filter(|branch| branch.is_empty()).count())
        }
        Kind::Required { property } => {
            let property = property.as_str().unwrap_or_default();
            format!("Instance does not have required property \"{property}\".")
        }
        Kind::MinProperties { limit } | Kind::MaxProperties { limit } => {
            format!("Instance does not have at least {limit} properties.")
        }
        Kind::MaxItems { limit } => {
            format!("Array has too many items ({} > {limit}).", len(instance))
        }
        Kind::MinItems { limit } => {
            format!("Array has too few items ({} < {limit}).", len(instance))
        }
        Kind::AdditionalItems { .. } => "Items did not match additional items schema.".to_owned(),
        Kind::Contains => contains(instance),
        Kind::Minimum { limit } => compared(instance, "less than", limit),
        Kind::Maximum { limit } => compared(instance, "greater than", limit),
        Kind::ExclusiveMinimum { limit } => compared(instance, "less than", limit),
        Kind::ExclusiveMaximum { limit } => compared(instance, "greater than or equal to", limit),
        Kind::MultipleOf { multiple_of } => {
            compared(instance, "not a multiple of", &Value::from(*multiple_of))
        }
        Kind::MinLength { limit } => format!("String is too short ({} < {limit}).", len(instance)),
        Kind::MaxLength { limit } => format!("String is too long ({} > {limit}).", len(instance)),
        Kind::Pattern { .. } => "String does not match pattern.".to_owned(),
        Kind::Format { format } => format!("String does not match format \"{format}\"."),
        other => format!("Instance does not match \"{}\".", other.keyword()),
    }
}

/// The types as declared, else as the engine sorts them.
fn expected_types(declared: Option<&Value>, kind: &TypeKind) -> Vec<String> {
    if let Some(Value::Array(declared)) = declared {
        return declared.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    match kind {
        TypeKind::Single(expected) => vec![expected.to_string()],
        TypeKind::Multiple(set) => set.iter().map(|expected| expected.to_string()).collect(),
    }
}

fn wrong_type(expected: &[String], instance: &Value) -> String {
    let found = match instance {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    format!("Instance type \"{found}\" is invalid. Expected \"{}\".", expected.join("\", \""))
}

fn one_of(matches: usize) -> String {
    format!("Instance does not match exactly one subschema ({matches} matches).")
}

fn contains(instance: &Value) -> String {
    match instance.as_array() {
        Some(items) if items.is_empty() => {
            "Array is empty. It must contain at least one item matching the schema.".to_owned()
        }
        Some(_) | None => "Array does not contain item matching schema.".to_owned(),
    }
}

fn compared(instance: &Value, relation: &str, limit: &Value) -> String {
    format!("{} is {relation} {}.", number(instance), number(limit))
}

fn number(value: &Value) -> String {
    value.as_number().map_or_else(|| stringify(value), number_text)
}

/// Items of an array, or code points of a string.
fn len(instance: &Value) -> usize {
    match instance {
        Value::Array(items) => items.len(),
        Value::String(text) => text.chars().count(),
        Value::Object(object) => object.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
