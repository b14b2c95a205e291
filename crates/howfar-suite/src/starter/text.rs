//! Example texts: from the pattern, the format, an example in the description, or the name of the property.

use serde_json::{Map, Value};

use super::example::ExampleHints;
use super::pattern::text_of_pattern;
use super::words::name_words;
use crate::write::shows;

/// The longest text that is made to please `minLength`.
const MAX_LENGTH: usize = 2_000;

/// The longest example that is taken from a description.
const MAX_QUOTED: usize = 80;

/// How far behind its announcement an example may begin, in characters.
const QUOTE_REACH: usize = 24;

/// Formats, each with a value.
const FORMATS: [(&str, &str); 13] = [
    ("date-time", "2026-01-01T12:00:00Z"),
    ("date", "2026-01-01"),
    ("time", "12:00:00Z"),
    ("duration", "PT1H"),
    ("email", "user@example.com"),
    ("idn-email", "user@example.com"),
    ("hostname", "example.com"),
    ("ipv4", "127.0.0.1"),
    ("ipv6", "::1"),
    ("uri", "https://example.com/"),
    ("uri-reference", "https://example.com/"),
    ("url", "https://example.com/"),
    ("uuid", "00000000-0000-4000-8000-000000000000"),
];

/// Last words of a property's name, each with a value.
const NAMES: [(&[&str], &str); 14] = [
    (&["timezone", "zone", "tz"], "UTC"),
    (&["url", "uri", "link", "endpoint"], "https://example.com/"),
    (&["email"], "user@example.com"),
    (&["date", "day"], "2026-01-01"),
    (&["timestamp", "datetime"], "2026-01-01T12:00:00Z"),
    (&["time"], "12:00"),
    (&["revision", "ref", "commit"], "HEAD"),
    (&["language", "lang", "locale"], "en"),
    (&["country"], "US"),
    (&["currency"], "EUR"),
    (&["city", "location", "place"], "Lisbon"),
    (&["host", "hostname", "domain"], "example.com"),
    (&["message", "text", "content", "body", "input"], "hello"),
    (&["id"], "1"),
];

/// Last words of a name that is a path.
const PATH_NAMES: [&str; 9] =
    ["path", "paths", "dir", "directory", "folder", "root", "cwd", "repo", "repository"];

/// Phrases that announce an example in a description.
const ANNOUNCEMENTS: [&str; 5] = ["e.g.", "eg.", "for example", "such as", "example:"];

/// A text for a property, within the schema's lengths.
pub(super) fn example_text(
    schema: &Map<String, Value>,
    name: &str,
    hints: &ExampleHints,
) -> String {
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    if let Some(text) = word("pattern").and_then(text_of_pattern) {
        return text;
    }
    let format =
        word("format").and_then(|format| FORMATS.iter().find(|(known, _)| *known == format));
    if let Some((_, text)) = format {
        return (*text).to_owned();
    }
    let described = word("description").and_then(quoted_example);
    let text =
        path_like(name, hints).or(described).unwrap_or_else(|| by_name(name, hints).to_owned());
    fit_length(text, schema)
}

/// The folder that the server was started with, where the name asks for a path.
fn path_like(name: &str, hints: &ExampleHints) -> Option<String> {
    let words = name_words(name);
    let last = words.last()?;
    PATH_NAMES
        .contains(&last.as_str())
        .then(|| hints.folder.clone().unwrap_or_else(|| ".".to_owned()))
}

fn by_name(name: &str, hints: &ExampleHints) -> &'static str {
    let words = name_words(name);
    let last = words.last().map_or("", String::as_str);
    if last == "sql" || (hints.sql && matches!(last, "query" | "statement")) {
        return "SELECT 1";
    }
    NAMES.iter().find(|(names, _)| names.contains(&last)).map_or("example", |(_, text)| *text)
}

/// The first quoted text behind an announcement: `IANA name (e.g., 'Europe/London')` gives `Europe/London`.
fn quoted_example(description: &str) -> Option<String> {
    let lower = description.to_ascii_lowercase();
    let announced =
        ANNOUNCEMENTS.iter().filter_map(|words| lower.find(words).map(|at| at + words.len()));
    let rest = &description[announced.min()?..];
    // A mark inside a word is an apostrophe.
    let opens = |at: usize| !rest[..at].ends_with(char::is_alphanumeric);
    let (open, quote) = rest
        .char_indices()
        .take(QUOTE_REACH)
        .find(|(at, c)| matches!(c, '"' | '\'' | '`') && opens(*at))?;
    let quoted = &rest[open + 1..];
    let text = &quoted[..quoted.find(quote)?];
    let usable = !text.trim().is_empty()
        && text.chars().count() <= MAX_QUOTED
        && text.chars().all(|c| shows(c) && c != '\n');
    usable.then(|| text.to_owned())
}

fn fit_length(text: String, schema: &Map<String, Value>) -> String {
    let limit = |key: &str| {
        let length = schema.get(key).and_then(Value::as_u64)?;
        Some(usize::try_from(length).unwrap_or(usize::MAX))
    };
    let least = limit("minLength").unwrap_or(0).min(MAX_LENGTH);
    let most = limit("maxLength").unwrap_or(usize::MAX);
    let length = text.chars().count();
    if length < least {
        return text.chars().chain(std::iter::repeat_n('x', least - length)).collect();
    }
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(name: &str, schema: Value, expected: &str) {
        let hints = ExampleHints { folder: Some("/data".to_owned()), sql: true };
        let Value::Object(schema) = schema else { panic!("a schema is an object") };
        assert_eq!(example_text(&schema, name, &hints), expected);
    }

    #[test]
    fn pattern_and_format_come_before_words() {
        check("url", json!({"pattern": "^v\\d$"}), "v1");
        check("when", json!({"format": "date"}), "2026-01-01");
        check("when", json!({"format": "of its own"}), "example");
    }

    #[test]
    fn a_description_gives_its_example() {
        check(
            "zone",
            json!({"description": "IANA name (e.g., 'Europe/London', 'UTC')"}),
            "Europe/London",
        );
        check("kind", json!({"description": "The kind, for example \"book\"."}), "book");
        check("kind", json!({"description": "e.g. it can't be guessed from here, 'x'"}), "example");
    }

    #[test]
    fn names_speak() {
        check("repo_path", json!({}), "/data");
        check("startTime", json!({}), "12:00");
        check("query", json!({}), "SELECT 1");
        check("whatever", json!({}), "example");
    }

    #[test]
    fn lengths_hold() {
        check("code", json!({"minLength": 10}), "examplexxx");
        check("code", json!({"maxLength": 2}), "ex");
    }
}
