//! Canonical JSON text, digests, and the text rules that documents share with ECMAScript.
//!
//! Numbers are doubles printed in the shortest ECMAScript form, lengths count UTF-16 code units, and text order is by
//! UTF-16 code unit, so that documents equal those of other implementations byte for byte
//! (suite and runner A14; predicates 5.3, 5.4 and 9.2; run documents, section 0).

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

/// The white space that ECMAScript trims. U+0085 and U+200B are not in it; U+FEFF is.
pub const fn is_es_whitespace(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{d}'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// `text` without ECMAScript white space at both ends.
pub fn es_trim(text: &str) -> &str {
    text.trim_matches(is_es_whitespace)
}

/// Whether nothing but ECMAScript white space is left.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_es_whitespace)
}

/// The length in UTF-16 code units.
pub fn utf16_len(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// The longest prefix of at most `units` UTF-16 code units. A pair that the cut would split is left out whole.
pub fn utf16_prefix(text: &str, units: usize) -> &str {
    if text.len() <= units {
        return text;
    }
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.len_utf16();
        if used > units {
            return &text[..at];
        }
    }
    text
}

/// The text itself, or its first `units` − 1 UTF-16 code units and an ellipsis when it is longer than `units`.
pub fn shortened(text: &str, units: usize) -> Cow<'_, str> {
    if text.len() <= units || utf16_len(text) <= units {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", utf16_prefix(text, units.saturating_sub(1))))
}

/// Order by UTF-16 code unit: U+1F600 stands before U+FFFD, unlike in `str::cmp`.
pub fn utf16_cmp(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// A number in ECMAScript's shortest form; `-0` prints as `0`. Integers beyond 2^53 are doubles first.
pub fn number_text(number: &Number) -> String {
    let value = number.as_f64().expect("a JSON number without arbitrary precision is a double");
    f64_text(value)
}

/// A finite double in ECMAScript's shortest form.
pub fn f64_text(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    ryu_js::Buffer::new().format(value).to_owned()
}

/// `JSON.stringify(value)`: compact, keys in ECMAScript enumeration order.
pub fn stringify(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, KeyOrder::Enumeration);
    out
}

/// Canonical JSON: compact, keys sorted by UTF-16 code unit.
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, KeyOrder::Sorted);
    out
}

/// The lower-case hexadecimal SHA-256 of canonical JSON, without prefix.
pub fn canonical_digest(value: &Value) -> String {
    sha256_hex(canonical(value).as_bytes())
}

/// The lower-case hexadecimal SHA-256 of bytes, without prefix.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// The members of an object in ECMAScript enumeration order: canonical array indexes first, ascending, then the rest
/// in insertion order.
pub fn enumeration_order(object: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = object.iter().collect();
    if members.iter().any(|(key, _)| array_index(key).is_some()) {
        members.sort_by_key(|(key, _)| array_index(key).map_or(u64::MAX, u64::from));
    }
    members
}

/// A JSON string literal as `JSON.stringify` writes it.
pub fn string_literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(&mut out, text);
    out
}

fn array_index(key: &str) -> Option<u32> {
    if key.is_empty() || key.len() > 10 || (key.len() > 1 && key.starts_with('0')) {
        return None;
    }
    key.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| key.parse::<u32>().ok())
        .flatten()
        .filter(|&n| n != u32::MAX)
}

#[derive(Clone, Copy)]
enum KeyOrder {
    Enumeration,
    Sorted,
}

fn write_value(out: &mut String, value: &Value, order: KeyOrder) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_value(out, item, order);
            }
            out.push(']');
        }
        Value::Object(object) => write_object(out, object, order),
    }
}

fn write_object(out: &mut String, object: &Map<String, Value>, order: KeyOrder) {
    let members = match order {
        KeyOrder::Enumeration => enumeration_order(object),
        KeyOrder::Sorted => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by(|(a, _), (b, _)| utf16_cmp(a, b));
            members
        }
    };
    out.push('{');
    for (at, (key, value)) in members.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_string(out, key);
        out.push(':');
        write_value(out, value, order);
    }
    out.push('}');
}

fn write_string(out: &mut String, text: &str) {
    use std::fmt::Write as _;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_text_ends_with_an_ellipsis() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("abcd", 3), "ab…");
        assert_eq!(shortened("a\u{1f600}b", 3), "a…");
    }

    #[test]
    fn numbers_print_as_in_ecmascript() {
        let check = |text: &str, expected: &str| {
            let value: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(stringify(&value), expected);
        };
        check("1.0", "1");
        check("-0.0", "0");
        check("1e21", "1e+21");
        check("1e-7", "1e-7");
        check("0.000001", "0.000001");
        check("12345678901234567890", "12345678901234567000");
    }

    #[test]
    fn keys_follow_enumeration_order_or_code_units() {
        let value = json!({"b": 1, "10": 2, "2": 3, "01": 4});
        assert_eq!(stringify(&value), r#"{"2":3,"10":2,"b":1,"01":4}"#);
        assert_eq!(
            canonical(&json!({"\u{fffd}": 1, "\u{1f600}": 2})),
            "{\"\u{1f600}\":2,\"\u{fffd}\":1}"
        );
    }

    #[test]
    fn strings_escape_only_what_json_must() {
        assert_eq!(
            string_literal("a\"\\/\u{7f}\u{2028}\u{1}\n"),
            "\"a\\\"\\\\/\u{7f}\u{2028}\\u0001\\n\""
        );
    }

    #[test]
    fn trimming_is_ecmascript() {
        assert_eq!(es_trim("\u{feff}\u{a0} a\u{85} \u{3000}"), "a\u{85}");
        assert!(!is_blank("\u{200b}"));
    }

    #[test]
    fn a_cut_drops_half_a_pair() {
        assert_eq!(utf16_prefix("ab\u{1f600}c", 3), "ab");
        assert_eq!(utf16_prefix("ab\u{1f600}c", 4), "ab\u{1f600}");
        assert_eq!(utf16_len("ab\u{1f600}c"), 5);
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            let member = (any::<String>(), inner.clone());
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::from),
                prop::collection::vec(member, 0..4)
                    .prop_map(|it| Value::Object(Map::from_iter(it))),
            ]
        })
    }

    fn parsed(text: &str) -> Value {
        serde_json::from_str(text).expect("canonical text is JSON")
    }

    proptest! {
        #[test]
        fn canonical_text_is_a_fixed_point(value in value()) {
            let text = canonical(&value);
            prop_assert_eq!(canonical(&parsed(&text)), text.clone());
            prop_assert_eq!(canonical(&parsed(&stringify(&value))), text);
        }

        #[test]
        fn a_shortened_text_fits(text: String, units in 1..20_usize) {
            let short = shortened(&text, units);
            prop_assert!(utf16_len(&short) <= units);
            prop_assert_eq!(short == text, utf16_len(&text) <= units);
        }
    }
}
