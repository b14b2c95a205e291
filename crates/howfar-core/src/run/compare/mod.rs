//! Comparing two runs (run-documents, section 9).

mod contract;
mod document;
mod flaky;
mod gates;
mod input;
mod links;
mod report;
mod runs;
mod statistics;
#[cfg(test)]
mod tests;
mod tools;

pub use flaky::{FlakyRow, flaky_cases, flaky_rows};
pub use gates::evaluate_compare_gates;
pub use input::{TotalsPair, case_status, compare_input, numeric_diff};
pub use report::{CompareRows, compare_report, compare_rows};
pub use runs::{CompareOptions, compare_runs, comparison_outcome};
pub use statistics::{
    DEFAULT_MIN_EFFECT_SIZE, DEFAULT_MIN_SAMPLE_SIZE, PassCounts, PassRateAssessment,
    assess_pass_rate,
};

pub(super) use document::{decided_trials, total_cost, total_tokens};
