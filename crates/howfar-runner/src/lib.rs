//! Plans and runs trials over the MCP client and the models; emits events and one evidence document per trial.
//!
//! This crate owns clocks and cancellation. It knows no store and no terminal: a recorder and a reporter consume
//! [`RunEvent`]s. It never prints and never reads the environment or a file.

mod case;
mod clock;
mod environment;
mod event;
mod grade;
mod judge;
mod options;
mod plan;
mod record;
mod redact;
mod run;
mod trial;

pub use case::{CaseCheck, CaseModel, CaseStep, PinnedCall, PlannedCase};
pub use clock::milliseconds;
pub use event::RunEvent;
pub use judge::{AskedJudge, CaseJudge, JudgeAnswer, JudgeBudget, Need, judge_trial};
pub use options::RunOptions;
pub use plan::ready_case;
pub use redact::Redactor;
pub use run::{Resumed, RunIdentity, RunRequest, run};
