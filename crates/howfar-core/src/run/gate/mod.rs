//! Gates on one run (run-documents, section 8).

mod evaluate;
mod flags;
mod input;
mod scorer;
mod stored;
mod verdicts;
mod waiver;

pub use evaluate::evaluate_gates;
pub use flags::{CompareFlags, FlagError, GateFlags, compare_policy, gate_policy};
pub use input::{gate_input, percentile};
pub use stored::{gate_run, run_gate, stored_gate_input};
pub use waiver::{apply_waiver, waived_outcome};

pub(super) use evaluate::tenths;
pub(super) use stored::p95_duration;
pub(super) use verdicts::{VerdictRow, fold};
