//! The suites of which runs are stored.

use howfar_store::Store;
use howfar_wire::api::{API_SCHEMA_VERSION, SuiteList, SuiteRow};

use super::ReadError;
use super::page::{Paging, slice};

/// The suites, that with the newest run first.
///
/// # Errors
///
/// The page cannot be asked for so, or the store cannot be read.
pub async fn suites(store: &Store, paging: &Paging) -> Result<SuiteList, ReadError> {
    let suites = store.suites().await?;
    let total_suites = suites.len() as u64;
    let row = |suite: howfar_store::SuiteRow| SuiteRow {
        suite_id: suite.newest.suite_id.clone(),
        suite_name: suite.newest.suite_name.clone(),
        runs: suite.runs,
        last_run: suite.newest,
    };
    let page = slice("suites", suites.into_iter().map(row), paging)?;
    Ok(SuiteList {
        schema_version: API_SCHEMA_VERSION,
        kind: "suite-list".to_owned(),
        suites: page.items,
        total_suites,
        next_cursor: page.next_cursor,
    })
}
