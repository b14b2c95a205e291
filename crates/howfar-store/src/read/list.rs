//! The list of runs. It reads columns only, so that it stays fast however large the runs are.

use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::{RunState, Termination, Verdict};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::count;
use crate::error::StoreError;
use crate::session::is_recorded;
use crate::store::Store;

/// Which runs are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunQuery {
    /// At most this many, the newest; `None` lists all.
    pub limit: Option<u32>,
    /// Only runs of the suite with this declared id.
    pub suite_id: Option<String>,
}

impl Store {
    /// The runs, newest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or a column holds a value that this build does not know.
    pub async fn runs(&self, query: &RunQuery) -> Result<Vec<RunListRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, suite_id, suite_name, started_at, ended IS NOT NULL AS has_ended, verdict, \
             termination, cases, cases_passed, cases_failed, configured_trials, stored_trials \
             FROM runs WHERE $1 IS NULL OR suite_id = $1 \
             ORDER BY started_at_ms DESC, id DESC LIMIT $2",
        )
        .bind(query.suite_id.as_deref())
        .bind(query.limit.map_or(-1, i64::from))
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        rows.iter().map(|row| self.list_row(row)).collect()
    }

    fn list_row(&self, row: &SqliteRow) -> Result<RunListRow, StoreError> {
        let reading = |source| self.reading(source);
        let run_id: String = row.try_get("id").map_err(reading)?;
        let has_ended: bool = row.try_get("has_ended").map_err(reading)?;
        let verdict: Option<String> = row.try_get("verdict").map_err(reading)?;
        let verdict = verdict.map(|text| self.member(&text)).transpose()?;
        let termination: Option<String> = row.try_get("termination").map_err(reading)?;
        let counted = |column| -> Result<Option<u64>, StoreError> {
            Ok(row.try_get::<Option<i64>, _>(column).map_err(reading)?.map(count))
        };
        let state = match has_ended {
            true => RunState::Ended,
            false if is_recorded(&self.path, &run_id) => RunState::Running,
            false => RunState::CutOff,
        };
        Ok(RunListRow {
            run_id,
            suite_id: row.try_get("suite_id").map_err(reading)?,
            suite_name: row.try_get("suite_name").map_err(reading)?,
            started_at: row.try_get("started_at").map_err(reading)?,
            state,
            verdict: verdict.unwrap_or(Verdict::NotEstablished),
            termination: termination.map(|text| self.member::<Termination>(&text)).transpose()?,
            unit: "case".to_owned(),
            cases: counted("cases")?.unwrap_or_default(),
            cases_passed: counted("cases_passed")?,
            cases_failed: counted("cases_failed")?,
            configured_trials: counted("configured_trials")?.unwrap_or_default(),
            stored_trials: counted("stored_trials")?.unwrap_or_default(),
        })
    }

    /// A member of a closed vocabulary. What this build does not know is refused, never mapped.
    pub(crate) fn member<V: howfar_wire::Vocabulary>(&self, text: &str) -> Result<V, StoreError> {
        V::from_wire(text).ok_or_else(|| {
            self.damaged(format!("{text:?} is not a member of {} that this build knows", V::NAME))
        })
    }
}
