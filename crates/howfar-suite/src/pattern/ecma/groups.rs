//! The capture groups of a pattern.

use crate::pattern::PatternError;

/// The capture groups of a pattern, found before it is read, because references may stand before their group.
pub(super) struct Groups {
    pub(super) count: usize,
    /// Names with their group, counted from 1.
    pub(super) named: Vec<(Vec<u16>, usize)>,
}

impl Groups {
    pub(super) fn scan(units: &[u16]) -> Result<Self, PatternError> {
        let mut groups = Self { count: 0, named: Vec::new() };
        let mut in_class = false;
        let mut at = 0;
        while let Some(&unit) = units.get(at) {
            match ascii(unit) {
                '\\' => at += 1,
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class => groups.open(&units[at + 1..])?,
                _ => {}
            }
            at += 1;
        }
        Ok(groups)
    }

    fn open(&mut self, rest: &[u16]) -> Result<(), PatternError> {
        if !starts_with(rest, "?") {
            self.count += 1;
        } else if starts_with(rest, "?<") && !starts_with(rest, "?<=") && !starts_with(rest, "?<!")
        {
            self.count += 1;
            let name = group_name(&rest[2..])?.to_vec();
            if self.index_of(&name).is_some() {
                return Err(PatternError::new("duplicate capture group name"));
            }
            self.named.push((name, self.count));
        }
        Ok(())
    }

    pub(super) fn index_of(&self, name: &[u16]) -> Option<usize> {
        self.named.iter().find(|(own, _)| own == name).map(|(_, index)| *index)
    }
}

/// The name up to `>`.
pub(super) fn group_name(units: &[u16]) -> Result<&[u16], PatternError> {
    let end = units.iter().position(|&unit| ascii(unit) == '>');
    let name = &units[..end.unwrap_or(0)];
    let text = String::from_utf16_lossy(name);
    let is_part = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
    let starts_well = text.chars().next().is_some_and(|c| is_part(c) && !c.is_numeric());
    if starts_well && text.chars().all(is_part) {
        Ok(name)
    } else {
        Err(PatternError::new("invalid capture group name"))
    }
}

/// The unit as an ASCII character; U+FFFD for everything else, which no syntax uses.
pub(super) fn ascii(unit: u16) -> char {
    u8::try_from(unit).ok().filter(u8::is_ascii).map_or(char::REPLACEMENT_CHARACTER, char::from)
}

/// Whether units begin with an ASCII text.
pub(super) fn starts_with(units: &[u16], text: &str) -> bool {
    let mut expected = text.encode_utf16();
    units.len() >= text.len() && expected.by_ref().zip(units).all(|(a, b)| a == *b)
}
