//! Why a run gets no decision.

/// Why a run gets no decision; the first that applies, in the order of run-documents 4.6.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerdictRefusal {
    /// The policy has a wrong shape, an unknown key, or a rate that is no fraction.
    #[error("the verdict policy is invalid")]
    PolicyInvalid,
    /// There is no case.
    #[error("the run has no case")]
    NoCases,
    /// There are too many case variants, or too many distinct cases.
    #[error("the run has too many cases")]
    TooManyCases,
    /// A case variant stands twice.
    #[error("the case {case_id:?} stands twice with one provider and model")]
    DuplicateAggregate {
        /// The case.
        case_id: String,
    },
    /// A case stands with and without provider and model.
    #[error("the case {case_id:?} stands both with and without a provider and model")]
    MixedVariantKeys {
        /// The case.
        case_id: String,
    },
    /// The number of configured trials is not an integer from 1 to 100.
    #[error("the configured trials of the case {case_id:?} are not an integer from 1 to 100")]
    ConfiguredTrialsRange {
        /// The case.
        case_id: String,
    },
    /// The pass threshold is no fraction.
    #[error("the pass threshold of the case {case_id:?} is not between 0 and 1")]
    ThresholdRange {
        /// The case.
        case_id: String,
    },
    /// A trial has a status that this reader does not know.
    #[error("a trial of the case {case_id:?} has an unknown status")]
    UnknownStatus {
        /// The case.
        case_id: String,
    },
    /// A trial completed, its grader did not break, and nothing was decided.
    #[error("a completed trial of the case {case_id:?} has no verdict")]
    CompletedWithoutVerdict {
        /// The case.
        case_id: String,
    },
    /// More trials were reported than configured.
    #[error("the case {case_id:?} has more trials than configured")]
    MoreTrialsThanConfigured {
        /// The case.
        case_id: String,
    },
    /// The case id is empty, longer than 128 characters, or holds another character than letters, digits, `_`, `-`.
    #[error("the case id {case_id:?} is not 1 to 128 letters, digits, underscores and hyphens")]
    CaseIdCharset {
        /// The case.
        case_id: String,
    },
    /// Provider and model have a wrong shape or length.
    #[error("the provider and model of the case {case_id:?} are invalid")]
    ExecutionVariantInvalid {
        /// The case.
        case_id: String,
    },
}

impl VerdictRefusal {
    /// The machine-readable kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::PolicyInvalid => "policyInvalid",
            Self::NoCases => "noCases",
            Self::TooManyCases => "tooManyCases",
            Self::DuplicateAggregate { case_id: _ } => "duplicateAggregate",
            Self::MixedVariantKeys { case_id: _ } => "mixedVariantKeys",
            Self::ConfiguredTrialsRange { case_id: _ } => "configuredTrialsRange",
            Self::ThresholdRange { case_id: _ } => "thresholdRange",
            Self::UnknownStatus { case_id: _ } => "unknownStatus",
            Self::CompletedWithoutVerdict { case_id: _ } => "completedWithoutVerdict",
            Self::MoreTrialsThanConfigured { case_id: _ } => "moreTrialsThanConfigured",
            Self::CaseIdCharset { case_id: _ } => "caseIdCharset",
            Self::ExecutionVariantInvalid { case_id: _ } => "executionVariantInvalid",
        }
    }
}
