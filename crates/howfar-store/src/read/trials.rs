//! The trials of a run as lists show them: columns only, from one index that holds no evidence.

use howfar_wire::Vocabulary;
use howfar_wire::vocabulary::{FailureCategory, IterationStatus, Stage, StageState, TaskVerdict};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{RunId, count};
use crate::error::StoreError;
use crate::store::Store;

/// Where a trial stands in its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrialPlace {
    /// The position of its case in the run, from 0.
    pub case_index: u32,
    /// Its number, from 1.
    pub iteration: u32,
}

/// One stored trial without its evidence, as the newest derivation saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialRow {
    /// Where it stands.
    pub place: TrialPlace,
    /// The case's declared id.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration: u32,
    /// Whether it ran.
    pub status: IterationStatus,
    /// What grading decided; `None` for a trial that cannot be graded.
    pub task_verdict: Option<TaskVerdict>,
    /// Where the chain broke first.
    pub first_failed_stage: Option<Stage>,
    /// The bucket of a trial that did not pass.
    pub failure_category: Option<FailureCategory>,
    /// What is known about each link, in chain order; `None` when no chain is stored.
    pub stage_states: Option<[StageState; 6]>,
    /// How long its turns took, in milliseconds.
    pub duration_ms: f64,
}

/// Trials as the funnel of a run counts them (run-documents, sections 7.2 and 7.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialLane {
    /// Included trials whose row at this link has this state.
    State(Stage, StageState),
    /// Trials that stand in no bar: they did not end, or their grader broke.
    Excluded,
}

/// Which trials of a run are listed; the default lists all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrialQuery {
    /// Only trials of the case with this declared id.
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
    /// Only trials that stand after this place, for the next page.
    pub after: Option<TrialPlace>,
    /// Leave out this many of the first.
    pub offset: u32,
    /// At most this many; `None` lists all.
    pub limit: Option<u32>,
}

/// Which trials: `$1` to `$8`.
macro_rules! selection {
    () => {
        "FROM trials WHERE run_id = $1 AND ($2 IS NULL OR case_id = $2) \
         AND ($3 IS NULL OR status = $3) AND ($4 IS NULL OR task_verdict = $4) \
         AND ($5 IS NULL OR first_failed_stage = $5) AND ($6 IS NULL OR failure_category = $6) \
         AND ($7 IS NULL OR stage_states LIKE $7) AND ($8 IS NULL OR $8 = (\
         status NOT IN ('completed', 'failed') OR status = 'completed' AND task_verdict IS NULL))"
    };
}

/// The columns of a [`TrialRow`].
macro_rules! columns {
    () => {
        "case_index, case_id, iteration, status, task_verdict, first_failed_stage, \
         failure_category, duration_ms, stage_states"
    };
}

impl Store {
    /// The trials of a run in the order of its report; empty when there is no such run.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or a column holds a value that this build does not know.
    pub async fn trials(
        &self,
        id: &RunId,
        query: &TrialQuery,
    ) -> Result<Vec<TrialRow>, StoreError> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            " ",
            selection!(),
            " AND (case_index, iteration) > ($9, $10) \
             ORDER BY case_index, iteration LIMIT $11 OFFSET $12"
        );
        let after = query.after.map(|place| (place.case_index, place.iteration));
        let (case_index, iteration) =
            after.map_or((-1, 0), |(case, trial)| (i64::from(case), i64::from(trial)));
        let rows = selected(sqlx::query(sql), id, query)
            .bind(case_index)
            .bind(iteration)
            .bind(query.limit.map_or(-1, i64::from))
            .bind(i64::from(query.offset))
            .fetch_all(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        rows.iter().map(|row| self.trial_row(row)).collect()
    }

    /// How many trials of a run a query selects, whatever page it asks for.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub async fn trial_count(&self, id: &RunId, query: &TrialQuery) -> Result<u64, StoreError> {
        let sql = concat!("SELECT count(*) AS trials ", selection!());
        let reading = |source| self.reading(source);
        let row = selected(sqlx::query(sql), id, query).fetch_one(&self.pool).await;
        let trials: i64 = row.map_err(reading)?.try_get("trials").map_err(reading)?;
        Ok(count(trials))
    }

    /// The trials of a run that were stored after the one with this mark, in the order in which they were stored, each
    /// with its mark; 0 stands before the first.
    ///
    /// # Errors
    ///
    /// As [`Store::trials`].
    pub async fn trials_since(
        &self,
        id: &RunId,
        mark: i64,
        limit: u32,
    ) -> Result<Vec<(i64, TrialRow)>, StoreError> {
        let reading = |source| self.reading(source);
        let rows = sqlx::query(concat!(
            "SELECT rowid AS mark, ",
            columns!(),
            " FROM trials WHERE run_id = $1 AND rowid > $2 ORDER BY rowid LIMIT $3"
        ))
        .bind(id.as_str())
        .bind(mark)
        .bind(i64::from(limit))
        .fetch_all(&self.pool)
        .await
        .map_err(reading)?;
        rows.iter()
            .map(|row| Ok((row.try_get("mark").map_err(reading)?, self.trial_row(row)?)))
            .collect()
    }

    /// The mark of the trial of a run that was stored last; 0 when none is.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub async fn newest_mark(&self, id: &RunId) -> Result<i64, StoreError> {
        let query = "SELECT coalesce(max(rowid), 0) FROM trials WHERE run_id = $1";
        let mark = sqlx::query_scalar(query).bind(id.as_str()).fetch_one(&self.pool).await;
        mark.map_err(|source| self.reading(source))
    }

    fn trial_row(&self, row: &SqliteRow) -> Result<TrialRow, StoreError> {
        let reading = |source| self.reading(source);
        let number = |column| -> Result<u32, StoreError> {
            let number: i64 = row.try_get(column).map_err(reading)?;
            Ok(u32::try_from(number).unwrap_or(u32::MAX))
        };
        let iteration = number("iteration")?;
        let status: String = row.try_get("status").map_err(reading)?;
        Ok(TrialRow {
            place: TrialPlace { case_index: number("case_index")?, iteration },
            case_id: row.try_get("case_id").map_err(reading)?,
            iteration,
            status: self.member(&status)?,
            task_verdict: self.known(row, "task_verdict")?,
            first_failed_stage: self.known(row, "first_failed_stage")?,
            failure_category: self.known(row, "failure_category")?,
            stage_states: self.stage_states(row)?,
            duration_ms: row.try_get("duration_ms").map_err(reading)?,
        })
    }

    /// A column that holds a member of a vocabulary, or nothing.
    pub(super) fn known<V: Vocabulary>(
        &self,
        row: &SqliteRow,
        column: &str,
    ) -> Result<Option<V>, StoreError> {
        let text: Option<String> = row.try_get(column).map_err(|source| self.reading(source))?;
        text.map(|text| self.member(&text)).transpose()
    }

    /// The six states of a chain, or nothing.
    pub(super) fn stage_states(
        &self,
        row: &SqliteRow,
    ) -> Result<Option<[StageState; 6]>, StoreError> {
        let text: Option<String> =
            row.try_get("stage_states").map_err(|source| self.reading(source))?;
        let Some(text) = text else { return Ok(None) };
        let states: Vec<StageState> =
            text.split_whitespace().map(|word| self.member(word)).collect::<Result<_, _>>()?;
        let six = states.try_into().map_err(|_| self.damaged("a chain does not have six links"))?;
        Ok(Some(six))
    }
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// Binds the parameters of [`selection!`].
fn selected<'q>(sql: Query<'q>, id: &'q RunId, query: &'q TrialQuery) -> Query<'q> {
    sql.bind(id.as_str())
        .bind(query.case_id.as_deref())
        .bind(query.status.map(Vocabulary::as_str))
        .bind(query.task_verdict.map(Vocabulary::as_str))
        .bind(query.first_failed_stage.map(Vocabulary::as_str))
        .bind(query.failure_category.map(Vocabulary::as_str))
        .bind(query.lane.and_then(pattern))
        .bind(query.lane.map(|lane| lane == TrialLane::Excluded))
}

/// The six states of a chain of which one is known, as a pattern: the words have no spaces, and there are six.
fn pattern(lane: TrialLane) -> Option<String> {
    match lane {
        TrialLane::Excluded => None,
        TrialLane::State(stage, state) => {
            let word = |&at: &Stage| if at == stage { state.as_str() } else { "%" };
            Some(Stage::ALL.iter().map(word).collect::<Vec<_>>().join(" "))
        }
    }
}
