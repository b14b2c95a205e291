//! Comparing two runs (run-documents, section 9).

mod flaky;
mod gates;
mod input;
mod report;
mod statistics;

pub use flaky::{FlakyRow, flaky_cases, flaky_rows};
pub use gates::evaluate_compare_gates;
pub use input::{LatencyPair, case_status, compare_input, numeric_diff};
pub use report::{CompareRows, compare_rows};
pub use statistics::{PassCounts, PassRateAssessment, PassRateVerdict, assess_pass_rate};
