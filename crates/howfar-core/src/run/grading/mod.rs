//! The grading policy of a suite or a run, and edits of it (run-documents, section 3).

mod edit;
mod iterations;
mod read;

pub use edit::{EditError, EditPlan, EditRefusal, plan_edit};
pub use iterations::{IterationArguments, iterations};
pub use read::{PerCaseDefaultsMissing, of_hosted_suite, of_reported_run, of_suite_file};
