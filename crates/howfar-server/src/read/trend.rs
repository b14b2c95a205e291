//! The runs of one suite side by side: a series, never a sum.

use howfar_core::run::analytics::{ParitySide, parity_blockers};
use howfar_store::{RunId, RunQuery, Store};
use howfar_wire::analytics::{Slice, SliceRow, StageAnalytics};
use howfar_wire::api::{API_SCHEMA_VERSION, SuiteTrend, TrendBreak, TrendPoint};
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::MeasurementUnit;

use super::ReadError;
use super::head::identity;
use super::page::Paging;
use super::runs::{after, next};

/// The most runs of one page of a series: each is one document.
pub const MAX_TREND_POINTS: u32 = 50;

/// The runs of one suite side by side, newest first, with what stands between neighbours.
///
/// # Errors
///
/// No run of such a suite is stored, the page cannot be asked for so, or the store cannot be read.
pub async fn trend(
    store: &Store,
    suite_id: &str,
    paging: &Paging,
) -> Result<SuiteTrend, ReadError> {
    let limit = paging.items()?.min(MAX_TREND_POINTS);
    let query = RunQuery {
        limit: Some(limit + 1),
        suite_id: Some(suite_id.to_owned()),
        verdict: None,
        after: after(paging)?,
        offset: paging.skip,
    };
    let mut rows = store.runs(&query).await?;
    let newest =
        store.runs(&RunQuery { limit: Some(1), after: None, offset: 0, ..query.clone() }).await?;
    let Some(newest) = newest.into_iter().next() else {
        return Err(ReadError::SuiteNotFound { suite_id: suite_id.to_owned() });
    };
    // One run more than the page shows: the oldest shown one has a neighbour too.
    let mut documents = Vec::with_capacity(rows.len());
    for row in &rows {
        let report = store.decided_head(&RunId::new(row.run_id.clone())).await?;
        documents.push(report.and_then(|report| report.analytics));
    }
    let breaks: Vec<Option<TrendBreak>> = breaks(&rows, &documents);
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more).map(|row| row.run_id.clone());
    let points = rows.into_iter().zip(documents).zip(breaks);
    Ok(SuiteTrend {
        schema_version: API_SCHEMA_VERSION,
        kind: "suite-trend".to_owned(),
        suite_id: suite_id.to_owned(),
        suite_name: newest.suite_name,
        unit: MeasurementUnit::Trial,
        points: points.map(|((run, document), to_older)| point(run, document, to_older)).collect(),
        total_runs: store.run_count(&query).await?,
        next_cursor: next(store, last.as_deref()).await?,
    })
}

/// What stands between each run and the next older one; `None` where there is no older one.
fn breaks(rows: &[RunListRow], documents: &[Option<StageAnalytics>]) -> Vec<Option<TrendBreak>> {
    let between = |at: usize| {
        let older = rows.get(at + 1)?;
        let sides = (documents[at].as_ref(), documents[at + 1].as_ref());
        let blockers = match sides {
            (Some(newer), Some(older)) => {
                Some(parity_blockers(&ParitySide::from(newer), &ParitySide::from(older)))
            }
            (Some(_), None) | (None, Some(_) | None) => None,
        };
        Some(TrendBreak { run_id: older.run_id.clone(), blockers })
    };
    (0..rows.len()).map(between).collect()
}

fn point(
    run: RunListRow,
    document: Option<StageAnalytics>,
    to_older: Option<TrendBreak>,
) -> TrendPoint {
    TrendPoint {
        run,
        identity: identity(document.as_ref()),
        chain: document.and_then(overall),
        to_older,
    }
}

/// The slice of every trial.
fn overall(document: StageAnalytics) -> Option<SliceRow> {
    document.slices.into_iter().find(|row| matches!(row.slice, Slice::Overall {}))
}
