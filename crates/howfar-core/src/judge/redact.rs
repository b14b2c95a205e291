//! The one redactor of a judge's request (suite and runner, section C2, rule 4): one value has one placeholder everywhere.
//!
//! Known secrets are gone from evidence before it is stored; this takes out what looks like a person's data or a
//! credential, because the request may leave the machine.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Map, Value};

/// What stands in place of every credential.
pub const CREDENTIAL_MARKER: &str = "[REDACTED]";

/// Digits from which on a number in JSON is an identifier or a card.
const LONG_NUMBER: usize = 13;

/// Parts of a member's name that mark its value as a credential.
const CREDENTIAL_NAMES: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "authorization",
    "credential",
    "privatekey",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "cookie",
];

/// What a placeholder stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Email,
    Card,
    Ssn,
    Id,
    Phone,
    Ip,
    Url,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Card => "card",
            Self::Ssn => "ssn",
            Self::Id => "id",
            Self::Phone => "phone",
            Self::Ip => "ip",
            Self::Url => "url",
        }
    }
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("the pattern is a constant"));
    };
}

pattern!(PLACEHOLDER, r"\[(?:email|phone|card|ssn|ip|url|id)-[a-z]+\]");
pattern!(
    CREDENTIAL,
    r"\b(?:(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|gh[opsu]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|xox[abp]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*)"
);
pattern!(BEARER, r"(?i)\b(bearer|basic)(\s+)[A-Za-z0-9._~+/-]{16,}=*");
pattern!(EMAIL, r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}");
pattern!(DIGIT_GROUPS, r"\d+(?:[ -]\d+)*");
pattern!(SSN, r"\d{3}-\d{2}-\d{4}");
pattern!(LONG_DIGITS, r"\d{13,}");
pattern!(
    PHONE,
    r"\+\d(?:[ .()-]{0,2}\d){7,14}|(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}"
);
pattern!(IPV4, r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}");
pattern!(IPV6, r"[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){7}");
pattern!(URL, r#"https?://[^\s<>"'`\\]+"#);
pattern!(ENDS_IN_PLACEHOLDER, r"\[(?:email|phone|card|ssn|ip|url|id)-[a-z]+\]$");

/// Replaces values by placeholders, the same value by the same one, over everything that it is given.
#[derive(Debug, Default)]
pub struct PlaceholderRedactor {
    /// Placeholders that were in the text before: they stand for something else.
    reserved: HashSet<String>,
    given: HashMap<(Kind, String), String>,
    used: HashMap<Kind, usize>,
}

impl PlaceholderRedactor {
    /// A redactor that never gives out a placeholder which one of these values holds already.
    pub fn reserving<'a>(values: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut redactor = Self::default();
        values.into_iter().for_each(|value| redactor.reserve(value));
        redactor
    }

    /// The text without credentials and with placeholders, in the order of the rule.
    pub fn text(&mut self, text: &str) -> String {
        let text = credentials(text);
        let text = self.replace(&EMAIL, &text, Kind::Email, |_, _, _| true);
        let text = self.cards(&text);
        let text = self.replace(&SSN, &text, Kind::Ssn, stands_alone);
        let text = self.replace(&LONG_DIGITS, &text, Kind::Id, |_, _, _| true);
        let text = self.replace(&PHONE, &text, Kind::Phone, stands_alone);
        let text = self.replace(&IPV4, &text, Kind::Ip, is_ipv4);
        let text = self.replace(&IPV6, &text, Kind::Ip, is_ipv6);
        self.urls(&text)
    }

    /// The value with every text redacted, names of members too; a member whose name marks a credential loses its text.
    pub fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(object) => Value::Object(self.object(object)),
            Value::Number(number) => self.number(number),
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    fn object(&mut self, object: &Map<String, Value>) -> Map<String, Value> {
        let mut redacted = Map::with_capacity(object.len());
        for (name, value) in object {
            let value = match value {
                Value::String(text) if names_credential(name) && !text.is_empty() => {
                    Value::String(CREDENTIAL_MARKER.to_owned())
                }
                value => self.value(value),
            };
            redacted.insert(self.text(name), value);
        }
        redacted
    }

    /// A whole number of thirteen digits or more is a card or an identifier, whatever its type.
    fn number(&mut self, number: &serde_json::Number) -> Value {
        let text = number.to_string();
        let digits = text.trim_start_matches('-');
        if digits.len() < LONG_NUMBER || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Value::Number(number.clone());
        }
        Value::String(self.text(digits))
    }

    fn reserve(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.reserve_text(text),
            Value::Array(items) => items.iter().for_each(|item| self.reserve(item)),
            Value::Object(object) => {
                for (name, value) in object {
                    self.reserve_text(name);
                    self.reserve(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn reserve_text(&mut self, text: &str) {
        let found = PLACEHOLDER.find_iter(text).map(|found| found.as_str().to_owned());
        self.reserved.extend(found);
    }

    fn placeholder(&mut self, kind: Kind, value: &str) -> String {
        let key = (kind, value.to_owned());
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let next = self.used.entry(kind).or_default();
        let placeholder = loop {
            let placeholder = format!("[{}-{}]", kind.word(), letters(*next));
            *next += 1;
            if !self.reserved.contains(&placeholder) {
                break placeholder;
            }
        };
        self.given.insert(key, placeholder.clone());
        placeholder
    }

    fn replace(
        &mut self,
        pattern: &Regex,
        text: &str,
        kind: Kind,
        holds: fn(&str, usize, usize) -> bool,
    ) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for found in pattern.find_iter(text) {
            if holds(text, found.start(), found.end()) {
                out.push_str(&text[done..found.start()]);
                out.push_str(&self.placeholder(kind, found.as_str()));
                done = found.end();
            }
        }
        out.push_str(&text[done..]);
        out
    }

    fn cards(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for found in DIGIT_GROUPS.find_iter(text) {
            for (start, end) in cards_in(found.as_str()) {
                let (start, end) = (found.start() + start, found.start() + end);
                out.push_str(&text[done..start]);
                let digits: String =
                    text[start..end].chars().filter(char::is_ascii_digit).collect();
                out.push_str(&self.placeholder(Kind::Card, &digits));
                done = end;
            }
        }
        out.push_str(&text[done..]);
        out
    }

    /// A url ends before the punctuation of the sentence around it.
    fn urls(&mut self, text: &str) -> String {
        let url = |found: &Captures<'_>| {
            let whole = &found[0];
            let mut url = whole;
            while let Some(shorter) =
                url.strip_suffix(['.', ',', ';', ':', '!', '?', ')', ']', '}'])
            {
                if ENDS_IN_PLACEHOLDER.is_match(url) {
                    break;
                }
                url = shorter;
            }
            let placeholder = self.placeholder(Kind::Url, url);
            format!("{placeholder}{}", &whole[url.len()..])
        };
        URL.replace_all(text, url).into_owned()
    }
}

/// a, b, … z, aa, ab, …
fn letters(mut at: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(b'a' + u8::try_from(at % 26).expect("a remainder of 26 is small"));
        at /= 26;
        if at == 0 {
            break;
        }
        at -= 1;
    }
    letters.iter().rev().map(|&letter| char::from(letter)).collect()
}

fn credentials(text: &str) -> String {
    let text = BEARER.replace_all(text, |found: &Captures<'_>| {
        format!("{}{}{CREDENTIAL_MARKER}", &found[1], &found[2])
    });
    CREDENTIAL.replace_all(&text, CREDENTIAL_MARKER).into_owned()
}

fn names_credential(name: &str) -> bool {
    let name: String =
        name.chars().filter(|c| !matches!(c, '-' | '_')).collect::<String>().to_ascii_lowercase();
    CREDENTIAL_NAMES.iter().any(|part| name.contains(part))
}

/// Whether no digit touches the place: a part of a longer number is another number.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    !digit(start.checked_sub(1).and_then(|at| bytes.get(at))) && !digit(bytes.get(end))
}

fn is_ipv4(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let in_version = start > 0 && bytes[start - 1] == b'.'
        || bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    stands_alone(text, start, end)
        && !in_version
        && text[start..end].split('.').all(|octet| octet.parse::<u8>().is_ok())
}

fn is_ipv6(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let touches = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b':');
    !touches(start.checked_sub(1).and_then(|at| bytes.get(at))) && !touches(bytes.get(end))
}

/// Where cards stand in groups of digits: 13 to 19 digits in whole groups, first digit 2 to 6, Luhn; the longest first.
fn cards_in(run: &str) -> Vec<(usize, usize)> {
    let mut groups = Vec::new();
    let mut start = 0;
    for (at, c) in run.char_indices().chain([(run.len(), ' ')]) {
        if !c.is_ascii_digit() {
            groups.push((start, at));
            start = at + 1;
        }
    }
    let mut found = Vec::new();
    let mut first = 0;
    while first < groups.len() {
        let last =
            (first..groups.len()).rev().find(|&last| is_card(run, groups[first].0, groups[last].1));
        match last {
            Some(last) => {
                found.push((groups[first].0, groups[last].1));
                first = last + 1;
            }
            None => first += 1,
        }
    }
    found
}

fn is_card(run: &str, start: usize, end: usize) -> bool {
    let digits: Vec<u32> = run[start..end].chars().filter_map(|c| c.to_digit(10)).collect();
    (13..=19).contains(&digits.len()) && (2..=6).contains(&digits[0]) && passes_luhn(&digits)
}

fn passes_luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, &digit)| match (at % 2, digit) {
            (0, digit) => digit,
            (_, 9) => 9,
            (_, digit) => digit * 2 % 9,
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(PlaceholderRedactor::default().text(text), expected);
    }

    #[test]
    fn each_kind_has_its_placeholder() {
        check("write to ann@example.org", "write to [email-a]");
        check("card 4111 1111 1111 1111.", "card [card-a].");
        check("ssn 123-45-6789", "ssn [ssn-a]");
        check("order 1234567890123", "order [id-a]");
        check("call +44 20 7946 0958 or (555) 123-4567", "call [phone-a] or [phone-b]");
        check("from 10.0.0.255 and 2001:db8:0:0:0:0:0:1", "from [ip-a] and [ip-b]");
        check("see https://example.org/a?b=1.", "see [url-a].");
    }

    #[test]
    fn what_only_looks_alike_stays() {
        check(
            "2026-11-30, version 1.2.3.4.5, 300.1.1.1",
            "2026-11-30, version 1.2.3.4.5, 300.1.1.1",
        );
        check("1234-45-6789 and 123-45-67890", "1234-45-6789 and 123-45-67890");
        check("at 12:30:45, cafe::1", "at 12:30:45, cafe::1");
    }

    #[test]
    fn a_card_is_found_beside_another_number() {
        check("12 5500 0000 0000 0004 7", "12 [card-a] 7");
        check("5500000000000004", "[card-a]");
        check("5500000000000005", "[id-a]");
    }

    #[test]
    fn one_value_has_one_placeholder_everywhere() {
        let mut redactor = PlaceholderRedactor::default();
        let value = redactor.value(&json!({"a": "x@a.org y@a.org", "x@a.org": ["y@a.org"]}));
        assert_eq!(value, json!({"a": "[email-a] [email-b]", "[email-a]": ["[email-b]"]}));
        assert_eq!(redactor.text("y@a.org"), "[email-b]");
    }

    #[test]
    fn a_placeholder_in_the_text_is_never_given_out_again() {
        let values = [json!("said [email-a] and [url-b]")];
        let mut redactor = PlaceholderRedactor::reserving(&values);
        assert_eq!(redactor.text("ann@example.org [email-a]"), "[email-b] [email-a]");
        assert_eq!(redactor.text("http://a.org/1 http://a.org/2"), "[url-a] [url-c]");
    }

    #[test]
    fn a_redacted_text_stays_as_it_is() {
        let mut redactor = PlaceholderRedactor::default();
        let once = redactor
            .text("ann@example.org https://a.org/1234567890123 Bearer abcdefghijklmnopqrst");
        assert_eq!(once, "[email-a] [url-a] Bearer [REDACTED]");
        assert_eq!(redactor.text(&once), once);
    }

    #[test]
    fn credentials_become_one_marker() {
        check("sk-abcdefghijklmnopqrstuv", CREDENTIAL_MARKER);
        let value = json!({"api_key": "short", "nextPageToken": "p2"});
        let redacted = PlaceholderRedactor::default().value(&value);
        assert_eq!(redacted, json!({"api_key": CREDENTIAL_MARKER, "nextPageToken": "p2"}));
    }

    #[test]
    fn long_whole_numbers_are_redacted_too() {
        let value =
            json!([4_111_111_111_111_111_u64, 1_700_000_000_000_u64, 12.345_678_901_234_56, 42]);
        let redacted = PlaceholderRedactor::default().value(&value);
        assert_eq!(redacted, json!(["[card-a]", "[id-a]", 12.345_678_901_234_56, 42]));
    }

    #[test]
    fn letters_go_on_after_z() {
        let names: Vec<String> = [0, 25, 26, 27, 701, 702].into_iter().map(letters).collect();
        assert_eq!(names, ["a", "z", "aa", "ab", "zz", "aaa"]);
    }
}
