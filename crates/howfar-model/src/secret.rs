//! A key that cannot be printed by accident.

use std::fmt;

/// What stands in a text where a secret stood (suite and runner, section B9).
pub const REDACTED: &str = "[REDACTED]";

/// A provider key. `Debug` shows [`REDACTED`], and there is no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key; surrounding white space, which never belongs to one, is removed.
    pub fn new(value: &str) -> Self {
        Self(value.trim().to_owned())
    }

    /// The key itself, for the request's header.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether nothing is left of the key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with every occurrence of the key replaced.
    pub fn redact(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, REDACTED) }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_does_not_show_the_key() {
        assert_eq!(format!("{:?}", Some(Secret::new("sk-1"))), "Some([REDACTED])");
    }

    #[test]
    fn an_empty_key_redacts_nothing() {
        assert_eq!(Secret::new(" ").redact("text"), "text");
    }
}
