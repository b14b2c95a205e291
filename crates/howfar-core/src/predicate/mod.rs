//! Authored checks over one transcript (predicates).
//!
//! A check is compiled once per run with [`Predicate::compile`] and evaluated per trial. Everything here is pure: the
//! same check and transcript give the same row. Schemas of tool catalogs are compiled once per
//! [`EvaluationContext`], which trials share.
//!
//! Checks are authored and validated where suites are read, not here; where a row decides on the chain is told here
//! ([`failed_row_reason`]) and done in [`crate::chain`].

mod build;
mod can_fail;
mod check;
mod deprecation;
mod distance;
mod evidence;
mod fields;
mod kind;
mod landing;
mod list;
mod outcome;
mod pattern_rule;
mod pattern_words;
mod policy;
#[cfg(test)]
mod properties;
pub mod schema;
pub mod score;
mod text;
mod trace;

pub use build::{TranscriptParts, TurnParts, build_transcript, turn_slice};
pub use can_fail::{CanFail, CanFailReport, CaseGraders, REQUIRED_JUDGE, case_can_fail};
pub use check::{CompiledChecks, EvaluationContext, Predicate, evaluate};
pub use distance::{DistanceError, DistanceOptions, response_distance};
pub use kind::ends_with_question;
pub use landing::{failed_row_reason, presentation_group};
pub use list::{
    CaseVerdictInput, TurnChecks, case_passes, evaluate_all, evaluate_turns, gate_passes,
};
pub use pattern_rule::{MatchVerdict, Tally, canonical_bounded, match_verdict};
pub use policy::{is_written_as_required, stored_form, warns, without_policy};
pub use trace::{final_assistant_message, trace_messages, trace_tool_errors, user_turns};

pub(crate) use text::template_text;
