//! Writing a run: its beginning, its trials, its issues, its report. Each is durable when its call returns.

mod packed;
mod recorder;
mod run;

pub(crate) use packed::{PackedReport, save_columns, save_row};
pub use recorder::Recorder;

/// The kind of a stored trial row.
pub(crate) const TRIAL_REPORT: &str = "trial-report";

/// The kind of a stored run report; its trials lie beside it, each as a [`TRIAL_REPORT`].
pub(crate) const RUN_REPORT: &str = "run-report";

/// A count as the database keeps it.
pub(crate) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
