//! ECMAScript patterns without flags, as `responseMatches` takes them (predicates 7.1).

/// A pattern that does not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(pub String);

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
    /// [`PatternError`] with the engine's text when the pattern does not compile.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let regex =
            fancy_regex::Regex::new(pattern).map_err(|error| PatternError(error.to_string()))?;
        Ok(Self { regex })
    }

    /// Whether the pattern matches anywhere in a text.
    ///
    /// # Errors
    ///
    /// [`MatchLimitError`] when the work limit ran out.
    pub fn is_match(&self, text: &str) -> Result<bool, MatchLimitError> {
        self.regex.is_match(text).map_err(|error| MatchLimitError(error.to_string()))
    }
}
