//! Foreign text made safe to show, and how wide text is.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

/// What begins a command anywhere in a line of a CI job's log.
const LOG_COMMAND: &str = "##[";

/// What begins a command where it begins a line.
const LINE_COMMAND: &str = "::";

/// Text with every character that could deceive a reader, or drive a terminal or the log of a CI job, as a visible escape.
///
/// Line feed, carriage return and tab become `\n`, `\r` and `\t`; other control characters, bidirectional controls,
/// invisible characters and noncharacters become `\u{202e}`; `##[`, and `::` at the beginning of the text, which begin a
/// command in some logs, become `#\u{23}[` and `\u{3a}:`. Everything that a server, a model or a file wrote passes through here on its way to a terminal or an XML
/// document.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let is_command = text.trim_start().starts_with(LINE_COMMAND);
    if !is_command && !text.contains(LOG_COMMAND) && !text.chars().any(is_deceptive) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut colon = is_command.then_some(':');
    for (at, character) in text.char_indices() {
        match character {
            '#' if text[..at].ends_with('#') && text[at + 1..].starts_with('[') => {
                push_escape(&mut out, character);
            }
            ':' if colon.take().is_some() => push_escape(&mut out, character),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other if is_deceptive(other) => push_escape(&mut out, other),
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

/// JSON text with the same characters as JSON escapes (`\\u202e`), so that it parses to the same value. JSON escapes the
/// first controls itself; this is for the others.
pub fn sanitize_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_deceptive) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_deceptive(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("writing to a string cannot fail");
            }
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Whether a character is a control, changes the direction of text, is invisible, or may not stand in XML 1.0.
fn is_deceptive(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
        || u32::from(character) & 0xfffe == 0xfffe
}

fn push_escape(out: &mut String, character: char) {
    write!(out, "\\u{{{:x}}}", u32::from(character)).expect("writing to a string cannot fail");
}

/// Text in ASCII alone: marks and punctuation of ours have a fallback (look, "The five states"), other characters
/// become escapes.
pub(crate) fn to_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '✓' => out.push('+'),
            '✗' => out.push('x'),
            '⇥' => out.push('>'),
            '–' | '—' | '−' => out.push('-'),
            '→' => out.push_str("->"),
            '□' => out.push('o'),
            '·' => out.push('|'),
            '…' => out.push_str("..."),
            ascii if ascii.is_ascii() => out.push(ascii),
            other => push_escape(&mut out, other),
        }
    }
    Cow::Owned(out)
}

/// How many terminal columns sanitized text takes.
pub(crate) fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// The first `limit` characters, and how long the whole is when something was cut.
pub(crate) fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            Cow::Owned(format!("{}… ({} characters in all)", &text[..end], text.chars().count()))
        }
    }
}

/// JSON on one line, keys in the given order, with a space after each comma and colon so that it can wrap.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    value.serialize(&mut serializer).expect("a JSON value serializes into memory");
    String::from_utf8(bytes).expect("JSON text is UTF-8")
}

/// Compact JSON with a space after commas and colons.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()>
    where
        W: ?Sized + std::io::Write,
    {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()>
    where
        W: ?Sized + std::io::Write,
    {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W>(&mut self, writer: &mut W) -> std::io::Result<()>
    where
        W: ?Sized + std::io::Write,
    {
        writer.write_all(b": ")
    }
}

/// "1 trial", "2 trials".
pub(crate) fn count(number: impl Into<u64>, unit: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

/// A fraction in percent, with at most two decimals: "66.67 %".
pub(crate) fn percent(fraction: f64) -> String {
    let text = format!("{:.2}", fraction * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// "2 of 3 (66.67 %)"; over nothing there is neither a quotient nor a percent.
pub(crate) fn share(numerator: u64, denominator: u64) -> String {
    match denominator {
        0 => "not measured".to_owned(),
        _ => {
            let fraction = percent(numerator as f64 / denominator as f64);
            format!("{numerator} of {denominator} ({fraction})")
        }
    }
}

/// "trial 2"; "trials 1, 3 and 5"; runs of three and more are joined: "trials 1 to 4 and 7".
pub(crate) fn trial_list(numbers: &[u32]) -> String {
    let plural = if numbers.len() == 1 { "" } else { "s" };
    format!("trial{plural} {}", listed(&runs(numbers)))
}

/// Numbers, with runs of three and more as one part.
fn runs(numbers: &[u32]) -> Vec<String> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            Some(_) | None => runs.push((number, number)),
        }
    }
    let mut parts = Vec::new();
    for (first, last) in runs {
        match last - first {
            0 => parts.push(first.to_string()),
            1 => parts.extend([first.to_string(), last.to_string()]),
            2.. => parts.push(format!("{first} to {last}")),
        }
    }
    parts
}

/// "a", "a and b", "a, b and c".
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hostile_characters_become_visible() {
        assert_eq!(sanitize("safe — ünïcode ✓"), "safe — ünïcode ✓");
        assert_eq!(sanitize("\u{1b}[31mred\u{202e}\u{200b}"), "\\u{1b}[31mred\\u{202e}\\u{200b}");
        assert_eq!(sanitize("a\r\n\tb\u{85}\u{ffff}"), "a\\r\\n\\tb\\u{85}\\u{ffff}");
    }

    #[test]
    fn no_text_begins_a_command_of_a_log() {
        assert_eq!(sanitize("a ###[error]b #[c]"), "a ##\\u{23}[error]b #[c]");
        assert_eq!(sanitize(" ::error::b"), " \\u{3a}:error::b");
    }

    #[test]
    fn sanitized_text_stays_as_it_is() {
        let once = sanitize("\u{0}\u{2066}\n").into_owned();
        assert_eq!(sanitize(&once), once);
    }

    #[test]
    fn sanitized_json_parses_to_the_same_value() {
        let value = json!({"a\u{202e}": "\u{7f}\u{e0041}\n\u{1b}"});
        let text = value.to_string();
        let safe = sanitize_json(&text);
        assert!(safe.is_ascii(), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).ok(), Some(value));
    }

    #[test]
    fn ascii_text_keeps_the_meaning_of_marks() {
        assert_eq!(to_ascii("✓ ✗ ⇥ – é"), "+ x > - \\u{e9}");
    }

    #[test]
    fn cut_text_says_its_length() {
        assert_eq!(clip("äbc", 3), "äbc");
        assert_eq!(clip("äbcd", 3), "äbc… (4 characters in all)");
    }

    #[test]
    fn json_keeps_its_keys_in_order() {
        assert_eq!(json_line(&json!({"b": [1, 2.0], "a": "x"})), r#"{"b": [1, 2.0], "a": "x"}"#);
    }

    #[test]
    fn numbers_are_folded_into_runs() {
        assert_eq!(trial_list(&[1, 3, 5]), "trials 1, 3 and 5");
        assert_eq!(trial_list(&[1, 2, 3, 4, 7]), "trials 1 to 4 and 7");
        assert_eq!(trial_list(&[2]), "trial 2");
    }

    #[test]
    fn a_percent_has_no_needless_decimals() {
        assert_eq!((percent(0.29), percent(1.0)), ("29 %".to_owned(), "100 %".to_owned()));
        assert_eq!(percent(2.0 / 3.0), "66.67 %");
    }
}
