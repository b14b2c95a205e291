//! Closed vocabularies. The order of the members is part of the contract; an unknown member is refused on input and
//! never mapped to a neighbour.
//!
//! Each list is declared with the crate's `vocabulary!` macro, which gives `ALL`, `as_str`, `label`, `FromStr`,
//! `Display` and the serde forms from one table.

mod advice;
mod chain;
mod decision;
mod exit;
mod friction;
mod predicate;
mod runner;
mod suite;

pub use advice::{AdviceEvidence, fill};
pub use chain::{FailureCategory, Reach, ReasonWording, Stage, StageReason, StageState};
pub use decision::{
    DecisionVerdict, ExclusionClass, ExclusionDetail, Materialization, MeasurementUnit,
    ParityBlocker, RateState, TrialExclusionReason, UndecidedReason, Verdict,
    VerdictDecisionReason, VerdictSource,
};
pub use exit::ExitCode;
pub use friction::{
    CallOrdering, ConditionConfidence, ConditionSkip, FrictionGap, FrictionSignalKind,
    PaginationKey, SuspectedCondition,
};
pub use predicate::{CaptureChannel, Grader, PredicateKind};
pub use runner::{
    Attribution, CaseState, CaseVerdict, IssueCode, IterationStatus, PolicyReason, RefusalCategory,
    RefusalCode, RefusalKind, RefusalPhase, RunState, SafetyClass, SetupOutcome, TaskVerdict,
    Termination,
};
pub use suite::{
    CaseKind, Dialect, FindingClass, FindingCode, FixedCheckId, ImportDecision, ImportStatus,
    IssueCategory, LiveFindingCode, LoadStage, Measurement, ModelProvider, ProblemReason,
    StandardCheckId, StepKind, ToolPolicyMode, WarningClass,
};

/// A closed list of wire spellings.
///
/// Members stand in contract order in [`Vocabulary::ALL`]; each has exactly one non-empty label.
pub trait Vocabulary: Copy + Eq + 'static {
    /// The name of the list in documents and in `howfar explain`.
    const NAME: &'static str;
    /// One sentence on what the list says.
    const ABOUT: &'static str;
    /// Every member, in contract order.
    const ALL: &'static [Self];

    /// The wire spelling.
    fn as_str(self) -> &'static str;

    /// The words a person reads for this member.
    fn label(self) -> &'static str;

    /// What the member says, in a sentence or two: its own documentation.
    fn gloss(self) -> &'static str;

    /// The member with this exact wire spelling; `None` for anything else.
    fn from_wire(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.as_str() == text)
    }
}

/// A text that names no member of a closed vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMember {
    /// The vocabulary's name.
    pub vocabulary: &'static str,
    /// The text as it was met.
    pub found: String,
}

impl std::fmt::Display for UnknownMember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} is not a member of {}", self.found, self.vocabulary)
    }
}

impl std::error::Error for UnknownMember {}

/// Declares a closed vocabulary: one row per member with its doc comment, wire spelling and label.
macro_rules! vocabulary {
    (
        $(#[$meta:meta])*
        $name:ident = $wire_name:literal, $about:literal {
            $( $(#[doc = $doc:literal])+ $member:ident = $wire:literal => $label:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $( $(#[doc = $doc])+ #[serde(rename = $wire)] $member, )+
        }

        impl crate::vocabulary::Vocabulary for $name {
            const NAME: &'static str = $wire_name;
            const ABOUT: &'static str = $about;
            const ALL: &'static [Self] = &[$( Self::$member, )+];

            fn as_str(self) -> &'static str {
                match self { $( Self::$member => $wire, )+ }
            }

            fn label(self) -> &'static str {
                match self { $( Self::$member => $label, )+ }
            }

            fn gloss(self) -> &'static str {
                match self { $( Self::$member => concat!($($doc),+).trim_ascii(), )+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(crate::vocabulary::Vocabulary::as_str(*self))
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::vocabulary::UnknownMember;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                <Self as crate::vocabulary::Vocabulary>::from_wire(text).ok_or_else(|| {
                    crate::vocabulary::UnknownMember { vocabulary: $wire_name, found: text.to_owned() }
                })
            }
        }
    };
}
pub(crate) use vocabulary;

#[cfg(test)]
mod tests;
