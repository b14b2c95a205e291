//! The one way of text into a page: control and bidirectional characters become visible, markup becomes text.

use std::fmt::{self, Write};

use askama::filters::{Escaper, Html};

use crate::text::sanitize;

/// The escaper of every template: first [`sanitize`], then the escapes of HTML.
#[derive(Debug, Clone, Copy, Default)]
pub struct Visible;

impl Escaper for Visible {
    fn write_escaped_str<W: Write>(&self, dest: W, text: &str) -> fmt::Result {
        Html.write_escaped_str(dest, &sanitize(text))
    }
}

/// Text of several lines: escaped like any other text, but its line breaks stay line breaks.
#[derive(Debug, Clone, Copy)]
pub struct Prose<'a>(pub &'a str);

impl fmt::Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.0.split('\n').enumerate() {
            if index > 0 {
                f.write_char('\n')?;
            }
            write_line(line.strip_suffix('\r').unwrap_or(line), f)?;
        }
        Ok(())
    }
}

/// One line. `::` at its beginning would be a command to a CI job whose log shows the page; as a reference it reads the
/// same in a browser.
fn write_line(line: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = line.trim_start();
    match text.strip_prefix(':') {
        Some(rest) => {
            Visible.write_escaped_str(&mut *f, &line[..line.len() - text.len()])?;
            f.write_str("&#58;")?;
            Visible.write_escaped_str(f, rest)
        }
        None => Visible.write_escaped_str(f, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_controls_and_bidi_are_text() {
        let mut out = String::new();
        let hostile = "<script>\"'&\u{1b}[31m\u{202e}\n";
        Visible.write_escaped_str(&mut out, hostile).expect("a string takes text");
        assert_eq!(out, "&#60;script&#62;&#34;&#39;&#38;\\u{1b}[31m\\u{202e}\\n");
    }

    #[test]
    fn prose_keeps_its_lines_and_nothing_else() {
        assert_eq!(Prose("a\r\n<b>\u{7}\n").to_string(), "a\n&#60;b&#62;\\u{7}\n");
    }

    #[test]
    fn no_line_of_prose_begins_with_a_command_of_a_log() {
        assert_eq!(Prose("a\n  ::error::b: c").to_string(), "a\n  &#58;:error::b: c");
    }
}
