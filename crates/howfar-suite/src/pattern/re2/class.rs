//! Bracketed classes of RE2. They do not nest and know no set operators.

use super::write::{NEVER, Writer};
use crate::pattern::PatternError;

impl Writer<'_> {
    /// A bracketed class. Classes do not nest and know no set operators.
    pub(super) fn class(&mut self) -> Result<(), PatternError> {
        self.advance(1);
        let negated = self.rest.starts_with('^');
        self.advance(usize::from(negated));
        let mut members = String::new();
        let mut first = true;
        loop {
            match self.rest.chars().next() {
                None => return Err(PatternError::new("missing closing ]")),
                Some(']') if !first => break,
                Some(_) => self.class_member(&mut members)?,
            }
            first = false;
        }
        self.advance(1);
        match (members.is_empty(), negated) {
            (true, false) => self.out.push_str(NEVER),
            (true, true) => self.out.push_str(r"[\x{0}-\x{10ffff}]"),
            (false, _) => {
                self.out.push_str(if negated { "[^" } else { "[" });
                self.out.push_str(&members);
                self.out.push(']');
            }
        }
        Ok(())
    }

    fn class_member(&mut self, members: &mut String) -> Result<(), PatternError> {
        if let Some(inside) = self.rest.strip_prefix("[:")
            && let Some((name, rest)) = inside.split_once(":]")
        {
            if !is_posix_class(name.strip_prefix('^').unwrap_or(name)) {
                return Err(PatternError::new("invalid character class range"));
            }
            members.push_str(&format!("[:{name}:]"));
            self.rest = rest;
            return Ok(());
        }
        if let Some(class) = self.class_escape()? {
            members.push_str(&class);
            return Ok(());
        }
        let first = self.class_character()?;
        let mut last = first;
        if self.rest.starts_with('-') && !self.rest.starts_with("-]") && self.rest.len() > 1 {
            self.advance(1);
            last = self.class_character()?;
        }
        if last < first {
            return Err(PatternError::new("invalid character class range"));
        }
        for (first, last) in without_surrogates(first, last) {
            members.push_str(&format!(r"\x{{{first:x}}}-\x{{{last:x}}}"));
        }
        Ok(())
    }

    fn class_character(&mut self) -> Result<u32, PatternError> {
        if self.rest.starts_with('\\') {
            return self.character_escape();
        }
        let c = self.rest.chars().next().ok_or_else(|| PatternError::new("missing closing ]"))?;
        self.advance(c.len_utf8());
        Ok(u32::from(c))
    }
}

fn without_surrogates(first: u32, last: u32) -> impl Iterator<Item = (u32, u32)> {
    [(0, 0xd7ff), (0xe000, u32::from(char::MAX))]
        .into_iter()
        .map(move |(low, high)| (first.max(low), last.min(high)))
        .filter(|(first, last)| first <= last)
}

fn is_posix_class(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
        "space", "upper", "word", "xdigit",
    ];
    NAMES.contains(&name)
}
