//! The checker: tables of what a suite file may hold, and one walker that reports everything that does not fit
//! (suite and runner, sections A2 to A11).
//!
//! The walker builds the authored value as it goes, so that a value is either complete or accompanied by a finding.
//! Tables hold what a JSON Schema could say; rules that look at more than one field are functions beside them.

mod case;
mod defaults;
mod file;
mod kinds;
mod pattern_fields;
mod predicate;
mod shape;
mod step;
mod walk;
mod warn;
mod words;

pub use predicate::{PredicateIssue, check_predicate};

pub(crate) use file::check_file;
pub(crate) use warn::advice;
