//! Authored checks over one transcript (predicates).
//!
//! A check is compiled once per run with [`Predicate::compile`] and evaluated per trial. Everything here is pure: the
//! same check and transcript give the same row. Schemas of tool catalogs are compiled once per
//! [`EvaluationContext`], which trials share.

mod check;
mod deprecation;
mod distance;
mod evidence;
mod fields;
mod kind;
mod list;
mod outcome;
mod pattern_rule;
mod pattern_words;
pub mod schema;
mod text;

pub use check::{EvaluationContext, Predicate, evaluate};
pub use distance::{DistanceError, DistanceOptions, response_distance};
pub use list::{
    CaseVerdictInput, TurnChecks, case_passes, evaluate_all, evaluate_turns, gate_passes,
};
pub use pattern_rule::{MatchVerdict, Tally, canonical_bounded, match_verdict};
