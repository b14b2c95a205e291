//! JSON that stands in a text part, read as deep as the identifier walk looks (friction, sections A7 and A18).
//!
//! Deep documents are cut, not refused, and a number beyond doubles does not spoil its neighbours; both would make the
//! usual reader give up on the whole text.

use howfar_wire::canon::es_trim;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Number, Value};

/// Whether a text could be a JSON document.
pub(super) fn looks_like_json(part: &str) -> bool {
    let text = es_trim(part);
    (text.starts_with('{') && text.contains('}')) || (text.starts_with('[') && text.contains(']'))
}

/// The JSON document of a text; `None` when it is none, or escapes half a surrogate pair.
///
/// Where the usual reader gives up, containers below `depth` levels are reduced to "empty" (`[]`) or "not empty"
/// (`[null]`), lists to `items` entries, and numbers beyond doubles to null.
pub(super) fn json_document(part: &str, depth: usize, items: usize) -> Option<Value> {
    serde_json::from_str(part).ok().or_else(|| bounded_document(part, depth, items))
}

fn bounded_document(part: &str, depth: usize, items: usize) -> Option<Value> {
    if has_lone_surrogate(part) {
        return None;
    }
    let raw: &RawValue = serde_json::from_str(part).ok()?;
    bounded(raw, Bounds { depth, items }).ok()
}

#[derive(Clone, Copy)]
struct Bounds {
    depth: usize,
    items: usize,
}

fn bounded(raw: &RawValue, bounds: Bounds) -> serde_json::Result<Value> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{' | b'[') => bounds.deserialize(&mut Deserializer::from_str(text)),
        Some(b'-' | b'0'..=b'9') => {
            Ok(text.parse().ok().and_then(Number::from_f64).map_or(Value::Null, Value::Number))
        }
        _ => serde_json::from_str(text),
    }
}

impl<'de> DeserializeSeed<'de> for Bounds {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounds {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut kept = Vec::new();
        while kept.len() < self.items {
            let Some(raw) = list.next_element::<&RawValue>()? else { break };
            kept.push(self.below(raw)?);
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(if self.depth == 0 { reduced(kept.is_empty()) } else { Value::Array(kept) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some((key, raw)) = map.next_entry::<String, &RawValue>()? {
            kept.insert(key, self.below(raw)?);
        }
        Ok(if self.depth == 0 { reduced(kept.is_empty()) } else { Value::Object(kept) })
    }
}

impl Bounds {
    /// What stands one level further down; nothing of it matters below the last level.
    fn below<E: serde::de::Error>(self, raw: &RawValue) -> Result<Value, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => bounded(raw, Self { depth, ..self }).map_err(E::custom),
            None => Ok(Value::Null),
        }
    }
}

fn reduced(is_empty: bool) -> Value {
    Value::Array(if is_empty { Vec::new() } else { vec![Value::Null] })
}

/// Whether a `\u` escape gives one half of a surrogate pair without the other.
fn has_lone_surrogate(text: &str) -> bool {
    let mut rest = text;
    let mut awaits_low = false;
    while let Some(at) = rest.find('\\') {
        if awaits_low && at > 0 {
            return true;
        }
        let escape = &rest[at + 1..];
        let unit = escape.strip_prefix('u').and_then(|digits| digits.get(..4));
        let unit = unit.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        match (awaits_low, unit) {
            (false, Some(0xd800..=0xdbff)) => awaits_low = true,
            (true, Some(0xdc00..=0xdfff)) => awaits_low = false,
            (true, _) | (false, Some(0xdc00..=0xdfff)) => return true,
            (false, _) => {}
        }
        let len = if unit.is_some() { 5 } else { escape.chars().next().map_or(0, char::len_utf8) };
        rest = &escape[len..];
    }
    awaits_low
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Option<Value> {
        bounded_document(text, 2, 3)
    }

    #[test]
    fn depth_and_length_are_cut_and_nothing_is_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(read(&deep), Some(json!({"a": [[null]]})));
        assert_eq!(read("[[[]], [{}], 1, 2, 3]"), Some(json!([[[]], [[]], 1.0])));
    }

    #[test]
    fn a_number_beyond_doubles_spoils_nothing() {
        assert_eq!(read(r#"{"a":1e999,"id":"X-1"}"#), Some(json!({"a": null, "id": "X-1"})));
        assert_eq!(read("[1e999"), None);
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        assert_eq!(read(r#"{"id":"A-1","id":"B-2"}"#), Some(json!({"id": "B-2"})));
    }

    #[test]
    fn half_a_pair_and_a_byte_order_mark_make_no_document() {
        assert_eq!(read(r#"["\ud83d"]"#), None);
        assert_eq!(read(r#"["\ud83d\\ude00"]"#), None);
        assert_eq!(read(r#"["\ude00"]"#), None);
        assert_eq!(read(r#"["\\ud83d \ud83d\ude00"]"#), Some(json!(["\\ud83d \u{1f600}"])));
        assert_eq!(read("\u{feff}[1]"), None);
    }
}
