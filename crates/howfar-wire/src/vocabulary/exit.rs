//! The exit codes: one table for all commands (suite and runner, section D5).

use super::RefusalCategory;

/// How a command ended, for scripts and CI.
///
/// Only a measured failure is 1. No provider outage, broken grader, setup failure or interrupt ever becomes 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExitCode {
    /// Completed, passed, artifacts written.
    Success,
    /// Completed and a required check did not hold: the only source of 1.
    MeasuredFailure,
    /// The command line, the file, an unsupported capability, an import refusal, a deny name.
    Usage,
    /// A model key is missing or was rejected, also in the middle of a run.
    Credentials,
    /// Setup, binding, catalog, billing, or an artifact that could not be written.
    Setup,
    /// Inconclusive, interrupted, integrity, no verdict, not gateable.
    Incomplete,
}

impl ExitCode {
    /// Every code in numeric order.
    pub const ALL: [Self; 6] = [
        Self::Success,
        Self::MeasuredFailure,
        Self::Usage,
        Self::Credentials,
        Self::Setup,
        Self::Incomplete,
    ];

    /// The process exit status.
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::MeasuredFailure => 1,
            Self::Usage => 2,
            Self::Credentials => 3,
            Self::Setup => 4,
            Self::Incomplete => 5,
        }
    }

    /// What the code means, in words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "completed and passed",
            Self::MeasuredFailure => "a measured failure",
            Self::Usage => "nothing ran: the command line or a file is wrong",
            Self::Credentials => "a model key is missing or was rejected",
            Self::Setup => "a server could not be set up, or a file could not be written",
            Self::Incomplete => "not enough was measured to decide",
        }
    }

    /// The worse of two observations: 1 over 3 over 4 over 5 over 0. A usage error never meets another observation;
    /// if it does, it wins, because nothing ran.
    #[must_use]
    pub const fn worse(self, other: Self) -> Self {
        if self.severity() >= other.severity() { self } else { other }
    }

    const fn severity(self) -> u8 {
        match self {
            Self::Usage => 5,
            Self::MeasuredFailure => 4,
            Self::Credentials => 3,
            Self::Setup => 2,
            Self::Incomplete => 1,
            Self::Success => 0,
        }
    }
}

impl From<RefusalCategory> for ExitCode {
    fn from(category: RefusalCategory) -> Self {
        match category {
            RefusalCategory::Usage
            | RefusalCategory::Unsupported
            | RefusalCategory::Import
            | RefusalCategory::Policy => Self::Usage,
            RefusalCategory::Credentials => Self::Credentials,
            RefusalCategory::Billing | RefusalCategory::Setup => Self::Setup,
            RefusalCategory::Cancelled | RefusalCategory::Integrity | RefusalCategory::Internal => {
                Self::Incomplete
            }
        }
    }
}

impl std::fmt::Display for ExitCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.code(), self.meaning())
    }
}
