//! The sections of a page, one file each, in the order of the page (look, "The order of a page").

mod broke;
mod decided;
mod evidence;
mod matrix;
mod measured;
mod next;
mod notes;

pub(super) use broke::Broke;
pub(super) use decided::Decided;
pub(super) use evidence::EvidenceSection;
pub(super) use measured::Measured;
pub(super) use next::Next;
pub(super) use notes::Notes;
