//! Evidence to documents: predicates, chain, run.

pub mod chain;
