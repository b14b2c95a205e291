//! ECMAScript patterns without flags, as `responseMatches` takes them (predicates 7.1).
//!
//! ECMAScript matches UTF-16 code units here: an emoji is two characters. Rust text has no lone surrogates, so pattern
//! and subject are both spelled with one private-use character per surrogate, and the engine matches those.

mod class;
mod groups;
mod translate;

use std::borrow::Cow;

use super::PatternError;

/// How much backtracking one match may cost.
const BACKTRACK_LIMIT: usize = 5_000_000;

/// A match that could not be decided within the work limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MatchLimitError(pub String);

/// A compiled ECMAScript pattern.
#[derive(Debug, Clone)]
pub struct EcmaPattern {
    regex: fancy_regex::Regex,
}

impl EcmaPattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// [`PatternError`] when the pattern is not ECMAScript, or is too large for the engine.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let units: Vec<u16> = pattern.encode_utf16().collect();
        let translated = translate::translated(&units)?;
        fancy_regex::RegexBuilder::new(&translated)
            .backtrack_limit(BACKTRACK_LIMIT)
            .build()
            .map(|regex| Self { regex })
            .map_err(|error| PatternError::new(error.to_string()))
    }

    /// Whether the pattern matches anywhere in a text.
    ///
    /// # Errors
    ///
    /// [`MatchLimitError`] when the work limit ran out.
    pub fn is_match(&self, text: &str) -> Result<bool, MatchLimitError> {
        self.regex
            .is_match(by_unit(text).as_ref())
            .map_err(|error| MatchLimitError(error.to_string()))
    }
}

/// A text with one character per UTF-16 code unit.
fn by_unit(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c.len_utf16() == 1) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.encode_utf16().map(unit_char).collect())
    }
}

/// The character that stands for a code unit: itself, or a private-use one for half a surrogate pair. Subjects cannot
/// hold the latter otherwise, because they are spelled by unit too.
fn unit_char(unit: u16) -> char {
    const SURROGATES: u32 = 0xd800;
    const STAND_INS: u32 = 0xf_0000;
    char::from_u32(u32::from(unit)).unwrap_or_else(|| {
        char::from_u32(STAND_INS + u32::from(unit) - SURROGATES)
            .expect("stand-ins lie in the private-use plane 15")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, expected: bool) {
        let found = EcmaPattern::new(pattern).expect(pattern).is_match(text);
        assert_eq!(found, Ok(expected), "/{pattern}/ on {text:?}");
    }

    fn refused(pattern: &str) {
        assert!(EcmaPattern::new(pattern).is_err(), "/{pattern}/ compiles");
    }

    #[test]
    fn an_emoji_is_two_units() {
        check("^..$", "\u{1f600}", true);
        check("^.$", "\u{1f600}", false);
        check("\u{1f600}", "a\u{1f600}b", true);
        check(r"^\ud83d\ude00$", "\u{1f600}", true);
        check("^[\u{1f600}]{2}$", "\u{1f600}", true);
    }

    #[test]
    fn classes_are_ascii_and_white_space_is_not() {
        check(r"\w", "é", false);
        check(r"\W", "é", true);
        check(r"\d", "٣", false);
        check(r"^\s+$", "\u{feff}\u{a0}\u{b}", true);
        check(r"\s", "\u{85}", false);
        check(r"^[\w-]+$", "a-b", true);
        check(r"^[^\d]$", "é", true);
    }

    #[test]
    fn anchors_are_of_the_whole_text() {
        check("a$", "a\n", false);
        check("^b", "a\nb", false);
        check("a.b", "a\u{2028}b", false);
        check(r"\bfoo\b", "éfoo", true);
        check(r"\Boo", "foo", true);
    }

    #[test]
    fn the_odd_classes_hold() {
        check("[]", "a", false);
        check("[^]", "\n", true);
        check(r"[\b]", "\u{8}", true);
        check("]", "]", true);
        check(r"[\d-z]", "-", true);
        refused("[z-a]");
        refused("[");
    }

    #[test]
    fn legacy_escapes_hold() {
        check(r"^\u{3}$", "uuu", true);
        check(r"\p{L}", "p{L}", true);
        check(r"\1", "\u{1}", true);
        check(r"^\101$", "A", true);
        check(r"^\8$", "8", true);
        check(r"\cJ", "\n", true);
        check(r"\c1", r"\c1", true);
        check(r"^\x4g$", "x4g", true);
        refused("\\");
    }

    #[test]
    fn braces_count_or_stand_for_themselves() {
        check("a{", "a{", true);
        check("a{,2}", "a{,2}", true);
        check("^a{2,3}?$", "aaa", true);
        check("^(?:){2}()*$", "", true);
        refused("a{3,2}");
        refused("{2}");
    }

    #[test]
    fn lookaround_and_back_references_hold() {
        check("(?<=a+)b", "aab", true);
        check("a(?!b)", "ac", true);
        check("(?=a)*b", "b", true);
        check(r"(a)\1", "aa", true);
        check(r"(?<n>a)\k<n>", "aa", true);
        check(r"\k<n>", "k<n>", true);
        check(r"(?:(a)|b)\1", "b", true);
        check(r"\2(a)(b)", "ab", true);
        refused("(?<=a)*");
    }

    #[test]
    fn what_ecmascript_refuses_is_refused() {
        for pattern in
            ["(", ")", "*a", "a**", "^*", "(?i)a", "(?#c)", r"(?<n>a)(?<n>b)", r"(?<n>a)\k<m>"]
        {
            refused(pattern);
        }
    }

    #[test]
    fn work_is_limited() {
        let pattern = EcmaPattern::new(r"(?:(a|a)\1?)+b").expect("compiles");
        assert!(pattern.is_match(&"a".repeat(64)).is_err());
    }
}
