//! Reading runs: the list, one run, its report, its trials.
//!
//! Three absences stay apart (run-documents, section 7.10): a run that does not exist is a [`FindError`](crate::FindError), a run without
//! a document gives `None`, and what this build cannot read is a [`StoreError`]. Nothing is filled with zeros.

mod find;
mod groups;
mod judgements;
mod list;
mod report;
mod run;
mod side;
mod trial;
mod trials;

pub use find::RunId;
pub use groups::TrialGroup;
pub use list::{RunPlace, RunQuery, SuiteRow};
pub use run::{DocumentRow, StoredRun};
pub use trials::{TrialLane, TrialPlace, TrialQuery, TrialRow};

use std::fmt::Display;

use serde::de::DeserializeOwned;

use crate::codec::unpack;
use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// A packed document as its type.
    pub(crate) fn unpacked<T: DeserializeOwned>(
        &self,
        body: &[u8],
        what: &dyn Fn() -> String,
    ) -> Result<T, StoreError> {
        let text = self.text(body, what)?;
        serde_json::from_slice(&text).map_err(|error| self.unreadable(what, error))
    }

    /// The text of a packed document.
    pub(crate) fn text(
        &self,
        body: &[u8],
        what: &dyn Fn() -> String,
    ) -> Result<Vec<u8>, StoreError> {
        unpack(body).map_err(|error| self.unreadable(what, error))
    }

    /// A document that does not read back.
    fn unreadable(&self, what: &dyn Fn() -> String, error: impl Display) -> StoreError {
        self.damaged(format!("{} does not read back: {error}", what()))
    }
}

/// A count as the database keeps it; it never wrote a negative one.
pub(crate) fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or_default()
}
