//! What `toolInputMatches` and `toolResultMatches` share: the rule, the tally and the verdict (predicates 7.2).

use std::borrow::Cow;

use howfar_suite::pattern::{
    FLAGS, MAX_PATTERN_LENGTH, MAX_PATTERNS, MatchBounds, Re2Pattern, path_key,
};
use howfar_wire::canon::{canonical, utf16_len};
use serde_json::{Map, Value};

use super::fields::Fields;
use super::outcome::Outcome;
use crate::number::integer_at_least;

/// The longest subject, in UTF-16 code units. A longer one is never matched in part.
const MAX_SUBJECT: usize = 100_000;

/// An authored pattern with its compiled form.
#[derive(Debug)]
pub(super) struct AuthoredPattern {
    pub(super) text: String,
    compiled: Re2Pattern,
}

/// The rule of a pattern kind, its tool name aside.
#[derive(Debug)]
pub(super) struct PatternRule {
    pub(super) patterns: Vec<AuthoredPattern>,
    pub(super) flags: String,
    /// The top-level key that is matched; absent when the whole unit is.
    pub(super) key: Option<String>,
    pub(super) bounds: MatchBounds,
}

impl PatternRule {
    /// Reads a rule. What is wrong with it is an error row: the check blames no server.
    pub(super) fn read(
        kind: &str,
        unit: &'static str,
        fields: Fields<'_>,
    ) -> Result<Self, Outcome> {
        let texts = pattern_texts(kind, fields.get("patterns"))?;
        let flags = flags(kind, fields.get("flags"))?;
        let key = key(kind, fields.get("path"))?;
        let bounds = bounds(kind, unit, fields)?;
        let patterns = texts
            .into_iter()
            .enumerate()
            .map(|(at, text)| match Re2Pattern::new(text, flags) {
                Ok(compiled) => Ok(AuthoredPattern { text: text.to_owned(), compiled }),
                Err(error) => Err(Outcome::error(format!(
                    "{kind} pattern {} does not compile in re2js: {error}",
                    at + 1
                ))),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { patterns, flags: flags.to_owned(), key, bounds })
    }

    /// Whether every pattern matches the subject.
    pub(super) fn matches(&self, subject: &str) -> bool {
        self.patterns.iter().all(|pattern| pattern.compiled.is_match(subject))
    }
}

fn pattern_texts<'a>(kind: &str, authored: Option<&'a Value>) -> Result<Vec<&'a str>, Outcome> {
    let list = authored
        .and_then(Value::as_array)
        .filter(|list| (1..=MAX_PATTERNS).contains(&list.len()))
        .ok_or_else(|| Outcome::error(format!("{kind} requires 1 to 8 patterns")))?;
    let text = |value: &'a Value| {
        value.as_str().filter(|text| (1..=MAX_PATTERN_LENGTH).contains(&utf16_len(text)))
    };
    list.iter()
        .map(text)
        .collect::<Option<_>>()
        .ok_or_else(|| Outcome::error(format!("every {kind} pattern must be 1 to 512 characters")))
}

fn flags<'a>(kind: &str, authored: Option<&'a Value>) -> Result<&'a str, Outcome> {
    let Some(authored) = authored else { return Ok("") };
    authored.as_str().filter(|flags| FLAGS.contains(flags)).ok_or_else(|| {
        Outcome::error(format!("{kind} flags must be one of i, m, s, im, is, ms, ims"))
    })
}

fn key(kind: &str, authored: Option<&Value>) -> Result<Option<String>, Outcome> {
    let Some(authored) = authored else { return Ok(None) };
    let path =
        authored.as_str().ok_or_else(|| Outcome::error(format!("{kind} path must be a string")))?;
    path_key(path).map(Some).map_err(|problem| Outcome::error(format!("{kind} {problem}")))
}

fn bounds(kind: &str, unit: &'static str, fields: Fields<'_>) -> Result<MatchBounds, Outcome> {
    let count = |name: &str| match fields.get(name) {
        None => Ok(None),
        Some(value) => integer_at_least(value, 0)
            .and_then(|count| u64::try_from(count).ok())
            .map(Some)
            .ok_or_else(|| Outcome::error(format!("{kind} {name} must be a non-negative integer"))),
    };
    MatchBounds::new(count("min")?, count("max")?, unit)
        .map_err(|problem| Outcome::error(problem.to_string()))
}

/// What the patterns are matched against.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Subject<'a> {
    Text(Cow<'a, str>),
    /// The key is not there.
    Missing,
    /// It is too long, or was cut for storage.
    Unreadable,
}

impl<'a> Subject<'a> {
    /// The top-level key of a value.
    pub(super) fn member(value: Option<&'a Value>, key: &str) -> Self {
        match value.and_then(Value::as_object).and_then(|object| object.get(key)) {
            None => Self::Missing,
            Some(Value::String(text)) => Self::within_limit(Cow::Borrowed(text)),
            Some(other) => Self::json(other),
        }
    }

    /// A whole value as canonical JSON; null stands for the empty object.
    pub(super) fn arguments(value: &Value) -> Self {
        if value.is_null() { Self::Text(Cow::Borrowed("{}")) } else { Self::json(value) }
    }

    fn json(value: &Value) -> Self {
        canonical_bounded(value, MAX_SUBJECT)
            .map_or(Self::Unreadable, |text| Self::Text(Cow::Owned(text)))
    }

    pub(super) fn within_limit(text: Cow<'a, str>) -> Self {
        if utf16_len(&text) <= MAX_SUBJECT { Self::Text(text) } else { Self::Unreadable }
    }
}

/// Canonical JSON of at most `max_units` UTF-16 code units; `None` when the value needs more (predicates 9.2).
pub fn canonical_bounded(value: &Value, max_units: usize) -> Option<String> {
    Some(canonical(value)).filter(|text| utf16_len(text) <= max_units)
}

/// How the units of a scope came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Units on whose subject every pattern matches.
    pub matched: u64,
    /// Units whose subject could not be read.
    pub unreadable: u64,
    /// Whether an unknown number of units was never captured.
    pub unseen: bool,
}

/// What a tally says about bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchVerdict {
    /// The bounds hold, however the unreadable units would have come out.
    Pass,
    /// They do not hold, however those would have come out.
    Fail,
    /// Those decide.
    Unscored,
}

/// The verdict of a tally.
pub fn match_verdict(tally: Tally, bounds: MatchBounds) -> MatchVerdict {
    let Tally { matched, unreadable, unseen } = tally;
    // The most that could match; absent when there is no saying.
    let at_most = (!unseen).then(|| matched.saturating_add(unreadable));
    let within = |max: u64| at_most.is_some_and(|most| most <= max);
    if matched >= bounds.min && bounds.max.is_none_or(within) {
        return MatchVerdict::Pass;
    }
    let too_few = at_most.is_some_and(|most| most < bounds.min);
    let too_many = bounds.max.is_some_and(|max| matched > max);
    if too_few || too_many { MatchVerdict::Fail } else { MatchVerdict::Unscored }
}

/// `{key: value}`, as samples show one member.
pub(super) fn one_member(key: &str, value: &Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), value.clone())]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn verdict(
        matched: u64,
        unreadable: u64,
        unseen: bool,
        min: u64,
        max: Option<u64>,
    ) -> MatchVerdict {
        match_verdict(Tally { matched, unreadable, unseen }, MatchBounds { min, max })
    }

    #[test]
    fn unreadable_units_decide_only_when_they_can() {
        assert_eq!(verdict(1, 3, false, 1, None), MatchVerdict::Pass);
        assert_eq!(verdict(0, 1, false, 1, None), MatchVerdict::Unscored);
        assert_eq!(verdict(0, 1, false, 2, None), MatchVerdict::Fail);
        assert_eq!(verdict(1, 1, false, 1, Some(1)), MatchVerdict::Unscored);
    }

    #[test]
    fn units_that_were_never_seen_leave_ceilings_open() {
        assert_eq!(verdict(1, 0, true, 1, None), MatchVerdict::Pass);
        assert_eq!(verdict(0, 0, true, 5, None), MatchVerdict::Unscored);
        assert_eq!(verdict(2, 0, true, 1, Some(1)), MatchVerdict::Fail);
    }

    #[test]
    fn subjects_are_strings_or_canonical_json() {
        let value = json!({"s": "a", "o": {"b": 1, "a": 2}, "n": null});
        let text = |text: &'static str| Subject::Text(Cow::Borrowed(text));
        assert_eq!(Subject::member(Some(&value), "s"), text("a"));
        assert_eq!(Subject::member(Some(&value), "o"), text(r#"{"a":2,"b":1}"#));
        assert_eq!(Subject::member(Some(&value), "n"), text("null"));
        assert_eq!(Subject::member(Some(&value), "x"), Subject::Missing);
        assert_eq!(Subject::arguments(&Value::Null), text("{}"));
    }
}
