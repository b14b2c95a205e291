//! The grammar of RE2, checked and written for the engine.

use std::collections::HashSet;

use super::unicode::class_name;
use crate::pattern::PatternError;

/// The largest repeat count, also of nested repetitions multiplied.
const MAX_REPEAT: u32 = 1_000;

/// What never matches: a surrogate, of which valid text has none.
pub(super) const NEVER: &str = r"[^\x{0}-\x{10ffff}]";

/// A pattern as the engine spells it.
pub(super) fn written(pattern: &str) -> Result<String, PatternError> {
    let mut writer = Writer { rest: pattern, out: String::new(), names: HashSet::new() };
    let mut open = vec![Group::default()];
    while let Some(c) = writer.rest.chars().next() {
        match c {
            '(' => writer.open_group(&mut open)?,
            ')' => {
                writer.advance(1);
                writer.out.push(')');
                close_group(&mut open)?;
            }
            '|' => {
                writer.advance(1);
                writer.out.push('|');
                top(&mut open).last = Last::Nothing;
            }
            '*' | '+' | '?' => {
                writer.advance(1);
                writer.out.push(c);
                writer.repeated(&mut open, 1)?;
            }
            '{' => writer.braces(&mut open)?,
            _ => {
                writer.atom(c)?;
                top(&mut open).last = Last::Term(1);
            }
        }
    }
    if open.len() > 1 {
        return Err(PatternError::new("missing closing )"));
    }
    Ok(writer.out)
}

/// What stands before the place that is read, inside one group.
#[derive(Default)]
struct Group {
    last: Last,
    /// The largest product of repeat counts seen in the group.
    weight: u32,
}

#[derive(Clone, Copy, Default)]
enum Last {
    /// Nothing that could be repeated.
    #[default]
    Nothing,
    /// A term with the largest product of repeat counts inside it.
    Term(u32),
    /// A repeated term.
    Repeated,
}

fn top(open: &mut [Group]) -> &mut Group {
    open.last_mut().expect("the pattern itself is never closed")
}

fn close_group(open: &mut Vec<Group>) -> Result<(), PatternError> {
    let closed = open.pop().filter(|_| !open.is_empty());
    let closed = closed.ok_or_else(|| PatternError::new("unexpected )"))?;
    let weight = closed.weight.max(1);
    let outer = top(open);
    outer.last = Last::Term(weight);
    outer.weight = outer.weight.max(weight);
    Ok(())
}

/// What is left to read and what is written.
pub(super) struct Writer<'a> {
    pub(super) rest: &'a str,
    pub(super) out: String,
    names: HashSet<&'a str>,
}

impl<'a> Writer<'a> {
    pub(super) fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// Notes a repetition by `count` of what stands before, and reads its `?`.
    fn repeated(&mut self, open: &mut [Group], count: u32) -> Result<(), PatternError> {
        if let Some(rest) = self.rest.strip_prefix('?') {
            self.rest = rest;
            self.out.push('?');
        }
        let group = top(open);
        match group.last {
            Last::Nothing => Err(PatternError::new("missing argument to repetition operator")),
            Last::Repeated => Err(PatternError::new("invalid nested repetition operator")),
            Last::Term(inner) => {
                let weight = inner.saturating_mul(count.max(1));
                if weight > MAX_REPEAT {
                    return Err(PatternError::new("invalid repeat count"));
                }
                group.weight = group.weight.max(weight);
                group.last = Last::Repeated;
                Ok(())
            }
        }
    }

    /// A counted repetition, or a brace that stands for itself.
    fn braces(&mut self, open: &mut [Group]) -> Result<(), PatternError> {
        let Some((min, max, len)) = counts(self.rest) else {
            self.advance(1);
            self.out.push_str(r"\{");
            top(open).last = Last::Term(1);
            return Ok(());
        };
        let bounded = max.unwrap_or(min);
        if min > MAX_REPEAT || bounded > MAX_REPEAT || bounded < min {
            return Err(PatternError::new("invalid repeat count"));
        }
        self.out.push_str(&self.rest[..len]);
        self.advance(len);
        self.repeated(open, bounded)
    }

    fn open_group(&mut self, open: &mut Vec<Group>) -> Result<(), PatternError> {
        let Some(rest) = self.rest.strip_prefix("(?") else {
            self.advance(1);
            self.out.push('(');
            open.push(Group::default());
            return Ok(());
        };
        if let Some(rest) = rest.strip_prefix("P<") {
            self.rest = rest;
            self.name()?;
            // Names matter to no match; the engine would refuse some that RE2 allows.
            self.out.push('(');
            open.push(Group::default());
            return Ok(());
        }
        self.rest = rest;
        if self.flags()? {
            open.push(Group::default());
        }
        Ok(())
    }

    fn name(&mut self) -> Result<(), PatternError> {
        let (name, rest) =
            self.rest.split_once('>').ok_or_else(|| PatternError::new("invalid named capture"))?;
        let good = !name.is_empty()
            && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if !good {
            return Err(PatternError::new("invalid named capture"));
        }
        if !self.names.insert(name) {
            return Err(PatternError::new("duplicate capture group name"));
        }
        self.rest = rest;
        Ok(())
    }

    /// Flags of a group, or of the rest of the group that is open. Gives whether a group begins.
    fn flags(&mut self) -> Result<bool, PatternError> {
        let invalid = || PatternError::new("invalid or unsupported Perl syntax");
        let end = self.rest.find([':', ')']).ok_or_else(invalid)?;
        let flags = &self.rest[..end];
        let (on, off) = flags.split_once('-').map_or((flags, None), |(on, off)| (on, Some(off)));
        let known = |flags: &str| flags.chars().all(|flag| "imsU".contains(flag));
        if !known(on) || !off.is_none_or(|off| known(off) && !off.is_empty()) {
            return Err(invalid());
        }
        let opens = self.rest[end..].starts_with(':');
        if opens || !flags.is_empty() {
            let close = if opens { ":" } else { ")" };
            self.out.push_str(&format!("(?{}{close}", distinct(flags)));
        }
        self.advance(end + 1);
        Ok(opens)
    }

    fn atom(&mut self, c: char) -> Result<(), PatternError> {
        match c {
            '^' | '$' | '.' => {
                self.advance(1);
                self.out.push(c);
            }
            '[' => self.class()?,
            '\\' => self.escape()?,
            _ => {
                self.advance(c.len_utf8());
                self.out.push_str(&literal(u32::from(c)));
            }
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<(), PatternError> {
        let quoted = self.rest.strip_prefix(r"\Q");
        if let Some(quoted) = quoted {
            let (text, rest) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
            self.rest = rest;
            self.out.extend(text.chars().map(|c| literal(u32::from(c))));
            return Ok(());
        }
        for (anchor, written) in
            [(r"\A", r"\A"), (r"\z", r"\z"), (r"\b", r"(?-u:\b)"), (r"\B", r"(?-u:\B)")]
        {
            if let Some(rest) = self.rest.strip_prefix(anchor) {
                self.rest = rest;
                self.out.push_str(written);
                return Ok(());
            }
        }
        if let Some(class) = self.class_escape()? {
            self.out.push_str(&class);
            return Ok(());
        }
        let code_point = self.character_escape()?;
        self.out.push_str(&literal(code_point));
        Ok(())
    }

    /// A class that an escape names, in brackets; `None` when the escape names none.
    pub(super) fn class_escape(&mut self) -> Result<Option<String>, PatternError> {
        let perl = [
            (r"\d", "[0-9]"),
            (r"\D", "[^0-9]"),
            (r"\s", r"[\t\n\f\r\x20]"),
            (r"\S", r"[^\t\n\f\r\x20]"),
            (r"\w", "[0-9A-Za-z_]"),
            (r"\W", "[^0-9A-Za-z_]"),
        ];
        for (escape, class) in perl {
            if let Some(rest) = self.rest.strip_prefix(escape) {
                self.rest = rest;
                return Ok(Some(class.to_owned()));
            }
        }
        let (rest, negated) = match (self.rest.strip_prefix(r"\p"), self.rest.strip_prefix(r"\P")) {
            (Some(rest), _) => (rest, false),
            (None, Some(rest)) => (rest, true),
            (None, None) => return Ok(None),
        };
        let invalid = || PatternError::new("invalid character class range");
        let (name, rest) = match rest.strip_prefix('{') {
            Some(inside) => inside.split_once('}').ok_or_else(invalid)?,
            None => {
                let first = rest.chars().next().ok_or_else(invalid)?;
                rest.split_at(first.len_utf8())
            }
        };
        self.rest = rest;
        let (name, inverted) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
        let name = class_name(name).ok_or_else(invalid)?;
        // No text holds a surrogate, and the engine has no such class.
        if name == "Cs" {
            return Ok(Some(
                if negated == inverted { NEVER } else { r"[\x{0}-\x{10ffff}]" }.to_owned(),
            ));
        }
        let letter = if negated == inverted { 'p' } else { 'P' };
        Ok(Some(format!(r"[\{letter}{{{name}}}]")))
    }

    /// The code point that an escape stands for.
    pub(super) fn character_escape(&mut self) -> Result<u32, PatternError> {
        let invalid = || PatternError::new("invalid escape sequence");
        let mut chars = self.rest.chars();
        chars.next();
        let c = chars.next().ok_or_else(|| PatternError::new("trailing \\"))?;
        self.rest = chars.as_str();
        match c {
            'a' => Ok(0x7),
            'f' => Ok(0xc),
            'n' => Ok(0xa),
            'r' => Ok(0xd),
            't' => Ok(0x9),
            'v' => Ok(0xb),
            'x' => self.hexadecimal().ok_or_else(invalid),
            '0'..='7' => self.octal(c).ok_or_else(invalid),
            _ if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok(u32::from(c)),
            _ => Err(invalid()),
        }
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let (digits, rest) = match self.rest.strip_prefix('{') {
            Some(inside) => inside.split_once('}')?,
            None => (self.rest.get(..2)?, self.rest.get(2..)?),
        };
        self.rest = rest;
        let digits = digits.trim_start_matches('0');
        let value = if digits.is_empty() { Some(0) } else { u32::from_str_radix(digits, 16).ok() };
        value.filter(|code_point| *code_point <= u32::from(char::MAX))
    }

    /// Up to three octal digits. One digit but 0 alone would be a back-reference, which RE2 refuses.
    fn octal(&mut self, first: char) -> Option<u32> {
        let mut value = first.to_digit(8)?;
        let more =
            self.rest.bytes().take(2).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        if first != '0' && more == 0 {
            return None;
        }
        for digit in self.rest[..more].chars() {
            value = value * 8 + digit.to_digit(8)?;
        }
        self.advance(more);
        Some(value)
    }
}

/// The counts of a repetition and its length in bytes, when a brace begins one.
fn counts(text: &str) -> Option<(u32, Option<u32>, usize)> {
    let end = text.find('}')?;
    let inside = &text[1..end];
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u32::MAX))
    };
    let (min, max) = match inside.split_once(',') {
        None => (number(inside)?, Some(number(inside)?)),
        Some((min, "")) => (number(min)?, None),
        Some((min, max)) => (number(min)?, Some(number(max)?)),
    };
    Some((min, max, end + 1))
}

/// Flags without repetition, because the engine refuses one that is set twice.
fn distinct(flags: &str) -> String {
    let mut seen = String::new();
    for flag in flags.chars() {
        if !seen.contains(flag) {
            seen.push(flag);
        }
    }
    seen
}

fn literal(code_point: u32) -> String {
    match char::from_u32(code_point) {
        Some(c) if c.is_ascii_alphanumeric() => c.to_string(),
        Some(_) => format!(r"\x{{{code_point:x}}}"),
        None => NEVER.to_owned(),
    }
}
