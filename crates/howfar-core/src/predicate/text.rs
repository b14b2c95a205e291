//! How reasons embed foreign values: cut, redacted, scrubbed (predicates 5.2 to 5.4).

use std::sync::LazyLock;

use howfar_wire::canon::{number_text, stringify, utf16_len, utf16_prefix};
use regex::Regex;
use serde_json::{Map, Value};

/// The longest embedded value, in UTF-16 code units.
pub(crate) const VALUE_CAP: usize = 200;
/// The longest embedded error message, in UTF-16 code units.
pub(crate) const MESSAGE_CAP: usize = 200;
/// The longest reason, in UTF-16 code units.
pub(crate) const REASON_CAP: usize = 600;
/// How many items of a list a reason shows.
pub(crate) const ITEMS_SHOWN: usize = 3;

const REDACTED: &str = "«redacted»";
const DEPTH_LIMIT: &str = "«depth-limit»";
const MAX_DEPTH: usize = 6;
const MAX_ENTRIES: usize = 20;

/// `text`, or its first `cap` units and how many were cut.
pub(crate) fn cut(text: &str, cap: usize) -> String {
    if text.len() <= cap {
        return text.to_owned();
    }
    let len = utf16_len(text);
    if len <= cap {
        return text.to_owned();
    }
    format!("{}…(+{} chars)", utf16_prefix(text, cap), len - cap)
}

/// A value as reasons show it: redacted compact JSON, cut; null shows as the empty object.
pub(crate) fn brief(value: &Value) -> String {
    let shown = match value {
        Value::Null => "{}".to_owned(),
        other => stringify(&redact(other)),
    };
    cut(&shown, VALUE_CAP)
}

/// A value without what its keys call a secret, in at most six levels and 20 entries per array.
pub(crate) fn redact(value: &Value) -> Value {
    redact_at(value, 0)
}

fn redact_at(value: &Value, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::from(DEPTH_LIMIT);
    }
    match value {
        Value::Array(items) => {
            items.iter().take(MAX_ENTRIES).map(|item| redact_at(item, depth + 1)).collect()
        }
        Value::Object(object) => {
            let member = |(key, value): (&String, &Value)| {
                let shown = if is_sensitive_key(key) {
                    Value::from(REDACTED)
                } else {
                    redact_at(value, depth + 1)
                };
                (key.clone(), shown)
            };
            Value::Object(object.iter().map(member).collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// Words that make a key sensitive wherever they stand in it. `maxTokens` is masked too, by intent.
const SENSITIVE_WORDS: [&str; 20] = [
    "authorization",
    "bearer",
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "accesskey",
    "access_key",
    "access-key",
    "clientsecret",
    "client_secret",
    "client-secret",
    "cookie",
    "credential",
    "privatekey",
    "private_key",
    "private-key",
];

fn is_sensitive_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    SENSITIVE_WORDS.iter().any(|word| key.contains(word))
}

/// The white space of ECMAScript as the inside of a class.
pub(crate) const SPACE: &str =
    r"\x09-\x0d \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";

static ASSIGNED_SECRET: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r#"(?-u:\b)((?i-u:authorization|password|passwd|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|cookie|credential|private[_-]?key))(?-u:\b)([{SPACE}]*[:=][{SPACE}]*)(?:(?i-u:bearer)[{SPACE}]+)?["']?[0-9A-Za-z_.\-+/=]{{6,}}["']?"#
    ))
});
static BEARER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r#"(?-u:\b)(?i-u:bearer)[{SPACE}]+["']?[0-9A-Za-z_.\-+/=]{{8,}}["']?"#))
});
static PREFIXED_KEY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?-u:\b)(?i-u:sk|pk|rk|ghp|gho|ghu|ghs|ghr|xox[abprs])[-_][0-9A-Za-z_.\-]{8,}(?-u:\b)",
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern compiles")
}

/// Free text without what looks like a credential.
pub(crate) fn scrub(text: &str) -> String {
    let text = ASSIGNED_SECRET.replace_all(text, format!("$1$2{REDACTED}"));
    let text = BEARER.replace_all(&text, format!("Bearer {REDACTED}"));
    PREFIXED_KEY.replace_all(&text, REDACTED).into_owned()
}

/// Scrubbed and cut, in this order.
pub(crate) fn scrubbed(text: &str, cap: usize) -> String {
    cut(&scrub(text), cap)
}

/// A value as a template string of ECMAScript shows it; absent shows as `undefined`.
pub(crate) fn template_text(value: Option<&Value>) -> String {
    match value {
        None => "undefined".to_owned(),
        Some(Value::Null) => "null".to_owned(),
        Some(Value::Bool(flag)) => flag.to_string(),
        Some(Value::Number(number)) => number_text(number),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            let item = |item: &Value| match item {
                Value::Null => String::new(),
                other => template_text(Some(other)),
            };
            items.iter().map(item).collect::<Vec<_>>().join(",")
        }
        Some(Value::Object(_)) => "[object Object]".to_owned(),
    }
}

/// The first items joined by `separator`, and nothing about the rest.
pub(crate) fn first_shown<T: AsRef<str>>(items: &[T], separator: &str) -> String {
    let shown: Vec<&str> = items.iter().take(ITEMS_SHOWN).map(AsRef::as_ref).collect();
    shown.join(separator)
}

/// ` (+N more)` when a list of `total` items is longer than what is shown.
pub(crate) fn more_in_brackets(total: usize) -> String {
    match total.saturating_sub(ITEMS_SHOWN) {
        0 => String::new(),
        more => format!(" (+{more} more)"),
    }
}

/// `, +N more` when a list of `total` items is longer than what is shown.
pub(crate) fn more_in_list(total: usize) -> String {
    match total.saturating_sub(ITEMS_SHOWN) {
        0 => String::new(),
        more => format!(", +{more} more"),
    }
}

/// Digits grouped by thousands with commas.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A text that is looked for, with or without regard to case.
#[derive(Debug)]
pub(crate) struct Needle {
    text: String,
    case_sensitive: bool,
}

impl Needle {
    pub(crate) fn new(text: &str, case_sensitive: bool) -> Self {
        let text = if case_sensitive { text.to_owned() } else { text.to_lowercase() };
        Self { text, case_sensitive }
    }

    /// Whether the text occurs; without regard to case both sides are lower-cased, which is not case folding.
    pub(crate) fn is_in(&self, haystack: &str) -> bool {
        if self.case_sensitive {
            haystack.contains(&self.text)
        } else {
            haystack.to_lowercase().contains(&self.text)
        }
    }

    /// What reasons add when case counts.
    pub(crate) const fn note(&self) -> &'static str {
        if self.case_sensitive { " (case-sensitive)" } else { "" }
    }
}

/// [`grouped`] for an authored number: the integer part grouped, at most three decimals.
pub(crate) fn grouped_f64(number: f64) -> String {
    let text = format!("{:.3}", number.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    let fraction = fraction.trim_end_matches('0');
    let sign = if number < 0.0 { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cut_says_how_much_is_gone() {
        assert_eq!(cut("abcdef", 4), "abcd…(+2 chars)");
        assert_eq!(cut("ab\u{1f600}", 3), "ab…(+1 chars)");
        assert_eq!(cut("éé", 2), "éé");
    }

    #[test]
    fn secrets_are_named_by_their_keys() {
        let value = json!({"X-Api_Key": "k", "maxTokens": 5, "plain": [1, {"cookie": 2}]});
        assert_eq!(
            brief(&value),
            r#"{"X-Api_Key":"«redacted»","maxTokens":"«redacted»","plain":[1,{"cookie":"«redacted»"}]}"#
        );
    }

    #[test]
    fn arrays_end_after_twenty_entries_and_depth_after_six_levels() {
        assert_eq!(redact(&json!(vec![0; 30])), json!(vec![0; 20]));
        assert_eq!(redact(&json!([[[[[[[1]]]]]]])), json!([[[[[[[DEPTH_LIMIT]]]]]]]));
    }

    #[test]
    fn free_text_loses_credentials() {
        assert_eq!(scrub("password: hunter22!"), "password: «redacted»!");
        assert_eq!(scrub("send BEARER abcdefgh12"), "send Bearer «redacted»");
        assert_eq!(scrub("key sk-abcdefgh12 ok"), "key «redacted» ok");
        assert_eq!(scrub("token: ab"), "token: ab");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn values_show_as_in_a_template_string() {
        assert_eq!(template_text(None), "undefined");
        assert_eq!(template_text(Some(&json!([1, null, "a"]))), "1,,a");
        assert_eq!(template_text(Some(&json!({}))), "[object Object]");
    }
}
