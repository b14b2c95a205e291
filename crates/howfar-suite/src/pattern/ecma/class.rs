//! Sets of UTF-16 code units.

use super::unit_char;

/// A set of code units, possibly complemented.
#[derive(Debug, Clone, Default)]
pub(super) struct UnitSet {
    ranges: Vec<(u16, u16)>,
}

impl UnitSet {
    pub(super) fn add(&mut self, first: u16, last: u16) {
        self.ranges.push((first, last));
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.ranges.extend_from_slice(&other.ranges);
    }

    /// Every unit that is not in the set.
    pub(super) fn complement(&self) -> Self {
        let mut ranges = self.ranges.clone();
        ranges.sort_unstable();
        let mut gaps = Vec::new();
        let mut next = Some(0_u16);
        for (first, last) in ranges {
            let Some(from) = next else { break };
            if first > from {
                gaps.push((from, first - 1));
            }
            next = last.checked_add(1).map(|after| after.max(from));
        }
        gaps.extend(next.map(|from| (from, u16::MAX)));
        Self { ranges: gaps }
    }

    /// The set as a class of the engine; the empty set never matches.
    pub(super) fn written(&self) -> String {
        if self.ranges.is_empty() {
            return r"[^\s\S]".to_owned();
        }
        let mut out = String::from("[");
        for &(first, last) in &self.ranges {
            for (first, last) in same_kind(first, last) {
                out.push_str(&written_unit(first));
                if first < last {
                    out.push('-');
                    out.push_str(&written_unit(last));
                }
            }
        }
        out.push(']');
        out
    }
}

/// A code unit as the engine writes it.
pub(super) fn written_unit(unit: u16) -> String {
    let c = unit_char(unit);
    if c.is_ascii_alphanumeric() { c.to_string() } else { format!(r"\x{{{:x}}}", u32::from(c)) }
}

/// A range in parts that are wholly or not at all surrogates, because those are spelled elsewhere.
fn same_kind(first: u16, last: u16) -> impl Iterator<Item = (u16, u16)> {
    [(0, 0xd7ff), (0xd800, 0xdfff), (0xe000, 0xffff)]
        .into_iter()
        .map(move |(low, high): (u16, u16)| (first.max(low), last.min(high)))
        .filter(|(first, last)| first <= last)
}

/// `\d`.
pub(super) fn digits() -> UnitSet {
    set(&[(b'0'.into(), b'9'.into())])
}

/// `\w`.
pub(super) fn word() -> UnitSet {
    set(&[
        (b'0'.into(), b'9'.into()),
        (b'A'.into(), b'Z'.into()),
        (b'_'.into(), b'_'.into()),
        (b'a'.into(), b'z'.into()),
    ])
}

/// `\s`: what ECMAScript trims.
pub(super) fn space() -> UnitSet {
    set(&[
        (0x9, 0xd),
        (0x20, 0x20),
        (0xa0, 0xa0),
        (0x1680, 0x1680),
        (0x2000, 0x200a),
        (0x2028, 0x2029),
        (0x202f, 0x202f),
        (0x205f, 0x205f),
        (0x3000, 0x3000),
        (0xfeff, 0xfeff),
    ])
}

/// What `.` does not match.
pub(super) fn line_terminators() -> UnitSet {
    set(&[(0xa, 0xa), (0xd, 0xd), (0x2028, 0x2029)])
}

fn set(ranges: &[(u16, u16)]) -> UnitSet {
    UnitSet { ranges: ranges.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complement_fills_the_gaps() {
        let mut set = UnitSet::default();
        set.add(5, 9);
        set.add(0, 3);
        assert_eq!(set.complement().ranges, [(4, 4), (10, u16::MAX)]);
        assert_eq!(set.complement().complement().ranges, [(0, 3), (5, 9)]);
        assert_eq!(UnitSet::default().complement().ranges, [(0, u16::MAX)]);
    }

    #[test]
    fn surrogates_are_written_as_stand_ins() {
        let mut set = UnitSet::default();
        set.add(0xd7ff, 0xd800);
        assert_eq!(set.written(), r"[\x{d7ff}\x{f0000}]");
    }
}
