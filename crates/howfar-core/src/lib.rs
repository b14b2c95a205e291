//! Evidence to documents: predicates, chain, friction, run.

pub mod chain;
pub mod friction;
pub mod judge;
pub mod matching;
mod number;
pub mod predicate;
mod problem;
pub mod run;

pub use problem::Problem;
