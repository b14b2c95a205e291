//! What a judge suspects behind a signal (friction, part B): which trials are judged, what the judge may see of one, and
//! what becomes of its answer.
//!
//! The judge is called elsewhere, and only when the user asked for it. "Suspected" stays in every name: only a
//! controlled change and another run could establish a cause.

mod reply;
mod trigger;
mod validate;
mod window;

pub use reply::condition_outcome;
pub use trigger::{
    ConditionCandidate, ConditionTrigger, DEFAULT_CONDITION_CAP, condition_trigger,
    order_candidates,
};
pub use validate::validate_condition;
pub use window::{ConditionWindow, MAX_PART_UNITS, MAX_WINDOW_UNITS, WindowCall, condition_window};

#[cfg(test)]
mod tests;
