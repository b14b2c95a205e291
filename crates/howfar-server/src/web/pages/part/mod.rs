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

/// What a suite or a case is called: its name, or its id when it has none.
pub(super) fn called<'a>(name: &'a str, id: &'a str) -> &'a str {
    if name.is_empty() { id } else { name }
}
