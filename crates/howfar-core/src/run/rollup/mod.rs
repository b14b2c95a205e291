//! The scorer roll-up: identities, validity, and whether two may be compared (run-documents, section 11).

mod fingerprint;
mod parity;
mod validate;

pub use fingerprint::{
    configured_trial_fingerprint, execution_fingerprint, observed_population_fingerprint,
};
pub use parity::{ScorerKey, rollup_blockers};
pub use validate::validate_rollup;
