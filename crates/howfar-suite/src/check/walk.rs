//! The walker.

use howfar_wire::canon;
use howfar_wire::finding::{Finding, PathSegment, Warning, pointer};
use howfar_wire::vocabulary::{Dialect, FindingClass, FindingCode, WarningClass};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::shape::{Field, ListRule, ObjectRule, Shape, TaggedRule, TextRule, Unit, WordRule};
use super::words::{
    bool_words, cross_dialect, in_words, list_words, number_words, out_of_range, shape_words,
    too_short, unknown_key,
};
use crate::suggest;
use crate::yaml::{Child, Content, Document, Entry, Scalar};

/// Walks a document along the tables and collects findings.
pub(super) struct Checker<'d> {
    pub(super) document: &'d Document,
    pub(super) dialect: Dialect,
    pub(super) path: Vec<PathSegment>,
    pub(super) findings: Vec<Finding>,
    pub(super) warnings: Vec<Warning>,
}

/// The most unknown keys that one message explains; the finding lists all of them.
const MAX_KEYS_SAID: usize = 5;

/// How many items beyond a list's bound are still looked into: the list is refused anyway.
const ITEMS_BEYOND_BOUND: usize = 1000;

/// How keys begin that `serde_json` reads as something else than a key.
const JSON_LIBRARY_KEYS: &str = "$serde_json::private::";

impl<'d> Checker<'d> {
    pub(super) const fn new(document: &'d Document, dialect: Dialect) -> Self {
        Self { document, dialect, path: Vec::new(), findings: Vec::new(), warnings: Vec::new() }
    }

    /// Checks a value against a shape. `None` means that a finding says why; an object or a list comes back with its
    /// well-formed parts.
    pub(super) fn value(&mut self, child: Child, shape: Shape) -> Option<Value> {
        match shape {
            Shape::Text(rule) => self.text(child, &rule),
            Shape::Bool => match self.document.content(child) {
                Content::Scalar(Scalar::Bool(value)) => Some(Value::Bool(*value)),
                found => self.wrong_type(found, bool_words(found)),
            },
            Shape::Whole { min, max } => self.number(child, min, max, true),
            Shape::Number { min, max } => self.number(child, min, max, false),
            Shape::Word(rule) => self.word(child, rule),
            Shape::List(rule) => self.list(child, rule),
            Shape::Object(rule) => self.object(child, rule),
            Shape::Tagged(rule) => self.tagged(child, rule),
            Shape::NullOr(shape) => match self.document.content(child) {
                Content::Scalar(Scalar::Null) => Some(Value::Null),
                _ => self.value(child, *shape),
            },
            Shape::OpenObject { max_units } => self.open_object(child, max_units),
            Shape::Special(rule) => rule(self, child),
        }
    }

    /// The members of a value, if it is an object.
    pub(super) fn members(&self, child: Child) -> Option<&'d IndexMap<String, Entry>> {
        match self.document.content(child) {
            Content::Object(members) => Some(members),
            Content::Scalar(_) | Content::List(_) => None,
        }
    }

    /// Whether a value is an object with this key.
    pub(super) fn has(&self, child: Child, key: &str) -> bool {
        self.members(child).is_some_and(|members| members.contains_key(key))
    }

    /// Reports at the current path.
    pub(super) fn report(&mut self, class: FindingClass, message: impl Into<String>) {
        self.report_keys(class, message.into(), Vec::new());
    }

    /// Reports at a place below the current path.
    pub(super) fn report_at<const N: usize>(
        &mut self,
        below: [PathSegment; N],
        class: FindingClass,
        message: impl Into<String>,
    ) {
        let depth = self.path.len();
        self.path.extend(below);
        self.report(class, message);
        self.path.truncate(depth);
    }

    /// Warns at the current path.
    pub(super) fn warn(&mut self, class: WarningClass, message: String, keys: Vec<String>) {
        let (path, pointer) = (self.path.clone(), pointer(&self.path));
        self.warnings.push(Warning { class, path, pointer, message, keys, location: None });
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong_type(&mut self, found: &Content, wanted: &str) -> Option<Value> {
        let found = in_words(found);
        self.report(FindingClass::WrongType, format!("is {found}, and must be {wanted}"));
        None
    }

    /// Checks a value one step below the current path.
    pub(super) fn below(
        &mut self,
        segment: impl Into<PathSegment>,
        child: Child,
        shape: Shape,
    ) -> Option<Value> {
        self.path.push(segment.into());
        let value = self.value(child, shape);
        self.path.pop();
        value
    }

    /// Any JSON value. Numbers that JSON cannot say are refused, and so are the keys that the JSON library gives a
    /// meaning of its own: documents that hold them could not be read back.
    pub(super) fn json(&mut self, child: Child) -> Option<Value> {
        match self.document.content(child) {
            Content::Scalar(Scalar::Null) => Some(Value::Null),
            Content::Scalar(Scalar::Bool(value)) => Some(Value::Bool(*value)),
            Content::Scalar(Scalar::Text(text)) => Some(Value::String(text.clone())),
            found @ Content::Scalar(Scalar::Number(value)) => {
                match crate::yaml::json_number(*value) {
                    Some(number) => Some(Value::Number(number)),
                    None => self.wrong_type(found, "a finite number"),
                }
            }
            Content::List(items) => {
                let item = |(at, item): (usize, &Child)| {
                    self.path.push(at.into());
                    let value = self.json(*item);
                    self.path.pop();
                    value
                };
                let items: Vec<Option<Value>> = items.iter().enumerate().map(item).collect();
                items.into_iter().collect::<Option<Vec<_>>>().map(Value::Array)
            }
            Content::Object(members) => {
                let member = |(key, entry): (&String, &Entry)| {
                    self.path.push(key.as_str().into());
                    if key.starts_with(JSON_LIBRARY_KEYS) {
                        self.report(FindingClass::BadFormat, "is a reserved name; rename the key");
                    }
                    let value = self.json(entry.value);
                    self.path.pop();
                    value.map(|value| (key.clone(), value))
                };
                let members: Vec<Option<(String, Value)>> = members.iter().map(member).collect();
                members.into_iter().collect::<Option<Map<_, _>>>().map(Value::Object)
            }
        }
    }

    fn report_keys(&mut self, class: FindingClass, message: String, keys: Vec<String>) {
        let (path, pointer) = (self.path.clone(), pointer(&self.path));
        let code = FindingCode::Invalid;
        self.findings.push(Finding { code, class, path, pointer, message, keys, location: None });
    }

    fn text(&mut self, child: Child, rule: &TextRule) -> Option<Value> {
        let text = match self.document.content(child) {
            Content::Scalar(Scalar::Text(text)) => text.as_str(),
            found @ Content::Scalar(Scalar::Number(_) | Scalar::Bool(_)) => {
                return self.wrong_type(found, "text; put it in quotes");
            }
            found => return self.wrong_type(found, "text"),
        };
        let before = self.findings.len();
        let kept = if rule.trimmed { canon::es_trim(text) } else { text };
        if rule.no_blank && !text.is_empty() && canon::is_blank(text) {
            self.report(FindingClass::BlankText, "holds only white space; write a text");
            return None;
        }
        let length = match rule.unit {
            Unit::Utf16 => canon::utf16_len(kept),
            Unit::CodePoints => kept.chars().count(),
        };
        if length < rule.min {
            self.report(FindingClass::TooShort, too_short(length, rule.min));
        }
        if let Some(max) = rule.max.filter(|&max| length > max) {
            let message = format!("is {length} characters long; at most {max} are allowed");
            self.report(FindingClass::TooLong, message);
        }
        if let Some(format) = rule.format.filter(|format| !(format.holds)(kept)) {
            self.report(format.class, format.message);
        }
        (self.findings.len() == before).then(|| Value::String(kept.to_owned()))
    }

    fn number(&mut self, child: Child, min: f64, max: f64, whole: bool) -> Option<Value> {
        let wanted = if whole { "a whole number" } else { "a number" };
        let value = match self.document.content(child) {
            Content::Scalar(Scalar::Number(value)) => *value,
            found @ Content::Scalar(Scalar::Text(text)) if text.parse::<f64>().is_ok() => {
                return self.wrong_type(found, &format!("{wanted}; remove the quotes"));
            }
            found => return self.wrong_type(found, wanted),
        };
        if !value.is_finite() || (whole && value.fract() != 0.0) {
            let found = number_words(value);
            self.report(FindingClass::WrongType, format!("is {found}, and must be {wanted}"));
            return None;
        }
        if value < min || value > max {
            self.report(FindingClass::OutOfRange, out_of_range(value, min, max));
            return None;
        }
        crate::yaml::json_number(value).map(Value::Number)
    }

    fn word(&mut self, child: Child, rule: &WordRule) -> Option<Value> {
        let text = match self.document.content(child) {
            Content::Scalar(Scalar::Text(text)) => text.as_str(),
            found => {
                let wanted = format!("one of {}", list_words(rule.members));
                return self.wrong_type(found, &wanted);
            }
        };
        if rule.members.contains(&text) {
            return Some(Value::String(text.to_owned()));
        }
        let members = list_words(rule.members);
        if rule.reserved.contains(&text) {
            let message = format!(
                "`{text}` is reserved for a later version and does nothing yet; write {members}"
            );
            self.report(FindingClass::ReservedValue, message);
        } else {
            let hint = suggest::did_you_mean(text, rule.members.iter().copied());
            let message = if rule.members.len() > 8 && !hint.is_empty() {
                format!("`{text}` is not known here{hint}")
            } else {
                format!("`{text}` is not one of {members}{hint}")
            };
            self.report(FindingClass::WrongValue, message);
        }
        None
    }

    fn list(&mut self, child: Child, rule: &ListRule) -> Option<Value> {
        let items = match self.document.content(child) {
            Content::List(items) => items,
            found @ (Content::Scalar(_) | Content::Object(_)) => {
                return self.wrong_type(found, &format!("a list of {}", rule.of));
            }
        };
        let count = items.len();
        if count < rule.min {
            let message = format!("holds no {}; write at least {}", rule.of, rule.min);
            self.report(FindingClass::TooFew, message);
        }
        if let Some(max) = rule.max.filter(|&max| count > max) {
            let message = format!("has {count} entries; at most {max} {} are allowed", rule.of);
            self.report(FindingClass::TooMany, message);
        }
        let mut values = Vec::with_capacity(count);
        let looked_into = rule.max.map_or(count, |max| max + ITEMS_BEYOND_BOUND);
        for (at, item) in items.iter().take(looked_into).enumerate() {
            values.push(self.below(at, *item, rule.item).unwrap_or_default());
        }
        if let Some(after) = rule.after {
            after(self, child, &values);
        }
        Some(Value::Array(values))
    }

    /// Checks an object against its table.
    pub(super) fn object(&mut self, child: Child, rule: &ObjectRule) -> Option<Value> {
        let members = match self.document.content(child) {
            Content::Object(members) => members,
            found @ (Content::Scalar(_) | Content::List(_)) => {
                return self.wrong_type(found, &format!("an object ({})", rule.name));
            }
        };
        self.unknown_keys(members, rule);
        let mut known = Map::new();
        for (key, entry) in members {
            let field = rule.all_fields().find(|it| it.name == key && it.is_in(self.dialect));
            if let Some(field) = field
                && let Some(value) = self.below(key.as_str(), entry.value, field.shape)
            {
                known.insert(key.clone(), value);
            }
        }
        let dialect = self.dialect;
        let absent = |field: &&Field| {
            field.required && field.is_in(dialect) && !members.contains_key(field.name)
        };
        for field in rule.all_fields().filter(absent) {
            let message = format!("is missing; {} needs {}", rule.name, shape_words(field.shape));
            self.report_at([field.name.into()], FindingClass::MissingField, message);
        }
        if let Some(after) = rule.after {
            after(self, child, &known);
        }
        Some(Value::Object(known))
    }

    fn tagged(&mut self, child: Child, rule: &TaggedRule) -> Option<Value> {
        let Some(members) = self.members(child) else {
            let found = self.document.content(child);
            return self.wrong_type(found, &format!("an object with `{}`", rule.tag));
        };
        let Some(tag) = members.get(rule.tag) else {
            self.report_at([rule.tag.into()], FindingClass::MissingField, rule.missing);
            return None;
        };
        let found = self.document.content(tag.value);
        let Content::Scalar(Scalar::Text(word)) = found else {
            self.path.push(rule.tag.into());
            let answer = self.wrong_type(found, "text");
            self.path.pop();
            return answer;
        };
        if let Some((_, variant)) = rule.variants.iter().find(|(name, _)| name == word) {
            return self.object(child, variant);
        }
        let names = rule.variants.iter().map(|(name, _)| *name);
        let hint = suggest::did_you_mean(word, names.clone());
        let known = if rule.variants.len() <= 8 {
            format!("; known are {}", list_words(&names.collect::<Vec<_>>()))
        } else {
            String::new()
        };
        let message = format!("`{word}` is not a known {}{hint}{known}", rule.family);
        self.report_at([rule.tag.into()], FindingClass::WrongValue, message);
        None
    }

    fn open_object(&mut self, child: Child, max_units: Option<usize>) -> Option<Value> {
        let found = self.document.content(child);
        if !matches!(found, Content::Object(_)) {
            return self.wrong_type(found, "an object");
        }
        let value = self.json(child)?;
        let units = max_units.map_or(0, |_| canon::utf16_len(&canon::stringify(&value)));
        if let Some(max) = max_units.filter(|&max| units > max) {
            let message = format!("is {units} characters of JSON; at most {max} are allowed");
            self.report(FindingClass::TooLong, message);
            return None;
        }
        Some(value)
    }

    /// Keys that the table does not declare: dropped with a warning where the object is open, refused where it is
    /// closed. A word of the other dialect is told apart.
    fn unknown_keys(&mut self, members: &IndexMap<String, Entry>, rule: &ObjectRule) {
        let mut unknown = Vec::new();
        let mut foreign = Vec::new();
        for key in members.keys() {
            match rule.all_fields().find(|field| field.name == key) {
                Some(field) if field.is_in(self.dialect) => {}
                Some(Field { only: Some((owner, instead)), .. }) => {
                    foreign.push((key.clone(), *owner, *instead));
                }
                Some(_) | None => unknown.push(key.clone()),
            }
        }
        if !foreign.is_empty() {
            let message = foreign.iter().map(|it| cross_dialect(it, self.dialect));
            let message = message.collect::<Vec<_>>().join("; ");
            let keys = foreign.into_iter().map(|(key, _, _)| key).collect();
            self.report_keys(FindingClass::CrossDialectField, message, keys);
        }
        if unknown.is_empty() {
            return;
        }
        let fields = || rule.all_fields().filter(|field| field.is_in(self.dialect));
        let said = unknown.iter().take(MAX_KEYS_SAID);
        let said = said.map(|key| unknown_key(key, rule.name, fields().map(|it| it.name)));
        let mut message = said.collect::<Vec<_>>().join("; ");
        if unknown.len() > MAX_KEYS_SAID {
            message.push_str(&format!("; and {} more", unknown.len() - MAX_KEYS_SAID));
        }
        if rule.open {
            let message = format!("{message}; it is dropped");
            self.warn(WarningClass::UnknownPredicateKey, message, unknown);
        } else {
            self.report_keys(FindingClass::UnknownField, message, unknown);
        }
    }
}
