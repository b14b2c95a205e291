//! Plans and runs trials over the MCP client and the models; emits events and one evidence document per trial.
//!
//! This crate owns clocks and cancellation. It knows no store and no terminal: a recorder and a reporter consume
//! [`RunEvent`]s. It never prints and never reads the environment or a file.

mod assemble;
mod case;
mod documents;
mod environment;
mod event;
mod grade;
mod options;
mod plan;
mod redact;
mod row;
mod run;
mod trial;

pub use case::{CaseCheck, CaseModel, CaseStep, PinnedCall, PlannedCase};
pub use event::RunEvent;
pub use grade::GradedTrial;
pub use options::RunOptions;
pub use plan::ready_case;
pub use run::{RunIdentity, RunOutcome, RunRequest, run};
