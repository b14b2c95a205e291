//! The tokens of a JSON text, one after another.

use serde_json::Number;

use super::{Doubt, Doubtful};
use crate::chain::Text;

/// How deep lists and objects may stand in each other; `serde_json` takes a little more.
const MAX_DEPTH: u8 = 100;

/// The longest run of digits whose value surely fits a signed 64-bit integer.
const MAX_DIGITS: usize = 18;

/// A place in a JSON text.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    depth: u8,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// Nothing but white space is left.
    pub(super) fn end(&mut self) -> Doubtful<()> {
        self.skip_space();
        if self.at == self.text.len() { Ok(()) } else { Err(Doubt) }
    }

    /// The first byte of the next token, which is not passed.
    #[inline]
    pub(super) fn peek(&mut self) -> Doubtful<u8> {
        match self.byte() {
            Some(byte) if byte > b' ' => Ok(byte),
            Some(_) => {
                self.skip_space();
                self.byte().ok_or(Doubt)
            }
            None => Err(Doubt),
        }
    }

    /// Passes the byte that was peeked.
    #[inline]
    pub(super) const fn pass(&mut self) {
        self.at += 1;
    }

    /// Passes one token of one byte.
    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Doubtful<()> {
        if self.peek()? != byte {
            return Err(Doubt);
        }
        self.pass();
        Ok(())
    }

    /// Passes a literal: `true`, `false` or `null`.
    #[inline]
    pub(super) fn literal(&mut self, word: &str) -> Doubtful<()> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(Doubt);
        }
        self.at += word.len();
        Ok(())
    }

    /// Passes the bracket that opens a list or an object, and the one that closes it when nothing stands between them.
    /// Whether there is a first entry.
    #[inline]
    pub(super) fn open(&mut self, open: u8, close: u8) -> Doubtful<bool> {
        self.expect(open)?;
        if self.peek()? == close {
            self.pass();
            return Ok(false);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Doubt) } else { Ok(true) }
    }

    /// Passes the comma after an entry, or the closing bracket. Whether there is another entry.
    #[inline]
    pub(super) fn next_entry(&mut self, close: u8) -> Doubtful<bool> {
        let byte = self.peek()?;
        self.pass();
        if byte == b',' {
            self.peek()?;
            return Ok(true);
        }
        self.depth -= 1;
        if byte == close { Ok(false) } else { Err(Doubt) }
    }

    /// Passes this key, quotation marks and colon included, when it stands here without white space.
    #[inline]
    pub(super) fn pass_key(&mut self, key: &str) -> bool {
        let is_here = self.rest().starts_with(key.as_bytes());
        if is_here {
            self.at += key.len();
        }
        is_here
    }

    /// Passes a key that is none of those tried before. One that is written in another way might be.
    pub(super) fn skip_other_key(&mut self) -> Doubtful<()> {
        self.plain_string()?;
        if self.byte() != Some(b':') {
            return Err(Doubt);
        }
        self.pass();
        Ok(())
    }

    /// A string. Only one with escapes is copied.
    #[inline]
    pub(super) fn string(&mut self) -> Doubtful<Text<'a>> {
        self.expect(b'"')?;
        let start = self.at;
        match self.pass_plain() {
            Some(b'"') => self.closed(start).map(Text::from),
            Some(b'\\') => self.escaped(start).map(Text::from),
            Some(_) | None => Err(Doubt),
        }
    }

    /// A string without escapes.
    #[inline]
    pub(super) fn plain_string(&mut self) -> Doubtful<&'a str> {
        self.expect(b'"')?;
        let start = self.at;
        if self.pass_plain() == Some(b'"') { self.closed(start) } else { Err(Doubt) }
    }

    /// The string without escapes that began at `start` and whose quotation mark is next.
    #[inline]
    fn closed(&mut self, start: usize) -> Doubtful<&'a str> {
        let plain = self.text.get(start..self.at).ok_or(Doubt)?;
        self.pass();
        Ok(plain)
    }

    /// A string whose first escape the cursor stands at and whose content begins at `start`.
    #[cold]
    fn escaped(&mut self, start: usize) -> Doubtful<String> {
        while self.byte() == Some(b'\\') {
            self.at += 2;
            self.pass_plain();
        }
        self.pass();
        let literal = self.text.get(start - 1..self.at).ok_or(Doubt)?;
        serde_json::from_str(literal).map_err(|_| Doubt)
    }

    /// A number. What is not a short integer is left to `serde_json`.
    #[inline]
    pub(super) fn number(&mut self) -> Doubtful<Number> {
        self.peek()?;
        let rest = self.rest();
        let negative = rest.first() == Some(&b'-');
        let digits = rest.get(usize::from(negative)..).ok_or(Doubt)?;
        let mut value = 0_i64;
        let mut count = 0;
        while let Some(digit) = digits.get(count).map(|byte| byte.wrapping_sub(b'0'))
            && digit < 10
            && count < MAX_DIGITS
        {
            value = value * 10 + i64::from(digit);
            count += 1;
        }
        let is_whole = digits.get(count).is_none_or(|&byte| !is_of_number(byte));
        let is_canonical = digits.first() != Some(&b'0') || (count == 1 && !negative);
        if count == 0 || !is_whole || !is_canonical {
            return self.rare_number();
        }
        self.at += usize::from(negative) + count;
        Ok(if negative { Number::from(-value) } else { Number::from(value.unsigned_abs()) })
    }

    #[cold]
    fn rare_number(&mut self) -> Doubtful<Number> {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !is_of_number(byte)).unwrap_or(rest.len());
        let token = self.text.get(self.at..self.at + length).ok_or(Doubt)?;
        self.at += length;
        serde_json::from_str(token).map_err(|_| Doubt)
    }

    /// Passes a value of any type.
    pub(super) fn skip(&mut self) -> Doubtful<()> {
        match self.peek()? {
            b'"' => self.skip_string(),
            b'{' => {
                let mut more = self.open(b'{', b'}')?;
                while more {
                    self.skip_string()?;
                    self.expect(b':')?;
                    self.skip()?;
                    more = self.next_entry(b'}')?;
                }
                Ok(())
            }
            b'[' => {
                let mut more = self.open(b'[', b']')?;
                while more {
                    self.skip()?;
                    more = self.next_entry(b']')?;
                }
                Ok(())
            }
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            _ => self.number().map(drop),
        }
    }

    fn skip_string(&mut self) -> Doubtful<()> {
        self.expect(b'"')?;
        while self.pass_plain() == Some(b'\\') {
            self.pass();
            self.skip_escape()?;
        }
        self.expect(b'"')
    }

    fn skip_escape(&mut self) -> Doubtful<()> {
        let rest = self.rest();
        match rest.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                let digits = rest.get(1..5).ok_or(Doubt)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(Doubt);
                }
                self.at += 5;
            }
            Some(_) | None => return Err(Doubt),
        }
        Ok(())
    }

    /// Passes what may stand in a string as it is: all up to a quotation mark, a backslash or a control character,
    /// which is the answer.
    #[inline]
    fn pass_plain(&mut self) -> Option<u8> {
        while let Some(chunk) = self.rest().first_chunk() {
            let plain = plain_length(chunk);
            self.at += plain;
            if plain < chunk.len() {
                return self.byte();
            }
        }
        while self.byte().is_some_and(|byte| !ends_plain(byte)) {
            self.at += 1;
        }
        self.byte()
    }

    #[cold]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }
}

/// Whether text may stand in a JSON string as it is.
pub(in crate::chain) fn is_plain(text: &str) -> bool {
    let (chunks, rest) = text.as_bytes().as_chunks();
    chunks.iter().all(|chunk| plain_length(chunk) == chunk.len())
        && !rest.iter().any(|&byte| ends_plain(byte))
}

const fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')
}

const fn ends_plain(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < b' ')
}

/// How many bytes stand before the first that ends plain text. Compares all sixteen at once.
#[inline]
fn plain_length(chunk: &[u8; 16]) -> usize {
    let mut ends = [0; 16];
    for (end, byte) in ends.iter_mut().zip(chunk) {
        *end = if ends_plain(*byte) { u8::MAX } else { 0 };
    }
    u128::from_le_bytes(ends).trailing_zeros() as usize / 8
}
