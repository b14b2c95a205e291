//! Trials: the list, and one as its report has it.

use howfar_store::{RunId, Store, TrialLane, TrialPlace, TrialQuery, TrialRow};
use howfar_wire::api::{API_SCHEMA_VERSION, IterationPage, IterationRow, TrialDetail};
use howfar_wire::report::TrialReport;
use howfar_wire::vocabulary::{FailureCategory, IterationStatus, Stage, StageState, TaskVerdict};

use super::cases::{position, title};
use super::chain::links;
use super::page::{Paging, cursor, invalid_cursor};
use super::{ReadError, runs::known};

/// The cursors of lists of trials.
const KIND: &str = "trials";

/// One trial of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialName {
    /// The case's declared id.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration: u32,
}

/// Which trials are listed; the default lists all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrialFilter {
    /// Only trials of this case.
    pub case_id: Option<String>,
    /// Only trials with this status.
    pub status: Option<IterationStatus>,
    /// Only trials that grading decided so.
    pub task_verdict: Option<TaskVerdict>,
    /// Only trials whose chain broke here first.
    pub first_failed_stage: Option<Stage>,
    /// Only trials in this bucket.
    pub failure_category: Option<FailureCategory>,
    /// Only trials in this lane of the funnel.
    pub lane: Option<TrialLane>,
}

/// The lane that a question names: a link together with its state, or the trials that stand in no bar of the funnel;
/// `None` when it names none.
///
/// # Errors
///
/// A link without a state, a state without a link, or either together with `excluded`.
pub fn lane(
    stage: Option<Stage>,
    state: Option<StageState>,
    excluded: Option<bool>,
) -> Result<Option<TrialLane>, ReadError> {
    match (stage, state, excluded.unwrap_or_default()) {
        (Some(stage), Some(state), false) => Ok(Some(TrialLane::State(stage, state))),
        (None, None, false) => Ok(None),
        (None, None, true) => Ok(Some(TrialLane::Excluded)),
        (Some(_), Some(_), true) | (Some(_), None, _) | (None, Some(_), _) => {
            Err(ReadError::InvalidParameter {
                name: "stage",
                why: "and the parameter state go together, and not with excluded".to_owned(),
            })
        }
    }
}

/// The stored trials of a run, case by case in file order.
///
/// # Errors
///
/// There is no such run or case, the page cannot be asked for so, or the store cannot be read.
pub async fn iterations(
    store: &Store,
    id: &RunId,
    filter: &TrialFilter,
    paging: &Paging,
) -> Result<IterationPage, ReadError> {
    known(store, id).await?;
    if let Some(case_id) = &filter.case_id {
        position(store, id, case_id).await?;
    }
    let limit = paging.items()?;
    let query = TrialQuery {
        case_id: filter.case_id.clone(),
        status: filter.status,
        task_verdict: filter.task_verdict,
        first_failed_stage: filter.first_failed_stage,
        failure_category: filter.failure_category,
        lane: filter.lane,
        after: after(KIND, paging)?,
        offset: paging.skip,
        limit: Some(limit + 1),
    };
    let mut rows = store.trials(id, &query).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more).map(|row| row.place);
    Ok(IterationPage {
        schema_version: API_SCHEMA_VERSION,
        kind: "iteration-page".to_owned(),
        run_id: id.to_string(),
        iterations: rows.into_iter().map(row).collect(),
        total_trials: store.trial_count(id, &query).await?,
        next_cursor: last.map(|place| cursor_after(KIND, place)),
    })
}

/// One trial with its chain, calls and scorecard.
///
/// # Errors
///
/// There is no such case or trial, or the store cannot be read.
pub async fn trial(store: &Store, id: &RunId, name: &TrialName) -> Result<TrialDetail, ReadError> {
    let trial = trial_report(store, id, name).await?;
    Ok(TrialDetail {
        schema_version: API_SCHEMA_VERSION,
        kind: "trial-detail".to_owned(),
        run_id: id.to_string(),
        case_id: name.case_id.clone(),
        title: title(store, id, &name.case_id).await?,
        next_owner: trial.failure_category.map(|category| category.next_owner().to_owned()),
        trial,
    })
}

/// The row of one trial.
pub(super) async fn trial_report(
    store: &Store,
    id: &RunId,
    name: &TrialName,
) -> Result<TrialReport, ReadError> {
    match store.trial_report(id, &name.case_id, name.iteration).await? {
        Some(report) => Ok(report),
        None => Err(trial_not_found(store, id, name).await?),
    }
}

/// Why there is no such trial: no run, no case, or no trial.
pub(super) async fn trial_not_found(
    store: &Store,
    id: &RunId,
    name: &TrialName,
) -> Result<ReadError, ReadError> {
    position(store, id, &name.case_id).await?;
    Ok(ReadError::TrialNotFound {
        run_id: id.to_string(),
        case_id: name.case_id.clone(),
        iteration: name.iteration,
    })
}

/// A stored trial as a list shows it.
pub(super) fn row(trial: TrialRow) -> IterationRow {
    IterationRow {
        case_id: trial.case_id,
        iteration_number: trial.iteration,
        status: trial.status,
        task_verdict: trial.task_verdict,
        links: trial.stage_states.map(links),
        first_failed_stage: trial.first_failed_stage,
        failure_category: trial.failure_category,
        duration_ms: trial.duration_ms,
    }
}

/// The place after which a page of trials begins; `None` begins with the first.
pub(super) fn after(kind: &str, paging: &Paging) -> Result<Option<TrialPlace>, ReadError> {
    let Some([case_index, iteration]) = paging.place::<2>(kind)? else { return Ok(None) };
    let number = |text: String| text.parse().map_err(|_| invalid_cursor());
    Ok(Some(TrialPlace { case_index: number(case_index)?, iteration: number(iteration)? }))
}

/// The cursor of the page that begins after a place.
pub(super) fn cursor_after(kind: &str, place: TrialPlace) -> String {
    cursor(kind, [place.case_index.to_string(), place.iteration.to_string()])
}
