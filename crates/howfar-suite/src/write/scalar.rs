//! Text and keys as YAML: plain where that is safe, a literal block for lines, quotes for everything else.

use crate::yaml::is_plain_text;

/// The longest text that may stand before a colon on one line; the parser looks 1024 characters ahead.
const MAX_SIMPLE_KEY: usize = 1000;

/// A key, without its colon.
pub(super) fn write_key(out: &mut String, key: &str, indent: usize) {
    let start = out.len();
    write_inline(out, key);
    if out.len() - start > MAX_SIMPLE_KEY {
        out.insert_str(start, "? ");
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
    }
}

/// A text with the line break that ends it; `indent` is where the lines of a block would stand.
pub(super) fn write_text(out: &mut String, text: &str, indent: usize) {
    if is_block(text) {
        out.push_str(if text.ends_with('\n') { "|\n" } else { "|-\n" });
        for line in text.lines() {
            if !line.is_empty() {
                out.extend(std::iter::repeat_n(' ', indent));
                out.push_str(line);
            }
            out.push('\n');
        }
        return;
    }
    write_inline(out, text);
    out.push('\n');
}

fn write_inline(out: &mut String, text: &str) {
    if is_plain(text) { out.push_str(text) } else { write_quoted(out, text) }
}

/// Whether a text of several lines survives as a literal block: every character shows, the first line is neither blank
/// nor indented, at most one line break ends it.
fn is_block(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    body.contains('\n')
        && !body.ends_with('\n')
        && !body.starts_with([' ', '\n'])
        && body.chars().all(|c| c == '\n' || shows(c))
        && body
            .lines()
            .all(|line| !line.ends_with(' ') && (line.is_empty() || !line.trim().is_empty()))
}

/// Whether a text survives without quotes, by a rule that is stricter than YAML's.
fn is_plain(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/' || c == '_');
    let ends_well = !text.ends_with([' ', ':']);
    let safe = |c: char| shows(c) && !matches!(c, '\n' | '#' | '"' | '\'' | '\\');
    starts_well
        && ends_well
        && text.chars().all(safe)
        && !text.contains(": ")
        && is_plain_text(text)
}

/// Whether a reader sees the character: YAML's printable ones without those that reorder or hide other text.
pub(crate) fn shows(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
        && !matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

fn write_quoted(out: &mut String, text: &str) {
    use std::fmt::Write as _;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if shows(c) => out.push(c),
            c if u32::from(c) <= 0xffff => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
}
