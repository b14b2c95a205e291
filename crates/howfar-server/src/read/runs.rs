//! The list of runs.

use howfar_store::{RunId, RunPlace, RunQuery, Store};
use howfar_wire::api::{API_SCHEMA_VERSION, RunPage};
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::Verdict;

use super::ReadError;
use super::page::{Paging, cursor, invalid_cursor};

/// The cursors of lists of runs.
const KIND: &str = "runs";

/// The run that a reader names: `latest`, an id, or the beginning of exactly one id.
///
/// # Errors
///
/// No run or several runs answer to the name, or the store cannot be read.
pub async fn find_run(store: &Store, name: &str) -> Result<RunId, ReadError> {
    Ok(store.find_run(name).await?)
}

/// Which runs are listed; the default lists all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFilter {
    /// Only runs of the suite with this declared id.
    pub suite_id: Option<String>,
    /// Only runs with this verdict; one that did not end has `notEstablished`.
    pub verdict: Option<Verdict>,
}

/// The runs that a filter selects, newest first.
///
/// # Errors
///
/// The page cannot be asked for so, or the store cannot be read.
pub async fn runs(
    store: &Store,
    filter: &RunFilter,
    paging: &Paging,
) -> Result<RunPage, ReadError> {
    let limit = paging.items()?;
    let query = RunQuery {
        limit: Some(limit + 1),
        suite_id: filter.suite_id.clone(),
        verdict: filter.verdict,
        after: after(paging)?,
        offset: paging.skip,
    };
    let mut runs = store.runs(&query).await?;
    let next_cursor = match runs.len() > limit as usize {
        true => {
            runs.truncate(limit as usize);
            next(store, runs.last().map(|run| run.run_id.as_str())).await?
        }
        false => None,
    };
    Ok(RunPage {
        schema_version: API_SCHEMA_VERSION,
        kind: "run-page".to_owned(),
        runs,
        total_runs: store.run_count(&query).await?,
        next_cursor,
    })
}

/// Where a page of runs begins.
pub(super) fn after(paging: &Paging) -> Result<Option<RunPlace>, ReadError> {
    let Some([started_at_ms, run_id]) = paging.place::<2>(KIND)? else { return Ok(None) };
    let started_at_ms = started_at_ms.parse().map_err(|_| invalid_cursor())?;
    Ok(Some(RunPlace { started_at_ms, run_id }))
}

/// The cursor of the page after this run; none when the run was deleted meanwhile.
pub(super) async fn next(store: &Store, last: Option<&str>) -> Result<Option<String>, ReadError> {
    let Some(last) = last else { return Ok(None) };
    let place = store.run_place(&RunId::new(last)).await?;
    Ok(place.map(|place| cursor(KIND, [place.started_at_ms.to_string(), place.run_id])))
}

/// Whether the store holds the run; asked first, so that no absence of something in it is taken for the absence of it.
pub(super) async fn known(store: &Store, id: &RunId) -> Result<RunListRow, ReadError> {
    let row = store.run_row(id).await?;
    row.ok_or_else(|| ReadError::RunNotFound { name: id.to_string() })
}
