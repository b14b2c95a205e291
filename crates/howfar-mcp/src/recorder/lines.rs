//! Cutting a byte stream into lines of bounded length.

/// One line of a stream, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// A whole line; bytes that are not UTF-8 are replaced.
    Whole(String),
    /// A line over the limit: its start, and how many bytes it had until the limit was passed.
    TooLong {
        /// The first bytes.
        start: String,
    },
}

/// Bytes of a line over the limit that are kept.
const KEPT_START: usize = 4096;

/// Cuts chunks into lines. Memory is bounded by the limit plus one chunk.
#[derive(Debug)]
pub(crate) struct LineSplitter {
    limit: usize,
    buffer: Vec<u8>,
    /// The rest of a line over the limit is being skipped.
    skipping: bool,
}

impl LineSplitter {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, buffer: Vec::new(), skipping: false }
    }

    /// The lines that end in `chunk`, and every line that passes the limit in it.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (index, part) in chunk.split(|byte| *byte == b'\n').enumerate() {
            if index > 0 {
                self.end_line(&mut lines);
            }
            self.extend(part, &mut lines);
        }
        lines
    }

    /// What stands after the last line end; `None` when nothing does.
    pub(crate) fn finish(&mut self) -> Option<Line> {
        let mut lines = Vec::new();
        if !self.buffer.is_empty() {
            self.end_line(&mut lines);
        }
        lines.pop()
    }

    fn extend(&mut self, part: &[u8], lines: &mut Vec<Line>) {
        if self.skipping {
            return;
        }
        if self.buffer.len() + part.len() > self.limit {
            self.buffer.extend_from_slice(&part[..part.len().min(KEPT_START)]);
            self.buffer.truncate(KEPT_START);
            lines.push(Line::TooLong { start: String::from_utf8_lossy(&self.buffer).into_owned() });
            self.buffer = Vec::new();
            self.skipping = true;
        } else {
            self.buffer.extend_from_slice(part);
        }
    }

    fn end_line(&mut self, lines: &mut Vec<Line>) {
        if std::mem::take(&mut self.skipping) {
            return;
        }
        let bytes = std::mem::take(&mut self.buffer);
        let text = bytes.strip_suffix(b"\r").unwrap_or(&bytes);
        lines.push(Line::Whole(String::from_utf8_lossy(text).into_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(limit: usize, chunks: &[&str], expected: &[Line]) {
        let mut splitter = LineSplitter::new(limit);
        let mut lines: Vec<Line> =
            chunks.iter().flat_map(|chunk| splitter.push(chunk.as_bytes())).collect();
        lines.extend(splitter.finish());
        assert_eq!(lines, expected);
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.to_owned())
    }

    #[test]
    fn lines_span_chunks_and_the_last_may_lack_its_end() {
        check(99, &["a\r\nb", "c\n\nd"], &[whole("a"), whole("bc"), whole(""), whole("d")]);
    }

    #[test]
    fn a_long_line_is_reported_once_and_the_next_is_whole() {
        let long = Line::TooLong { start: "abcdefgh".to_owned() };
        check(6, &["abcd", "efgh", "ijkl", "mn\nok\n"], &[long, whole("ok")]);
    }
}
