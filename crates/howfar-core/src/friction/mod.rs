//! Patterns in one trial's tool calls that are worth a look (friction).
//!
//! [`derive_friction`] goes from calls and results to a document, [`friction_of_evidence`] from a trial's evidence, and
//! [`friction_rollup`] from the documents of a run to its rates. Report-only: nothing here changes a stage, a category,
//! a score, a gate, a verdict or an exit code. Nothing but names, ids, key paths, counts and indexes leaves the
//! derivation: no argument, no result text, no identifier.

mod adjacency;
mod arguments;
mod carries;
mod check;
mod closed;
mod condition;
mod derive;
mod evidence;
mod identifiers;
mod information;
mod input;
mod json_text;
mod order;
mod read;
mod reading;
mod record;
mod result;
mod rollup;
mod shape;

pub use arguments::canonical_arguments;
pub use condition::{
    ConditionCandidate, ConditionTrigger, ConditionWindow, DEFAULT_CONDITION_CAP, MAX_PART_UNITS,
    MAX_WINDOW_UNITS, WindowCall, condition_outcome, condition_trigger, condition_window,
    order_candidates, validate_condition,
};
pub use derive::{UnsoundFriction, derive_friction, derive_records};
pub use evidence::friction_of_evidence;
pub use identifiers::{Identifiers, extract_identifiers};
pub use input::{CallResults, FrictionInput, FrictionInputError, ResultEntry, results_of_messages};
pub use read::{project_friction, validate_friction};
pub use reading::{
    FrictionClause, FrictionHeading, FrictionLine, FrictionReading, friction_reading,
};
pub use record::{CallRecord, available_before, call_records};
pub use result::{NormalizedResult, normalize_result};
pub use rollup::{FrictionTrial, friction_rollup};

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
