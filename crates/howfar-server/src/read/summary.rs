//! The decision summary of a stored run, its diagnostics a page at a time (run-documents, section 5).

use howfar_core::run::{
    OWN_PROJECT, SummaryInput, decision_summary as summarize, ended_run, open_run, own_iteration,
    validate_summary,
};
use howfar_store::{RunId, Store, TrialPlace, TrialQuery, TrialRow};
use howfar_wire::chain::STAGE_ANALYZER_VERSION;
use howfar_wire::record::RunRecord;
use howfar_wire::summary::DecisionSummary;
use howfar_wire::vocabulary::TaskVerdict;
use serde_json::{Value, json};

use super::cases::record;
use super::head::{Told, told};
use super::page::Paging;
use super::trials::{TrialName, after, cursor_after, trial_report};
use super::{ReadError, runs::known};

/// The most trials that one page of diagnostics looks at. A page that looked at so many ends there and goes on at its
/// cursor, even if it lists nothing.
pub const MAX_SCANNED_TRIALS: usize = 10_000;

/// How many trials are looked at in one go.
const CHUNK: u32 = 500;

/// The cursors of diagnostics.
const KIND: &str = "diagnostics";

/// The decision summary of a run (run-documents, section 5); `paging` pages its diagnostics.
///
/// Trials that passed are told by a column; the row of a trial is read only when the page lists it. `scannedIterations`
/// are the trials that the page looked at. `complete` holds for a single page with every trial that did not pass, of a
/// run that ended.
///
/// # Errors
///
/// There is no such run, what is stored makes no sound summary, the page cannot be asked for so, or the store cannot be
/// read.
pub async fn decision_summary(
    store: &Store,
    id: &RunId,
    paging: &Paging,
) -> Result<DecisionSummary, ReadError> {
    known(store, id).await?;
    let record = record(store, id).await?;
    let (run, ended) = match told(store, id).await? {
        Told::Decided(report) => (ended_run(&report.metadata), true),
        Told::Open(report) => (open_run(&report.metadata), false),
    };
    let page = scan(store, id, &record, paging).await?;
    let summary = summarize(&SummaryInput {
        project_id: OWN_PROJECT,
        run: &run,
        iterations: &page.iterations,
        complete: ended && paging.cursor.is_none() && page.next_cursor.is_none(),
        next_cursor: page.next_cursor.as_deref(),
        known_analyzer_version: u64::from(STAGE_ANALYZER_VERSION),
    });
    sound(id, &summary)?;
    Ok(summary)
}

/// A summary is held to its contract before it leaves (run-documents, section 5.8).
fn sound(id: &RunId, summary: &DecisionSummary) -> Result<(), ReadError> {
    let value = serde_json::to_value(summary).expect("documents hold nothing but JSON");
    validate_summary(&value).map(drop).map_err(|_| ReadError::DocumentNotFound {
        run_id: id.to_string(),
        document: "decision summary",
        why: "what is stored does not make a sound one; `howfar derive --all --run` says why",
    })
}

/// The trials that a page looked at.
struct Scanned {
    iterations: Vec<Value>,
    next_cursor: Option<String>,
}

/// Looks at trials in report order until the page is full or nothing follows.
async fn scan(
    store: &Store,
    id: &RunId,
    record: &RunRecord,
    paging: &Paging,
) -> Result<Scanned, ReadError> {
    let mut room = paging.items()?;
    let mut after = after(KIND, paging)?;
    let mut iterations = Vec::new();
    loop {
        let query = TrialQuery { after, limit: Some(CHUNK), ..TrialQuery::default() };
        let rows = store.trials(id, &query).await?;
        let is_last = rows.len() < CHUNK as usize;
        for row in rows {
            let passed = row.task_verdict == Some(TaskVerdict::Passed);
            let is_full = room == 0 && !passed || iterations.len() == MAX_SCANNED_TRIALS;
            if let Some(place) = after.filter(|_| is_full) {
                return Ok(Scanned { iterations, next_cursor: Some(cursor_after(KIND, place)) });
            }
            after = Some(row.place);
            match passed {
                true => iterations.push(json!({ "result": TaskVerdict::Passed })),
                false => {
                    iterations.push(listed(store, id, record, &row).await?);
                    room -= 1;
                }
            }
        }
        if is_last {
            return Ok(Scanned { iterations, next_cursor: None });
        }
    }
}

/// A trial that the page lists.
async fn listed(
    store: &Store,
    id: &RunId,
    record: &RunRecord,
    row: &TrialRow,
) -> Result<Value, ReadError> {
    let TrialPlace { case_index, iteration } = row.place;
    let name = TrialName { case_id: row.case_id.clone(), iteration };
    let trial = trial_report(store, id, &name).await?;
    let title = record.cases.get(case_index as usize).map_or("", |case| case.title.as_str());
    Ok(own_iteration(&row.case_id, title, &trial))
}
