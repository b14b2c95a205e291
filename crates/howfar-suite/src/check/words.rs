//! What findings say, in words.

use howfar_wire::Vocabulary as _;
use howfar_wire::canon;
use howfar_wire::vocabulary::Dialect;

use super::shape::Shape;
use crate::suggest;
use crate::yaml::{Content, Scalar};

pub(super) fn cross_dialect(
    (key, owner, instead): &(String, Dialect, &str),
    dialect: Dialect,
) -> String {
    let (owner, dialect) = (owner.as_str(), dialect.as_str());
    format!(
        "`{key}` is a word of dialect {owner}, and this file is dialect {dialect}, which says `{instead}`: write \
         `{instead}`, or set `schemaVersion` to \"{owner}\""
    )
}

/// What to say about keys that people expect in a suite file.
pub(super) fn key_hint(key: &str) -> Option<&'static str> {
    Some(match key {
        "timeout" | "timeoutMs" | "iterationTimeoutMs" | "retries" | "concurrency" | "maxSteps" => {
            "timeouts, retries and step limits are options of a run, not part of a suite"
        }
        "url" | "command" | "args" | "env" | "headers" | "transport" => {
            "how a server is reached stands in its binding, never in a suite"
        }
        "expectedToolCalls" | "expectedTools" => {
            "an expected call is an `assert` step with `type: toolCalledWith`"
        }
        "matchOptions" => "arguments are matched per check, with `args.argumentMatching`",
        "tags" => "cases are grouped with `intent`",
        "coverage" => "coverage is derived from `minEligibleTrials`",
        "<<" => "merge keys are not read; repeat the fields",
        _ => return None,
    })
}

pub(super) fn unknown_key<'a>(
    key: &str,
    object: &str,
    known: impl Iterator<Item = &'a str>,
) -> String {
    let hint = match key_hint(key) {
        Some(hint) => format!(" ({hint})"),
        None => suggest::did_you_mean(key, known),
    };
    format!("`{key}` is not a field of {object}{hint}")
}

pub(super) fn in_words(content: &Content) -> &'static str {
    match content {
        Content::Scalar(Scalar::Null) => "null",
        Content::Scalar(Scalar::Bool(_)) => "true or false",
        Content::Scalar(Scalar::Number(value)) if !value.is_finite() => "not a finite number",
        Content::Scalar(Scalar::Number(_)) => "a number",
        Content::Scalar(Scalar::Text(_)) => "text",
        Content::List(_) => "a list",
        Content::Object(_) => "an object",
    }
}

/// What a truth value must be; people write the words of older YAML.
pub(super) fn bool_words(found: &Content) -> &'static str {
    match found {
        Content::Scalar(Scalar::Text(text))
            if ["yes", "on"].iter().any(|word| text.eq_ignore_ascii_case(word)) =>
        {
            "true or false; write `true`"
        }
        Content::Scalar(Scalar::Text(text))
            if ["no", "off"].iter().any(|word| text.eq_ignore_ascii_case(word)) =>
        {
            "true or false; write `false`"
        }
        Content::Scalar(_) | Content::List(_) | Content::Object(_) => "true or false",
    }
}

/// What a missing field would hold.
pub(super) fn shape_words(shape: Shape) -> String {
    match shape {
        Shape::Text(_) => "a text here".to_owned(),
        Shape::Bool => "true or false here".to_owned(),
        Shape::Whole { min, max } if max < MAX_WORTH_SAYING => {
            format!("a whole number from {min} to {max} here")
        }
        Shape::Whole { .. } => "a whole number here".to_owned(),
        Shape::Number { min, max } if max < MAX_WORTH_SAYING => {
            format!("a number from {min} to {max} here")
        }
        Shape::Number { .. } => "a number here".to_owned(),
        Shape::Word(rule) => format!("{} here", list_words(rule.members)),
        Shape::List(rule) => format!("a list of {} here", rule.of),
        Shape::Object(_) | Shape::OpenObject { .. } => {
            "an object here, even when it is empty: `{}`".to_owned()
        }
        Shape::Tagged(rule) => format!("an object with `{}` here", rule.tag),
        Shape::NullOr(shape) => shape_words(*shape),
        Shape::Special(_) => "a value here".to_owned(),
    }
}

/// Bounds beyond this say nothing to a reader.
const MAX_WORTH_SAYING: f64 = 1e9;

pub(super) fn list_words(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

pub(super) fn number_words(value: f64) -> String {
    if value.is_finite() { canon::f64_text(value) } else { "not a finite number".to_owned() }
}

pub(super) fn too_short(length: usize, min: usize) -> String {
    if length == 0 {
        return format!(
            "is empty; write at least {min} character{}",
            if min == 1 { "" } else { "s" }
        );
    }
    format!("is {length} characters long; at least {min} are needed")
}

pub(super) fn out_of_range(value: f64, min: f64, max: f64) -> String {
    let found = canon::f64_text(value);
    if max >= MAX_WORTH_SAYING && value <= max {
        return format!("is {found}; it must be at least {min}");
    }
    let percent = min == 0.0 && max == 1.0 && (2.0..=100.0).contains(&value);
    let hint = if percent {
        format!("; it is a fraction, so {found} percent is {}", canon::f64_text(value / 100.0))
    } else {
        String::new()
    };
    format!("is {found}; it must be from {min} to {max}{hint}")
}
