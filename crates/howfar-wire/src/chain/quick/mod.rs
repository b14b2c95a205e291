//! Reading a derivation input at the speed that deriving thousands of stored trials asks for.
//!
//! The quick reader knows the documents of the chain by their keys, borrows every string it can and builds no error.
//! It takes text as programs write it and never says no: where it meets anything else (a wrong type, a missing or a
//! repeated key, a text that is no JSON, a `null` where a list may stand) it has a [`Doubt`], and [`from_str`] reads
//! the whole text again with `serde_json`, which alone decides what is an error and words it.

mod cursor;
mod documents;

use serde::Deserialize;
use serde::de::value::BorrowedStrDeserializer;
use serde_json::Number;

use super::{Elided, StageInput, Text};
use cursor::Cursor;
pub(super) use cursor::is_plain;

/// Reads an input: the value, or the error, that `serde_json::from_str` gives.
pub(super) fn from_str(text: &str) -> serde_json::Result<StageInput<'_>> {
    read(text).or_else(|Doubt| serde_json::from_str(text))
}

fn read<'a, T: Quick<'a>>(text: &'a str) -> Doubtful<T> {
    let mut cursor = Cursor::new(text);
    let value = T::quick(&mut cursor)?;
    cursor.end()?;
    Ok(value)
}

/// The quick reader does not vouch for this text. It does not say that the text is no document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Doubt;

/// A part that was read, or doubt about the whole text.
type Doubtful<T> = Result<T, Doubt>;

/// A value that the quick reader reads as serde reads it, or not at all.
trait Quick<'a>: Sized {
    /// The value at the cursor, which then stands behind it.
    fn quick(cursor: &mut Cursor<'a>) -> Doubtful<Self>;
}

impl Quick<'_> for bool {
    #[inline]
    fn quick(cursor: &mut Cursor<'_>) -> Doubtful<Self> {
        let value = cursor.peek()? == b't';
        cursor.literal(if value { "true" } else { "false" })?;
        Ok(value)
    }
}

impl Quick<'_> for Number {
    fn quick(cursor: &mut Cursor<'_>) -> Doubtful<Self> {
        cursor.number()
    }
}

impl Quick<'_> for u64 {
    fn quick(cursor: &mut Cursor<'_>) -> Doubtful<Self> {
        cursor.number()?.as_u64().ok_or(Doubt)
    }
}

impl<'a> Quick<'a> for Text<'a> {
    fn quick(cursor: &mut Cursor<'a>) -> Doubtful<Self> {
        cursor.string()
    }
}

impl Quick<'_> for Elided {
    fn quick(cursor: &mut Cursor<'_>) -> Doubtful<Self> {
        cursor.skip().map(|()| Self)
    }
}

impl<'a, T: Quick<'a>> Quick<'a> for Option<T> {
    #[inline]
    fn quick(cursor: &mut Cursor<'a>) -> Doubtful<Self> {
        if cursor.peek()? == b'n' {
            return cursor.literal("null").map(|()| None);
        }
        T::quick(cursor).map(Some)
    }
}

impl<'a, T: Quick<'a>> Quick<'a> for Vec<T> {
    fn quick(cursor: &mut Cursor<'a>) -> Doubtful<Self> {
        let mut items = Self::new();
        let mut more = cursor.open(b'[', b']')?;
        while more {
            items.push(T::quick(cursor)?);
            more = cursor.next_entry(b']')?;
        }
        Ok(items)
    }
}

/// A member of a closed list, by the spelling that serde knows.
fn word<'a, T: Deserialize<'a>>(cursor: &mut Cursor<'a>) -> Doubtful<T> {
    let word = cursor.plain_string()?;
    T::deserialize(BorrowedStrDeserializer::<serde::de::value::Error>::new(word)).map_err(|_| Doubt)
}

#[cfg(test)]
mod tests;
