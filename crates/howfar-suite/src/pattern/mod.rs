//! The pattern dialects that authors write in checks (predicates, section 7).
//!
//! Each dialect is translated to an engine of this ecosystem, because neither accepts the author's spelling as it is:
//! [`EcmaPattern`] backtracks within a work limit, [`Re2Pattern`] matches in linear time.

mod ecma;
mod re2;
mod rule;

pub use ecma::{EcmaPattern, MatchLimitError};
pub use re2::Re2Pattern;
pub use rule::{
    BoundsProblem, FLAGS, MAX_PATTERN_LENGTH, MAX_PATTERNS, MatchBounds, PathProblem, key_path,
    path_key,
};

/// A pattern that does not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(pub String);

impl PatternError {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces of both dialects, so that random patterns often nearly compile.
    const PIECES: [&str; 40] = [
        "a",
        "\u{e9}",
        "\u{1f600}",
        ".",
        "^",
        "$",
        "|",
        "(",
        ")",
        "(?:",
        "(?=",
        "(?<n>",
        "(?i)",
        "[",
        "[^",
        "]",
        "-",
        "\\d",
        "\\W",
        "\\b",
        "*",
        "+?",
        "{",
        "}",
        "{2}",
        "{,2}",
        ",",
        "\\1",
        "\\0",
        "\\x6",
        "\\u00",
        "\\u{61}",
        "\\c",
        "\\p{L",
        "\\pL",
        "\\Q",
        "\\E",
        "[[:",
        ":]",
        "\\",
    ];

    fn pattern() -> impl Strategy<Value = String> {
        let pieces = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..8);
        prop_oneof![pieces.prop_map(|pieces| pieces.concat()), any::<String>()]
    }

    proptest! {
        #[test]
        fn every_text_compiles_or_is_refused(pattern in pattern(), text in any::<String>()) {
            if let Ok(pattern) = EcmaPattern::new(&pattern) {
                let _ = pattern.is_match(&text);
            }
            if let Ok(pattern) = Re2Pattern::new(&pattern, "ims") {
                pattern.is_match(&text);
            }
        }

        #[test]
        fn a_key_survives_its_path(key in "[^\u{0}]{1,100}") {
            prop_assert_eq!(path_key(&key_path(&key)), Ok(key));
        }
    }
}
