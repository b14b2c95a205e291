//! The goal judge, as far as it is pure: what it is shown, how that is redacted, whether it fits, what its answer amounts
//! to, and what a judgement does to a trial (suite and runner, sections C1, C2 and C7).
//!
//! Asking a model is not here. A judgement never comes out of this module without the host's own numbers: the model says
//! a score, and the host decides what passes.

mod answer;
mod apply;
mod blank;
mod fit;
mod grading;
mod identity;
mod input;
mod manifest;
mod policy;
mod redact;
mod request;
mod scorer;
#[cfg(test)]
mod tests;

pub use answer::parse_answer;
pub use apply::{judged, unjudged};
pub use blank::{blank_judgement, errored, pending, scored, skipped};
pub use fit::{ModelLimits, fit};
pub use grading::{graded_record, with_judge};
pub use identity::judge_identity;
pub use input::{
    Artifact, EVIDENCE_VERSION, GoalInput, GoalSettings, RecordedEvidence, goal_input,
};
pub use policy::TEMPLATE_VERSION;
pub use redact::{CREDENTIAL_MARKER, PlaceholderRedactor};
pub use request::{GoalRequest, build_request};
pub use scorer::judge_definition;

use howfar_wire::vocabulary::Vocabulary as _;

/// Why a judge gives no score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct JudgeFault {
    /// What kind.
    pub code: howfar_wire::judge::JudgeErrorCode,
    /// For a person, in one lower-case sentence. Holds nothing of the record.
    pub message: String,
}

impl JudgeFault {
    fn new(code: howfar_wire::judge::JudgeErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
