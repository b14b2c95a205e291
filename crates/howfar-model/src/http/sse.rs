//! Server-sent events from bytes, lenient as the standard is: unknown fields and stray lines are skipped.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Event {
    /// The `event` field; empty when there was none.
    pub(crate) name: String,
    /// The `data` lines, joined by line breaks.
    pub(crate) data: String,
    /// Whether the body ended before the blank line that ends an event, so that the data may be cut.
    pub(crate) unfinished: bool,
}

/// Cuts a byte stream into events.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    line: Vec<u8>,
    after_cr: bool,
    event: Event,
    has_data: bool,
}

impl Decoder {
    /// Takes the next bytes and gives the events that they complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, *byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(*byte),
            }
        }
        events
    }

    /// The event that the end of the body left unfinished. The standard drops it, but some servers leave out the blank
    /// line after their last event.
    pub(super) fn finish(&mut self) -> Option<Event> {
        if !self.line.is_empty() {
            self.end_line();
        }
        let event = Event { unfinished: true, ..std::mem::take(&mut self.event) };
        std::mem::take(&mut self.has_data).then_some(event)
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches('\u{feff}');
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event.name),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[&str], expected: &[(&str, &str)]) {
        let mut decoder = Decoder::default();
        let events: Vec<_> =
            pieces.iter().flat_map(|piece| decoder.push(piece.as_bytes())).collect();
        let event = |(name, data): &(&str, &str)| Event {
            name: (*name).into(),
            data: (*data).into(),
            unfinished: false,
        };
        assert_eq!(events, expected.iter().map(event).collect::<Vec<_>>());
    }

    #[test]
    fn pieces_may_cut_anywhere() {
        check(&["da", "ta: a\r", "\n\r\ndata:b\n", "\n"], &[("", "a"), ("", "b")]);
    }

    #[test]
    fn every_cut_gives_the_same_events() {
        let text = "\u{feff}event: é\r\ndata: 1\r\rdata\n\n:x\ndata:2\n\n";
        let whole = Decoder::default().push(text.as_bytes());
        assert_eq!(whole.len(), 3);
        for cut in 0..text.len() {
            let (before, after) = text.as_bytes().split_at(cut);
            let mut decoder = Decoder::default();
            let mut events = decoder.push(before);
            events.extend(decoder.push(after));
            assert_eq!(events, whole, "cut at {cut}");
        }
    }

    #[test]
    fn data_lines_join_and_names_hold() {
        check(&["event: x\ndata: 1\ndata: 2\n\n"], &[("x", "1\n2")]);
    }

    #[test]
    fn comments_unknown_fields_and_bare_lines_are_skipped() {
        check(&[": ping\n\nfoo: 1\nbare\ndata: 1\n\n"], &[("", "1")]);
    }

    #[test]
    fn the_end_of_the_body_gives_the_unfinished_event() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"data: 1"), []);
        let event = Event { data: "1".into(), unfinished: true, ..Event::default() };
        assert_eq!((decoder.finish(), decoder.finish()), (Some(event), None));
    }
}
