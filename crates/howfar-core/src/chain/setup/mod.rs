//! Setup signals: what the failures of connecting and listing come to (derivation, sections 10 and 11).

mod attribution;
mod audit;
mod failure;
mod fold;

pub use attribution::attribute_failure;
pub use audit::{EgressCanary, MAX_AUDIT_BYTES, setup_audit};
pub use failure::{Challenge, ChallengeScheme, CredentialSource, FailureClass, SetupFailure};
pub use fold::{
    MAX_REASON_LINE_UNITS, PhaseOutcome, ServerSetup, fold_setup, setup_span_id, wants_canary,
};
