//! Writing a run: its beginning, its trials, its issues, its report. Each is durable when its call returns.

mod grading;
mod packed;
mod recorder;
mod run;

pub use grading::OpenGrading;
pub(crate) use packed::{PackedReport, save_columns, save_row};
pub use recorder::Recorder;

/// The kind of a stored trial row.
pub(crate) const TRIAL_REPORT: &str = "trial-report";

/// The kind of a stored run report; its trials lie beside it, each as a [`TRIAL_REPORT`].
pub(crate) const RUN_REPORT: &str = "run-report";

/// The kind of a stored judgement, in the list of damages.
pub(crate) const JUDGEMENT: &str = "judgement";

/// The kind of a stored grading, in the list of damages.
pub(crate) const GRADING: &str = "grading";

/// The grading that is the run's own judge.
pub(crate) const RUN_JUDGE: i64 = 0;

/// A count as the database keeps it.
pub(crate) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
