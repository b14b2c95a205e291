//! A page of wrapped lines: every piece of text is sanitized, measured, painted and broken here and nowhere else.

use std::fmt;

use howfar_wire::vocabulary::StageState;

use crate::text::{columns, sanitize, to_ascii};

/// How a page looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// The most columns of a line.
    pub(crate) width: usize,
    /// Whether only ASCII is written.
    pub(crate) ascii: bool,
    /// Whether ANSI colours are written.
    pub(crate) color: bool,
}

/// How text for a terminal looks.
#[derive(Debug, Clone, Copy)]
pub struct TextOptions {
    /// The most columns of a line; at least 60 and at most 100 are used.
    pub width: usize,
    /// Whether marks have their ASCII fallback and every other character is escaped.
    pub ascii: bool,
    /// Whether ANSI colours are written. Every colour repeats what a mark or a word says.
    pub color: bool,
}

impl TextOptions {
    pub(crate) fn look(&self) -> Look {
        Look { width: self.width.clamp(60, 100), ascii: self.ascii, color: self.color }
    }
}

/// How a piece of text is painted. A style never carries meaning alone: a mark or a word says the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Strong,
    Faint,
    Good,
    Bad,
    Open,
}

impl Style {
    /// The ANSI parameters.
    const fn ansi(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Good => "32",
            Self::Bad => "31",
            Self::Open => "33",
        }
    }

    /// The style of a stage state.
    pub(crate) const fn of(state: StageState) -> Self {
        match state {
            StageState::Passed => Self::Good,
            StageState::Failed => Self::Bad,
            StageState::NotMeasured => Self::Open,
            StageState::NotReached | StageState::NotApplicable => Self::Faint,
        }
    }
}

/// The mark of a stage state.
pub(crate) const fn mark(state: StageState) -> &'static str {
    match state {
        StageState::Passed => "✓",
        StageState::Failed => "✗",
        StageState::NotReached => "⇥",
        StageState::NotMeasured => "?",
        StageState::NotApplicable => "–",
    }
}

/// One logical line, wrapped when written. Lines after the first stand at the hanging indent.
#[derive(Debug, Default)]
pub(crate) struct Paragraph {
    indent: usize,
    hang: usize,
    spans: Vec<Span>,
}

#[derive(Debug)]
struct Span {
    style: Style,
    text: String,
    kind: SpanKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpanKind {
    /// Breaks at spaces only, so that an id can be copied.
    Flow,
    /// Breaks at spaces, and inside a word that fills more than a line.
    Foreign,
    /// Never breaks; padded to this many columns.
    Atom(usize),
    /// Never breaks and follows the text before it without a space.
    Glued,
}

impl Paragraph {
    /// An empty paragraph.
    pub(crate) fn new(indent: usize, hang: usize) -> Self {
        Self { indent, hang, spans: Vec::new() }
    }

    /// Text that breaks at spaces only.
    pub(crate) fn text(self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text.into(), SpanKind::Flow)
    }

    /// Long text of others: a word that fills more than a line is broken.
    pub(crate) fn foreign(self, text: impl Into<String>) -> Self {
        self.push(Style::Plain, text.into(), SpanKind::Foreign)
    }

    /// Text that is never broken, padded with spaces to `columns`.
    pub(crate) fn atom(self, style: Style, text: impl Into<String>, columns: usize) -> Self {
        self.push(style, text.into(), SpanKind::Atom(columns))
    }

    /// Text that follows the last one without a space.
    pub(crate) fn glued(self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text.into(), SpanKind::Glued)
    }

    fn push(mut self, style: Style, text: String, kind: SpanKind) -> Self {
        self.spans.push(Span { style, text, kind });
        self
    }
}

/// Where a page is written.
pub(crate) struct Page<'a> {
    out: &'a mut dyn fmt::Write,
    look: Look,
}

impl<'a> Page<'a> {
    /// A page on `out`.
    pub(crate) fn new(out: &'a mut dyn fmt::Write, look: Look) -> Self {
        Self { out, look }
    }

    /// How it looks.
    pub(crate) const fn look(&self) -> Look {
        self.look
    }

    /// A blank line and a heading.
    pub(crate) fn heading(&mut self, text: &str) -> fmt::Result {
        self.blank()?;
        self.put(Paragraph::new(0, 0).text(Style::Strong, text))
    }

    /// A blank line.
    pub(crate) fn blank(&mut self) -> fmt::Result {
        self.out.write_char('\n')
    }

    /// Lines that another page of the same look has laid out.
    pub(crate) fn laid_out(&mut self, lines: &str) -> fmt::Result {
        self.out.write_str(lines)
    }

    /// One paragraph.
    pub(crate) fn put(&mut self, paragraph: Paragraph) -> fmt::Result {
        let words = words(&paragraph.spans, self.look, paragraph.hang.max(paragraph.indent));
        let mut line = Line::new(self.look, paragraph.indent);
        for word in &words {
            if !line.fits(word) {
                self.out.write_str(&line.finish())?;
                line = Line::new(self.look, paragraph.hang);
            }
            line.push(word);
        }
        self.out.write_str(&line.finish())
    }
}

/// A piece of text that is never broken.
struct Word {
    style: Style,
    text: String,
    columns: usize,
    glued: bool,
}

/// The words of spans, sanitized and in the characters of the look.
fn words(spans: &[Span], look: Look, hang: usize) -> Vec<Word> {
    let room = look.width.saturating_sub(hang).max(1);
    let mut words = Vec::new();
    for span in spans {
        let safe = sanitize(&span.text);
        let text = if look.ascii { to_ascii(&safe) } else { safe };
        let mut push = |text: &str, glued: bool| {
            let text = no_log_command(text);
            words.push(Word { style: span.style, columns: columns(&text), text, glued });
        };
        match span.kind {
            SpanKind::Flow => text.split(' ').for_each(|word| push(word, false)),
            SpanKind::Foreign => {
                for word in text.split(' ') {
                    let word = no_log_command(word);
                    pieces(&word, room).into_iter().for_each(|piece| push(piece, false));
                }
            }
            SpanKind::Atom(padded) => {
                let missing = padded.saturating_sub(columns(&text));
                push(&format!("{text}{}", " ".repeat(missing)), false);
            }
            SpanKind::Glued => push(&text, true),
        }
    }
    words
}

/// A word that is no command to the log of a CI job, should it come to stand at the beginning of a line.
fn no_log_command(word: &str) -> String {
    match word.strip_prefix("::") {
        Some(rest) => format!("\\u{{3a}}:{rest}"),
        None => word.to_owned(),
    }
}

/// A word cut into pieces of at most `room` columns, none of which begins with `::` unless the word does.
fn pieces(word: &str, room: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = word;
    while columns(rest) > room {
        let fits = |end: usize| columns(&rest[..end]) <= room;
        let ends = rest.char_indices().map(|(start, character)| start + character.len_utf8());
        let ends = ends.take_while(|&end| fits(end));
        let command = |end: usize| rest[end..].starts_with("::") && !rest[end..].starts_with(":::");
        let Some(end) = ends.filter(|&end| !command(end)).last() else { break };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// A line that is being filled.
struct Line {
    look: Look,
    text: String,
    columns: usize,
    empty: bool,
    /// Spaces that are written only when something follows them.
    spaces: usize,
}

impl Line {
    fn new(look: Look, indent: usize) -> Self {
        Self { look, text: String::new(), columns: indent, empty: true, spaces: indent }
    }

    fn fits(&self, word: &Word) -> bool {
        let space = usize::from(!self.empty && !word.glued);
        let used = word.text.trim_end_matches(' ').len();
        let trailing = word.text.len() - used;
        self.empty || self.columns + space + word.columns - trailing <= self.look.width
    }

    fn push(&mut self, word: &Word) {
        if !self.empty && !word.glued {
            self.spaces += 1;
            self.columns += 1;
        }
        self.empty = false;
        self.columns += word.columns;
        let shown = word.text.trim_end_matches(' ');
        if !shown.is_empty() {
            self.text.extend(std::iter::repeat_n(' ', std::mem::take(&mut self.spaces)));
            self.paint(word.style, shown);
        }
        self.spaces += word.text.len() - shown.len();
    }

    fn paint(&mut self, style: Style, text: &str) {
        if self.look.color && style != Style::Plain {
            self.text.push_str("\u{1b}[");
            self.text.push_str(style.ansi());
            self.text.push('m');
            self.text.push_str(text);
            self.text.push_str("\u{1b}[0m");
        } else {
            self.text.push_str(text);
        }
    }

    fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { width: 20, ascii: false, color: false };

    fn lines(look: Look, paragraph: Paragraph) -> String {
        let mut out = String::new();
        Page::new(&mut out, look).put(paragraph).expect("a string takes text");
        out
    }

    #[test]
    fn text_wraps_at_the_hanging_indent() {
        let paragraph = Paragraph::new(2, 4).text(Style::Plain, "one two three four five");
        assert_eq!(lines(LOOK, paragraph), "  one two three four\n    five\n");
    }

    #[test]
    fn an_id_is_never_broken() {
        let paragraph = Paragraph::new(0, 2).text(Style::Plain, "case a-very-long-case-identifier");
        assert_eq!(lines(LOOK, paragraph), "case\n  a-very-long-case-identifier\n");
    }

    #[test]
    fn a_long_word_of_others_is_broken() {
        let paragraph = Paragraph::new(0, 2).text(Style::Plain, "got").foreign("x".repeat(30));
        let wrapped = format!("got\n  {}\n  {}\n", "x".repeat(18), "x".repeat(12));
        assert_eq!(lines(LOOK, paragraph), wrapped);
    }

    #[test]
    fn no_line_begins_with_a_command_of_a_log() {
        let paragraph = Paragraph::new(2, 2).text(Style::Plain, "::error::no a::b");
        assert_eq!(lines(LOOK, paragraph), "  \\u{3a}:error::no\n  a::b\n");
        let paragraph = Paragraph::new(0, 0).foreign(format!("{}::error::no", "x".repeat(20)));
        assert_eq!(lines(LOOK, paragraph), format!("{}\nx::error::no\n", "x".repeat(19)));
    }

    #[test]
    fn colour_does_not_change_where_lines_break() {
        let paragraph = || Paragraph::new(0, 0).text(Style::Bad, "aaaa bbbb cccc dddd eeee");
        let painted = lines(Look { color: true, ..LOOK }, paragraph());
        let plain = painted.replace("\u{1b}[31m", "").replace("\u{1b}[0m", "");
        assert_eq!(plain, lines(LOOK, paragraph()));
    }

    #[test]
    fn padding_leaves_no_space_at_the_end() {
        let paragraph = Paragraph::new(0, 0).atom(Style::Plain, "ab", 6).atom(Style::Plain, "c", 5);
        assert_eq!(lines(LOOK, paragraph), "ab     c\n");
    }
}
