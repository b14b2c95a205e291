//! Evidence to documents: predicates, chain, run.
