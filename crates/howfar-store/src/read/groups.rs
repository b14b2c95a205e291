//! Trials of a run, counted by what their columns say: what tallies are made from, however many trials there are.

use std::ops::Range;

use howfar_wire::vocabulary::{FailureCategory, IterationStatus, Stage, StageState, TaskVerdict};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{RunId, count};
use crate::error::StoreError;
use crate::store::Store;

/// Trials of one case that agree in everything that is tallied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialGroup {
    /// The position of the case in the run, from 0.
    pub case_index: u32,
    /// Whether they ran.
    pub status: IterationStatus,
    /// What grading decided; `None` for trials that cannot be graded.
    pub task_verdict: Option<TaskVerdict>,
    /// Where their chains broke first.
    pub first_failed_stage: Option<Stage>,
    /// Their bucket.
    pub failure_category: Option<FailureCategory>,
    /// What is known about each link, in chain order; `None` when no chain is stored.
    pub stage_states: Option<[StageState; 6]>,
    /// How many trials.
    pub trials: u64,
}

impl Store {
    /// The trials of these cases of a run, grouped, in the order of the cases. Empty when there is no such run.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or a column holds a value that this build does not know.
    pub async fn trial_groups(
        &self,
        id: &RunId,
        cases: Range<u32>,
    ) -> Result<Vec<TrialGroup>, StoreError> {
        let rows = sqlx::query(
            "SELECT case_index, status, task_verdict, first_failed_stage, failure_category, \
             stage_states, count(*) AS trials FROM trials \
             WHERE run_id = $1 AND case_index >= $2 AND case_index < $3 \
             GROUP BY case_index, status, task_verdict, first_failed_stage, failure_category, \
             stage_states ORDER BY case_index",
        )
        .bind(id.as_str())
        .bind(i64::from(cases.start))
        .bind(i64::from(cases.end))
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        rows.iter().map(|row| self.group(row)).collect()
    }

    fn group(&self, row: &SqliteRow) -> Result<TrialGroup, StoreError> {
        let reading = |source| self.reading(source);
        let case_index: i64 = row.try_get("case_index").map_err(reading)?;
        let status: String = row.try_get("status").map_err(reading)?;
        Ok(TrialGroup {
            case_index: u32::try_from(case_index).unwrap_or(u32::MAX),
            status: self.member(&status)?,
            task_verdict: self.known(row, "task_verdict")?,
            first_failed_stage: self.known(row, "first_failed_stage")?,
            failure_category: self.known(row, "failure_category")?,
            stage_states: self.stage_states(row)?,
            trials: count(row.try_get("trials").map_err(reading)?),
        })
    }
}
