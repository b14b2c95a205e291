//! Whether a call's arguments carry an identifier (friction, section A8).

use std::collections::HashMap;

use super::derive::Call;

/// Whether canonical arguments carry an identifier, as a word of its own.
///
/// The text is searched as it is written: keys count, and what JSON escapes is never found.
pub(super) fn carries(arguments: &str, identifier: &str) -> bool {
    let Some(first) = identifier.chars().next() else { return false };
    let bytes = arguments.as_bytes();
    let mut from = 0;
    while let Some(at) = arguments[from..].find(identifier).map(|at| from + at) {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let after = bytes.get(at + identifier.len());
        if !before.is_some_and(is_word) && !after.is_some_and(is_word) {
            return true;
        }
        from = at + first.len_utf8();
    }
    false
}

const fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// The words of the arguments of all calls of a trial.
///
/// An identifier that is carried brings each of its own words along as a whole word, so that only the calls with one of
/// them have to be searched.
pub(super) struct WordIndex<'c> {
    calls: HashMap<&'c str, Vec<usize>>,
    all: Vec<usize>,
}

impl<'c> WordIndex<'c> {
    pub(super) fn of(calls: &'c [Call<'_, '_>]) -> Self {
        let mut index = Self { calls: HashMap::new(), all: (0..calls.len()).collect() };
        for (at, call) in calls.iter().enumerate() {
            for word in words(call.arguments.whole()) {
                let positions = index.calls.entry(word).or_default();
                if positions.last() != Some(&at) {
                    positions.push(at);
                }
            }
        }
        index
    }

    /// The positions of the calls that may carry an identifier, ascending.
    pub(super) fn candidates(&self, identifier: &str) -> &[usize] {
        match words(identifier).max_by_key(|word| word.len()) {
            Some(word) => self.calls.get(word).map_or(&[], Vec::as_slice),
            None => &self.all,
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::friction::arguments::ArgumentText;
    use crate::friction::{CallRecord, FrictionInput, call_records};

    fn text_of(record: &CallRecord<'_>) -> ArgumentText {
        ArgumentText::of(record.arguments).expect("canonical arguments")
    }

    #[test]
    fn an_identifier_is_carried_as_a_word() {
        assert!(carries(r#"{"q":"item-123"}"#, "123"));
        assert!(carries(r#"{"123":1}"#, "123"));
        assert!(carries("\"\u{e9}123\u{e9}\"", "123"));
        assert!(!carries(r#"{"q":"1234 a_123"}"#, "123"));
    }

    #[test]
    fn overlapping_places_are_all_tried() {
        assert!(carries(r#""xaa-aa-aa""#, "aa-aa"));
        assert!(!carries(r#""xaa-aax""#, "aa-aa"));
    }

    #[test]
    fn escapes_hide_an_identifier() {
        assert!(!carries(r#""\n123""#, "123"));
        assert!(!carries(r#""a\"b""#, "a\"b"));
    }

    #[test]
    fn the_index_finds_every_call_that_carries_an_identifier() {
        let texts = ["a ORDER-7 b", "ORDER", "ORDERS-7"];
        let input = json!({"toolsCalled": texts.map(|text| json!({"arguments": text}))});
        let records = call_records(&FrictionInput::parse(&input).expect("an input"));
        let call = |record| Call { record, arguments: text_of(record) };
        let calls: Vec<_> = records.iter().map(call).collect();
        let index = WordIndex::of(&calls);
        assert_eq!(index.candidates("ORDER-7"), [0, 1]);
        assert_eq!(index.candidates("7"), [0, 2]);
        assert_eq!(index.candidates("---"), [0, 1, 2]);
    }
}
