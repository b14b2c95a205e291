//! Evidence to documents: predicates, chain, run.

pub mod chain;
pub mod matching;
pub mod predicate;
mod problem;
pub mod run;

pub use problem::Problem;
