//! Suite text to a checked suite plus diagnostics, and the rules that plan a run. Reads a `&str`, never a file.
//!
//! [`parse_suite`] gives an [`AuthoredSuite`] or everything that is wrong with the file, each with its place in the
//! text. [`resolve`] applies defaults; [`plan`] says what a run of it does or why it is refused; [`coverage`] says which
//! links of the chain the suite measures; [`starter`] writes a first suite from a server's tools. Executing and grading are not here.

mod authored;
mod check;
mod coverage;
mod identity;
mod load;
pub mod pattern;
pub mod plan;
mod resolve;
mod standard;
pub mod starter;
mod suggest;
mod write;
mod yaml;

pub use authored::AuthoredSuite;
pub use check::{PredicateIssue, check_predicate};
pub use coverage::coverage;
pub use identity::{case_content_hash, case_set_fingerprint, source_hash};
pub use load::{
    MAX_SUITE_BYTES, NotUtf8, SuiteParse, locate_paths, parse_suite, parse_suite_bytes,
};
pub use resolve::{
    DEFAULT_JUDGE_THRESHOLD, EffectiveJudge, JudgeSkip, ResolvedCase, ResolvedDefaults,
    ResolvedSuite, effective_judge, resolve,
};
pub use standard::{
    ListMode, MAX_SUPPRESSED, StandardCheck, effective_list, is_suppressed, standard_checks,
    stored_suppressions,
};
pub use suggest::nearest as nearest_word;
pub use write::write_suite;
