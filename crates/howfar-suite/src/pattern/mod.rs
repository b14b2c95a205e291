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
