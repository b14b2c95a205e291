//! The cases of a run.

use howfar_store::{RunId, Store, TrialGroup};
use howfar_wire::api::{API_SCHEMA_VERSION, CasePage, CaseRow, CaseTrials};
use howfar_wire::rate::Counts;
use howfar_wire::record::{CaseRecord, RunRecord};
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{MeasurementUnit, TaskVerdict};

use super::ReadError;
use super::chain::chain_tally;
use super::page::{Paging, slice};

/// The cases of a run, in file order.
///
/// # Errors
///
/// There is no such run, the page cannot be asked for so, or the store cannot be read.
pub async fn cases(store: &Store, id: &RunId, paging: &Paging) -> Result<CasePage, ReadError> {
    let record = record(store, id).await?;
    let page = slice("cases", record.cases.iter(), paging)?;
    let first = u32::try_from(page.first).unwrap_or(u32::MAX);
    let end = first.saturating_add(u32::try_from(page.items.len()).unwrap_or(u32::MAX));
    let groups = store.trial_groups(id, first..end).await?;
    let report = store.decided_head(id).await?;
    let row = |(at, case): (u32, &&CaseRecord)| {
        let of_case: Vec<_> =
            groups.iter().filter(|group| group.case_index == at).cloned().collect();
        case_row(at, case, report.as_ref(), &of_case)
    };
    Ok(CasePage {
        schema_version: API_SCHEMA_VERSION,
        kind: "case-page".to_owned(),
        run_id: id.to_string(),
        cases: (first..).zip(&page.items).map(row).collect(),
        total_cases: record.cases.len() as u64,
        next_cursor: page.next_cursor,
    })
}

/// One case of a run.
///
/// # Errors
///
/// There is no such run or case, or the store cannot be read.
pub async fn case(store: &Store, id: &RunId, case_id: &str) -> Result<CaseRow, ReadError> {
    let record = record(store, id).await?;
    let at = place(&record, case_id)?;
    let groups = store.trial_groups(id, at..at.saturating_add(1)).await?;
    let report = store.decided_head(id).await?;
    Ok(case_row(at, &record.cases[at as usize], report.as_ref(), &groups))
}

/// The position of a case in its run, from 0.
pub(super) async fn position(store: &Store, id: &RunId, case_id: &str) -> Result<u32, ReadError> {
    place(&record(store, id).await?, case_id)
}

/// The title of a case.
pub(super) async fn title(store: &Store, id: &RunId, case_id: &str) -> Result<String, ReadError> {
    let record = record(store, id).await?;
    let at = place(&record, case_id)?;
    Ok(record.cases[at as usize].title.clone())
}

/// What was fixed when the run began.
pub(super) async fn record(store: &Store, id: &RunId) -> Result<RunRecord, ReadError> {
    let run = store.run(id).await?;
    let run = run.ok_or_else(|| ReadError::RunNotFound { name: id.to_string() })?;
    Ok(run.record)
}

fn place(record: &RunRecord, case_id: &str) -> Result<u32, ReadError> {
    let at = record.cases.iter().position(|case| case.id == case_id);
    let not_found =
        || ReadError::CaseNotFound { run_id: record.run_id.clone(), case_id: case_id.to_owned() };
    let at = at.ok_or_else(not_found)?;
    Ok(u32::try_from(at).unwrap_or(u32::MAX))
}

/// A case with its trials. `report` is the run's, once something is decided; its cases stand in the order of the record.
fn case_row(
    at: u32,
    case: &CaseRecord,
    report: Option<&RunReport>,
    groups: &[TrialGroup],
) -> CaseRow {
    let configured = report.and_then(|report| report.metadata.cases.get(at as usize));
    let configured = configured.filter(|decided| decided.case_id == case.id);
    let decision = report.and_then(|report| report.metadata.decision.as_ref());
    let decision = decision.and_then(|decision| decision.cases.get(at as usize));
    CaseRow {
        case_id: case.id.clone(),
        title: case.title.clone(),
        intent: case.intent.clone(),
        provider: case.model.as_ref().map(|model| model.provider.clone()),
        model: case.model.as_ref().map(|model| model.effective.clone()),
        pass_threshold: case.pass_threshold,
        content_hash: case.content_hash.clone(),
        verdict: configured.map(|decided| decided.verdict),
        state: configured.map(|decided| decided.state),
        decision: decision.filter(|decided| decided.case_id == case.id).cloned(),
        trials: case_trials(case, groups),
        chain: chain_tally(groups),
    }
}

fn case_trials(case: &CaseRecord, groups: &[TrialGroup]) -> CaseTrials {
    let decided = |verdict: TaskVerdict| {
        let of_verdict = groups.iter().filter(|group| group.task_verdict == Some(verdict));
        of_verdict.map(|group| group.trials).sum()
    };
    let mut statuses = Counts::new();
    for group in groups {
        statuses.add(group.status, group.trials);
    }
    CaseTrials {
        unit: MeasurementUnit::Trial,
        configured: u64::from(case.iterations),
        stored: groups.iter().map(|group| group.trials).sum(),
        passed: decided(TaskVerdict::Passed),
        failed: decided(TaskVerdict::Failed),
        statuses,
    }
}
