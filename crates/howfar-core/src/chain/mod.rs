//! One finished trial to six stage rows, a first failed stage and a failure category.
//!
//! [`derive_stages`] is the derivation; beside it stand what feeds it ([`infer_authored`], [`fold_setup`],
//! [`chat_stage_input`], [`judge_band`]) and what reads it ([`validate_derivation`], [`project_metadata`],
//! [`runner_checks`]). Every function here is pure: no clock, no network, no randomness, no model call.

mod authored;
mod call;
mod category;
mod chat;
mod connection;
mod derive;
mod discovery;
mod facts;
mod judge;
mod provider;
mod response;
mod routing;
mod rows;
mod runner_checks;
mod selection;
mod setup;
mod user_value;
mod validate;

pub use authored::{AuthoredCheck, AuthoredSource, AuthoredStep, infer_authored};
pub use chat::chat_stage_input;
pub use derive::derive_stages;
pub use judge::{
    CAP_WITHOUT_RUBRIC, DEFAULT_JUDGE_THRESHOLD, JudgeBand, JudgeBandError, PARTIAL_FLOOR,
    judge_band,
};
pub use routing::{decides_at, makes_call_expected};
pub use runner_checks::{RunnerCheck, RunnerOutcome, runner_checks};
pub use setup::{
    Challenge, ChallengeScheme, CredentialSource, EgressCanary, FailureClass, MAX_AUDIT_BYTES,
    MAX_REASON_LINE_UNITS, PhaseOutcome, ServerSetup, SetupFailure, attribute_failure, fold_setup,
    setup_audit, setup_span_id, wants_canary,
};
pub use validate::{analyzer_version, project_metadata, validate_derivation};

#[cfg(test)]
mod properties;
