//! What a judge suspects behind a signal: what is judged, what it may see, and what becomes of its answer (friction,
//! part B). The judge itself is called elsewhere.

mod validate;

pub use validate::validate_condition;
