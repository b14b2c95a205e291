//! Evidence to documents: predicates, chain, run.

pub mod chain;
mod problem;

pub use problem::Problem;
pub mod matching;
pub mod predicate;
