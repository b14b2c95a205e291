//! The grammar of ECMAScript patterns, legacy forms included, read once and written for the engine.

use super::class::{self, UnitSet, written_unit};
use super::groups::{Groups, ascii, group_name, starts_with};
use crate::pattern::PatternError;

/// Deeper groups are refused, because engines recurse over them.
const MAX_DEPTH: usize = 100;

/// A pattern as the engine spells it.
pub(super) fn translated(units: &[u16]) -> Result<String, PatternError> {
    let groups = Groups::scan(units)?;
    let mut reader = Reader { units, at: 0, groups: &groups, out: String::new(), depth: 0 };
    reader.alternatives()?;
    match reader.peek() {
        None => Ok(reader.out),
        Some(_) => Err(PatternError::new("unmatched ')'")),
    }
}

struct Reader<'a> {
    units: &'a [u16],
    at: usize,
    groups: &'a Groups,
    out: String,
    depth: usize,
}

/// What a term may be repeated as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Yes,
    /// A lookahead: a repetition of nothing, allowed for old pages.
    Lookahead,
    No,
}

impl<'a> Reader<'a> {
    /// Reads alternatives up to `)` or the end.
    fn alternatives(&mut self) -> Result<(), PatternError> {
        while let Some(unit) = self.peek() {
            match ascii(unit) {
                ')' => break,
                '|' => {
                    self.at += 1;
                    self.out.push('|');
                }
                _ => self.term()?,
            }
        }
        Ok(())
    }

    fn term(&mut self) -> Result<(), PatternError> {
        let start = self.out.len();
        let repeat = self.atom()?;
        let Some((min, text)) = self.quantifier()? else { return Ok(()) };
        match repeat {
            Repeat::Yes => self.out.push_str(&text),
            // Looking again for the same changes nothing.
            Repeat::Lookahead if min == 0 => self.out.truncate(start),
            Repeat::Lookahead => {}
            Repeat::No => return Err(nothing_to_repeat()),
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<Repeat, PatternError> {
        let unit = self.next().ok_or_else(|| PatternError::new("a term is missing"))?;
        match ascii(unit) {
            '^' => self.assertion(r"\A"),
            '$' => self.assertion(r"\z"),
            '.' => self.set(&class::line_terminators().complement()),
            '[' => self.class(),
            '(' => self.group(),
            '\\' => self.escape(),
            '*' | '+' | '?' => Err(nothing_to_repeat()),
            '{' if self.braces_after().is_some() => Err(nothing_to_repeat()),
            _ => self.literal(unit),
        }
    }

    fn assertion(&mut self, text: &str) -> Result<Repeat, PatternError> {
        self.out.push_str(text);
        Ok(Repeat::No)
    }

    fn set(&mut self, set: &UnitSet) -> Result<Repeat, PatternError> {
        self.out.push_str(&set.written());
        Ok(Repeat::Yes)
    }

    fn literal(&mut self, unit: u16) -> Result<Repeat, PatternError> {
        self.out.push_str(&written_unit(unit));
        Ok(Repeat::Yes)
    }

    fn group(&mut self) -> Result<Repeat, PatternError> {
        let forms = [
            ("?:", "(?:", Repeat::Yes),
            ("?=", "(?=", Repeat::Lookahead),
            ("?!", "(?!", Repeat::Lookahead),
            ("?<=", "(?<=", Repeat::No),
            ("?<!", "(?<!", Repeat::No),
        ];
        let form = forms.iter().find(|(head, _, _)| starts_with(self.rest(), head));
        let repeat = if let Some((head, written, repeat)) = form {
            self.at += head.len();
            self.out.push_str(written);
            *repeat
        } else {
            if starts_with(self.rest(), "?<") {
                self.at += 2;
                self.at += group_name(self.rest())?.len() + 1;
            } else if starts_with(self.rest(), "?") {
                return Err(PatternError::new("invalid group"));
            }
            self.out.push('(');
            Repeat::Yes
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PatternError::new(format!("groups nest deeper than {MAX_DEPTH}")));
        }
        let inside = self.out.len();
        self.alternatives()?;
        // The engine refuses to repeat a group that holds nothing at all.
        if self.out.len() == inside {
            self.out.push('|');
        }
        self.depth -= 1;
        match self.next() {
            Some(_) => self.out.push(')'),
            None => return Err(PatternError::new("unterminated group")),
        }
        Ok(repeat)
    }

    fn escape(&mut self) -> Result<Repeat, PatternError> {
        const WORD: &str = "[0-9A-Za-z_]";
        let unit = self.next().ok_or_else(|| PatternError::new("\\ at the end of the pattern"))?;
        match ascii(unit) {
            'b' => self.assertion(&format!("(?:(?<={WORD})(?!{WORD})|(?<!{WORD})(?={WORD}))")),
            'B' => self.assertion(&format!("(?:(?<={WORD})(?={WORD})|(?<!{WORD})(?!{WORD}))")),
            'k' if !self.groups.named.is_empty() => self.named_reference(),
            '1'..='9' => self.numbered_reference(unit),
            _ => match class_escape(unit) {
                Some(set) => self.set(&set),
                None => {
                    let unit = self.character_escape(unit, false);
                    self.literal(unit)
                }
            },
        }
    }

    fn named_reference(&mut self) -> Result<Repeat, PatternError> {
        if !starts_with(self.rest(), "<") {
            return Err(PatternError::new("invalid named reference"));
        }
        self.at += 1;
        let name = group_name(self.rest())?;
        self.at += name.len() + 1;
        let group = self
            .groups
            .index_of(name)
            .ok_or_else(|| PatternError::new("invalid named capture referenced"))?;
        self.reference(group)
    }

    /// A reference to a group that exists, else an octal escape.
    fn numbered_reference(&mut self, first: u16) -> Result<Repeat, PatternError> {
        let digits = self.rest().iter().take_while(|unit| is_digit(**unit)).count();
        let from = self.at - 1;
        let number = String::from_utf16_lossy(&self.units[from..self.at + digits]);
        match number.parse::<usize>() {
            Ok(group) if group <= self.groups.count => {
                self.at += digits;
                self.reference(group)
            }
            Ok(_) | Err(_) => {
                let unit = self.octal_or_itself(first);
                self.literal(unit)
            }
        }
    }

    /// A group that took no part matches the empty text.
    fn reference(&mut self, group: usize) -> Result<Repeat, PatternError> {
        self.out.push_str(&format!(r"(?:(?({group})\{group}|))"));
        Ok(Repeat::Yes)
    }

    /// What a character escape stands for, its first unit already read.
    fn character_escape(&mut self, unit: u16, in_class: bool) -> u16 {
        match ascii(unit) {
            'f' => 0xc,
            'n' => 0xa,
            'r' => 0xd,
            't' => 0x9,
            'v' => 0xb,
            'c' => self.control(in_class),
            'x' => self.hexadecimal(2).unwrap_or(unit),
            'u' => self.hexadecimal(4).unwrap_or(unit),
            '0'..='7' => self.octal_or_itself(unit),
            _ => unit,
        }
    }

    /// `\cX` is a control character; without a letter the backslash stands for itself and `c` is read again.
    fn control(&mut self, in_class: bool) -> u16 {
        let control = self.peek().filter(|unit| {
            let c = ascii(*unit);
            c.is_ascii_alphabetic() || (in_class && (c.is_ascii_digit() || c == '_'))
        });
        match control {
            Some(unit) => {
                self.at += 1;
                unit % 32
            }
            None => {
                self.at -= 1;
                u16::from(b'\\')
            }
        }
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u16> {
        let text = String::from_utf16(self.units.get(self.at..self.at + digits)?).ok()?;
        let all_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let unit = u16::from_str_radix(&text, 16).ok().filter(|_| all_digits)?;
        self.at += digits;
        Some(unit)
    }

    /// Up to three octal digits that fit a byte; 8 and 9 stand for themselves.
    fn octal_or_itself(&mut self, first: u16) -> u16 {
        let digit = |unit: u16| ascii(unit).to_digit(8).and_then(|digit| u16::try_from(digit).ok());
        let Some(mut value) = digit(first) else { return first };
        let more = if value <= 3 { 2 } else { 1 };
        for _ in 0..more {
            let Some(next) = self.peek().and_then(digit) else { break };
            value = value * 8 + next;
            self.at += 1;
        }
        value
    }

    fn class(&mut self) -> Result<Repeat, PatternError> {
        let negated = starts_with(self.rest(), "^");
        self.at += usize::from(negated);
        let mut set = UnitSet::default();
        loop {
            match self.peek().map(ascii) {
                None => return Err(PatternError::new("unterminated character class")),
                Some(']') => break,
                Some(_) => self.class_member(&mut set)?,
            }
        }
        self.at += 1;
        if negated { self.set(&set.complement()) } else { self.set(&set) }
    }

    fn class_member(&mut self, set: &mut UnitSet) -> Result<(), PatternError> {
        let first = self.class_atom()?;
        let ranges = starts_with(self.rest(), "-") && !starts_with(self.rest(), "-]");
        if !ranges || self.rest().len() < 2 {
            first.add_to(set);
            return Ok(());
        }
        self.at += 1;
        let last = self.class_atom()?;
        match (&first, &last) {
            (ClassAtom::Unit(first), ClassAtom::Unit(last)) if first <= last => {
                set.add(*first, *last)
            }
            (ClassAtom::Unit(_), ClassAtom::Unit(_)) => {
                return Err(PatternError::new("range out of order in character class"));
            }
            // A class escape bounds no range: the dash stands for itself.
            (ClassAtom::Set(_), _) | (_, ClassAtom::Set(_)) => {
                first.add_to(set);
                set.add(b'-'.into(), b'-'.into());
                last.add_to(set);
            }
        }
        Ok(())
    }

    fn class_atom(&mut self) -> Result<ClassAtom, PatternError> {
        let unterminated = || PatternError::new("unterminated character class");
        let unit = self.next().ok_or_else(unterminated)?;
        if ascii(unit) != '\\' {
            return Ok(ClassAtom::Unit(unit));
        }
        let unit = self.next().ok_or_else(unterminated)?;
        if let Some(set) = class_escape(unit) {
            return Ok(ClassAtom::Set(set));
        }
        let backspace = ascii(unit) == 'b';
        Ok(ClassAtom::Unit(if backspace { 0x8 } else { self.character_escape(unit, true) }))
    }

    /// A quantifier with its least count, as the engine spells it.
    fn quantifier(&mut self) -> Result<Option<(u64, String)>, PatternError> {
        let (min, mut text) = match self.peek().map(ascii) {
            Some('*') => (0, "*".to_owned()),
            Some('+') => (1, "+".to_owned()),
            Some('?') => (0, "?".to_owned()),
            Some('{') => {
                self.at += 1;
                let Some(braces) = self.braces_after() else {
                    self.at -= 1;
                    return Ok(None);
                };
                self.at += braces.len - 1;
                (braces.min, braces.written()?)
            }
            Some(_) | None => return Ok(None),
        };
        self.at += 1;
        if starts_with(self.rest(), "?") {
            self.at += 1;
            text.push('?');
        }
        Ok(Some((min, text)))
    }

    /// The counts after an opening brace, when they are counts.
    fn braces_after(&self) -> Option<Braces> {
        let end = self.rest().iter().position(|&unit| ascii(unit) == '}')?;
        let text = String::from_utf16(&self.rest()[..end]).ok()?;
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().unwrap_or(u64::MAX))
        };
        let (min, max) = match text.split_once(',') {
            None => (number(&text)?, Some(number(&text)?)),
            Some((min, "")) => (number(min)?, None),
            Some((min, max)) => (number(min)?, Some(number(max)?)),
        };
        Some(Braces { min, max, len: end + 1 })
    }

    fn rest(&self) -> &'a [u16] {
        &self.units[self.at..]
    }

    fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u16> {
        let unit = self.peek()?;
        self.at += 1;
        Some(unit)
    }
}

/// A counted repetition.
struct Braces {
    min: u64,
    max: Option<u64>,
    /// Units up to and including the closing brace.
    len: usize,
}

impl Braces {
    fn written(&self) -> Result<String, PatternError> {
        match self.max {
            None => Ok(format!("{{{},}}", self.min)),
            Some(max) if max >= self.min => Ok(format!("{{{},{max}}}", self.min)),
            Some(_) => Err(PatternError::new("numbers out of order in {} quantifier")),
        }
    }
}

enum ClassAtom {
    Unit(u16),
    Set(UnitSet),
}

impl ClassAtom {
    fn add_to(&self, set: &mut UnitSet) {
        match self {
            Self::Unit(unit) => set.add(*unit, *unit),
            Self::Set(other) => set.extend(other),
        }
    }
}

fn class_escape(unit: u16) -> Option<UnitSet> {
    match ascii(unit) {
        'd' => Some(class::digits()),
        'D' => Some(class::digits().complement()),
        'w' => Some(class::word()),
        'W' => Some(class::word().complement()),
        's' => Some(class::space()),
        'S' => Some(class::space().complement()),
        _ => None,
    }
}

fn nothing_to_repeat() -> PatternError {
    PatternError::new("nothing to repeat")
}

fn is_digit(unit: u16) -> bool {
    ascii(unit).is_ascii_digit()
}
