//! What readers ask of the store: suites, runs, cases, trials, chains, analytics and traces, paged, with units.
//!
//! Every function takes an open [`Store`](howfar_store::Store) and gives an answer of [`howfar_wire::api`], or a
//! [`ReadError`]. None of them reads the evidence or the rows of more trials than one, whatever the size of the run: lists
//! and tallies come from columns. Three exceptions are bounded where they hold: [`MAX_DERIVED_TRIALS`],
//! [`MAX_TREND_POINTS`], and the trials that a page of [`decision_summary`] lists.

mod analytics;
mod cases;
mod chain;
mod compare;
mod error;
mod events;
mod head;
mod page;
mod runs;
mod source;
mod suites;
mod summary;
mod trace;
mod trend;
mod trials;

pub use analytics::{MAX_DERIVED_TRIALS, analytics, friction};
pub use cases::{case, cases};
pub use chain::{case_chain, run_chain, trial_chain};
pub use compare::comparison;
pub use error::ReadError;
pub use events::{RunWatch, StoreWatch};
pub use head::run_head;
pub use page::Paging;
pub use runs::{RunFilter, find_run, runs};
pub use source::Source;
pub use suites::suites;
pub use summary::{MAX_SCANNED_TRIALS, decision_summary};
pub use trace::trace;
pub use trend::{MAX_TREND_POINTS, trend};
pub use trials::{TrialFilter, TrialName, iterations, lane, trial};
