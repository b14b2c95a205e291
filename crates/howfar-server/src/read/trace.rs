//! One trial as it happened, a part and a page at a time.

use howfar_store::{RunId, Store};
use howfar_wire::api::{API_SCHEMA_VERSION, TracePage, TracePart};

use super::ReadError;
use super::page::{Paging, Slice, slice};
use super::trials::{TrialName, trial_not_found};

/// A page of a trial's messages, spans or calls.
///
/// # Errors
///
/// There is no such run, case or trial, the page cannot be asked for so, or the store cannot be read.
pub async fn trace(
    store: &Store,
    id: &RunId,
    name: &TrialName,
    part: TracePart,
    paging: &Paging,
) -> Result<TracePage, ReadError> {
    let Some(evidence) = store.trial_evidence(id, &name.case_id, name.iteration).await? else {
        return Err(trial_not_found(store, id, name).await?);
    };
    let mut page = TracePage {
        schema_version: API_SCHEMA_VERSION,
        kind: "trace-page".to_owned(),
        run_id: id.to_string(),
        case_id: name.case_id.clone(),
        iteration_number: name.iteration,
        part,
        messages: None,
        spans: None,
        calls: None,
        first_item: 0,
        total_items: 0,
        next_cursor: None,
    };
    match part {
        TracePart::Messages => {
            page.messages = Some(filled(evidence.messages, "messages", paging, &mut page)?);
        }
        TracePart::Spans => {
            page.spans = Some(filled(evidence.timeline, "spans", paging, &mut page)?);
        }
        TracePart::Calls => {
            page.calls = Some(filled(evidence.calls, "calls", paging, &mut page)?);
        }
    }
    Ok(page)
}

/// The items of the page, whose place and successor are noted in it.
fn filled<T>(
    items: Vec<T>,
    kind: &str,
    paging: &Paging,
    page: &mut TracePage,
) -> Result<Vec<T>, ReadError> {
    page.total_items = items.len() as u64;
    let Slice { items, first, next_cursor } = slice(kind, items.into_iter(), paging)?;
    page.first_item = first as u64;
    page.next_cursor = next_cursor;
    Ok(items)
}
