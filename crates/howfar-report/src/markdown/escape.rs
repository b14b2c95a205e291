//! Foreign text in Markdown: always a code span, because nothing inside one is markup, a link, an image, a mention or a
//! reference, whatever reads it.

use crate::text::{clip, sanitize};

/// The most characters of one foreign text.
const MAX_CHARACTERS: usize = 300;

/// Foreign text as a code span, on one line. Control, bidirectional and invisible characters become visible escapes, and
/// the fence is longer than any run of backticks in the text.
pub(super) fn code(text: &str) -> String {
    let clipped = clip(text, MAX_CHARACTERS);
    let text = sanitize(&clipped);
    if text.trim().is_empty() {
        return "(no text)".to_owned();
    }
    let fence = "`".repeat(longest_run(&text, '`') + 1);
    // One space at each end is not part of the span's text.
    let pad = if text.starts_with([' ', '`']) || text.ends_with([' ', '`']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The same inside a table, where a pipe ends the cell even inside a code span unless a backslash stands before it.
/// Readers disagree about a pipe after a backslash, so that one becomes a visible escape.
pub(super) fn cell_code(text: &str) -> String {
    code(&text.replace("\\|", "\\\\u{7c}")).replace('|', "\\|")
}

/// The length of the longest run of a character.
fn longest_run(text: &str, wanted: char) -> usize {
    let runs = text.split(|character| character != wanted);
    runs.map(|run| run.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_span_ends_it() {
        assert_eq!(code("a ``b`` <script>"), "```a ``b`` <script>```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("@all [x](http://e.example)"), "`@all [x](http://e.example)`");
    }

    #[test]
    fn nothing_in_a_cell_ends_it() {
        assert_eq!(cell_code("a | b"), "`a \\| b`");
        assert_eq!(cell_code("a \\|| b"), "`a \\\\u{7c}\\| b`");
    }

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(code("a\n\u{1b}[31m\u{202e}"), "`a\\n\\u{1b}[31m\\u{202e}`");
        assert_eq!(code(" \n"), "`  \\n `");
        assert_eq!(code(" "), "(no text)");
    }
}
