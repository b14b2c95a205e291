//! The scorer roll-up: what is in it, identities, validity, and whether two may be compared (run-documents, section 11).

mod derive;
mod fingerprint;
mod parity;
mod validate;

pub use derive::scorer_rollup;
pub use fingerprint::{
    configured_trial_fingerprint, execution_fingerprint, observed_population_fingerprint,
};
pub use parity::{ScorerKey, rollup_blockers};
pub use validate::validate_rollup;
