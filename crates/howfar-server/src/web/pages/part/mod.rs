//! Small parts that several pages are made of. Each writes itself with `Display` and is embedded with `|safe`: it has
//! escaped its own texts already.

mod paging;
mod run_table;
mod term;
mod trial_table;
mod when;

pub(super) use paging::{Pager, Pages};
pub(super) use run_table::{RunTable, counts_of};
pub(super) use term::Term;
pub(super) use trial_table::TrialTable;
pub(super) use when::When;
