//! The pattern dialect of `toolInputMatches` and `toolResultMatches`: RE2, in linear time (predicates 7.2).
//!
//! An authored pattern goes through two steps: spellings of ECMAScript become spellings of RE2, then RE2 is checked and
//! written for the engine, which differs in its classes, escapes and limits.

mod class;
mod javascript;
mod unicode;
mod write;

use super::PatternError;

/// The most memory a compiled pattern may take, in bytes.
const SIZE_LIMIT: usize = 32 * 1024 * 1024;
/// Groups may nest as deep as a pattern of 512 characters can make them.
const NEST_LIMIT: u32 = 1_000;

/// A compiled RE2 pattern. Matching is by code point and unanchored.
#[derive(Debug, Clone)]
pub struct Re2Pattern {
    regex: regex::Regex,
}

impl Re2Pattern {
    /// Compiles a pattern under flags, a subset of `i`, `m` and `s`.
    ///
    /// # Errors
    ///
    /// [`PatternError`] when the pattern is not of the dialect, or too large.
    pub fn new(pattern: &str, flags: &str) -> Result<Self, PatternError> {
        let re2 = javascript::to_re2(pattern);
        let written = write::written(&re2)?;
        regex::RegexBuilder::new(&written)
            .case_insensitive(flags.contains('i'))
            .multi_line(flags.contains('m'))
            .dot_matches_new_line(flags.contains('s'))
            .size_limit(SIZE_LIMIT)
            .nest_limit(NEST_LIMIT)
            .build()
            .map(|regex| Self { regex })
            .map_err(|error| PatternError::new(error.to_string()))
    }

    /// Whether the pattern matches anywhere in a text.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, expected: bool) {
        let compiled = Re2Pattern::new(pattern, "").expect(pattern);
        assert_eq!(compiled.is_match(text), expected, "/{pattern}/ on {text:?}");
    }

    fn refused(pattern: &str) {
        assert!(Re2Pattern::new(pattern, "").is_err(), "/{pattern}/ compiles");
    }

    #[test]
    fn a_code_point_is_one_character() {
        check("^.$", "\u{1f600}", true);
        check(r"\u{1F600}", "\u{1f600}", true);
        check(r"\ud83d\ude00", "\u{1f600}", false);
    }

    #[test]
    fn classes_are_ascii() {
        check(r"\w", "é", false);
        check(r"^[\W]$", "é", true);
        check(r"\s", "\u{b}", false);
        check(r"\S", "\u{a0}", true);
        check("[[:alpha:]]", "a", true);
        check("[[:^alpha:]]", "a", false);
        refused("[[:foo:]]");
    }

    #[test]
    fn classes_do_not_nest() {
        check("^[a[b]$", "[", true);
        check("^[a&&b]$", "&", true);
        check("^[^]$", "\n", true);
        check("[]", "a", false);
        check(r"^[\d-z]$", "-", true);
        refused("[z-a]");
        refused(r"[\b]");
    }

    #[test]
    fn what_needs_backtracking_is_refused() {
        for pattern in
            ["(?=a)", "(?!a)b", "(?<=a)b", "(?<!a)b", r"(a)\1", "(?x) a", "(?#c)a", "(?>a)"]
        {
            refused(pattern);
        }
    }

    #[test]
    fn repetition_is_bounded_and_never_stacked() {
        check("^a{1000}$", &"a".repeat(1000), true);
        check("a{,2}", "a{,2}", true);
        check("^a+?$", "aa", true);
        for pattern in
            ["a{1001}", "(a{100}){100}", "a**", "a++", "a?+", "a{2}*", "*a", "a|*", "(*)", "x{2,1}"]
        {
            refused(pattern);
        }
    }

    #[test]
    fn escapes_keep_or_lose_their_backslash() {
        check(r"^\Z\h\8$", "Zh8", true);
        check(r"\k<n>", "k<n>", true);
        check(r"^\012$", "\n", true);
        check(r"^\cA$", "\u{1}", true);
        check(r"^\c1$", "c1", true);
        check(r"^\x41\x{42}$", "AB", true);
        check(r"^\xg$", "xg", true);
        check(r"^\Qa.b\E+$", "a.bb", true);
        check("a/b", "a/b", true);
        refused(r"\8\1");
    }

    #[test]
    fn groups_may_carry_flags_and_names() {
        check("(?i)ABC", "abc", true);
        check("(?s-m:.)", "\n", true);
        check("(?U)a+", "aa", true);
        check("(?<n>a)(?P<m>b)", "ab", true);
        refused("(?<n>a)(?<n>b)");
        refused("(?i");
        refused("(?-)");
        refused(")");
    }

    #[test]
    fn unicode_names_are_exact() {
        check(r"^\p{Greek}\pL\P{Lu}$", "αba", true);
        check(r"\p{^Greek}", "α", false);
        check(r"[\p{Lu}\d]", "A", true);
        refused(r"\p{lu}");
        refused(r"\p{Script=Greek}");
        refused(r"\p{Grek}");
    }

    #[test]
    fn case_folding_is_simple() {
        let compiled = Re2Pattern::new("k", "i").expect("compiles");
        assert!(compiled.is_match("\u{212a}"));
    }
}
