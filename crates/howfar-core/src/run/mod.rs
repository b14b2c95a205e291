//! Graded trials to what a run says about itself (run-documents).
//!
//! Everything here is pure: times, ids and reader versions are arguments.

mod all;
pub mod analytics;
mod case_scores;
pub mod compare;
#[cfg(test)]
mod fixture;
pub mod gate;
pub mod grading;
mod measurement;
#[cfg(test)]
mod properties;
pub mod report;
pub mod rollup;
pub mod score;
mod scored;
pub mod side;
mod statistics;
pub mod suite_gate;
mod summary;
pub mod verdict;

pub use all::{documents_of_evidence, run_documents};
pub use case_scores::{CheckSource, case_scorers};
pub use measurement::{Disagreement, derive_measurements, disagreements, validate_measurements};
use statistics::pass_rate_interval;
pub use statistics::{
    PassStatistics, StatisticsRefusal, WILSON_Z, Wilson, pass_statistics, passes_needed,
    trial_statistics, wilson,
};
pub use summary::{
    OWN_PROJECT, SummaryInput, decision_summary, ended_run, open_run, own_iteration,
    validate_summary,
};
