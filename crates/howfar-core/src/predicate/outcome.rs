//! What a check says before it becomes a row (predicates 5.1).

/// The outcome of one check with its reason, uncut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was scored and held.
    Pass(String),
    /// It was scored and did not hold, or the check cannot hold as authored.
    Fail(String),
    /// It could not be measured.
    Error(String),
    /// It could not be interpreted, with what is wrong: a failed row that repeats the check as received.
    Malformed(String),
}

impl Outcome {
    pub(crate) fn pass(reason: impl Into<String>) -> Self {
        Self::Pass(reason.into())
    }

    pub(crate) fn fail(reason: impl Into<String>) -> Self {
        Self::Fail(reason.into())
    }

    pub(crate) fn error(reason: impl Into<String>) -> Self {
        Self::Error(reason.into())
    }

    /// A pass or a fail of the same text.
    pub(crate) fn scored(held: bool, reason: impl Into<String>) -> Self {
        if held { Self::Pass(reason.into()) } else { Self::Fail(reason.into()) }
    }

    /// The check cannot be interpreted (predicates, section 8).
    pub(crate) fn malformed(what: impl std::fmt::Display) -> Self {
        Self::Malformed(what.to_string())
    }
}
