//! The lists of runs and suites. They read columns only, so that they stay fast however large the runs are.

use howfar_wire::Vocabulary;
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::{RunState, Termination, Verdict};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{RunId, count};
use crate::error::StoreError;
use crate::session::is_recorded;
use crate::store::Store;
use crate::write::integer;

/// Which runs are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunQuery {
    /// At most this many, the newest; `None` lists all.
    pub limit: Option<u32>,
    /// Only runs of the suite with this declared id.
    pub suite_id: Option<String>,
    /// Only runs with this verdict; one that did not end has `notEstablished`.
    pub verdict: Option<Verdict>,
    /// Only runs that stand after this place, for the next page.
    pub after: Option<RunPlace>,
    /// Leave out this many of the first.
    pub offset: u32,
}

/// Where a run stands in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPlace {
    /// When it began, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// Its id.
    pub run_id: String,
}

/// One suite, as its stored runs name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteRow {
    /// How many runs of it are stored.
    pub runs: u64,
    /// Its newest run.
    pub newest: RunListRow,
}

/// The columns of a [`RunListRow`].
macro_rules! list_columns {
    () => {
        "id, suite_id, suite_name, started_at, ended IS NOT NULL AS has_ended, verdict, \
         termination, cases, cases_passed, cases_failed, configured_trials, stored_trials"
    };
}

impl Store {
    /// The runs, newest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or a column holds a value that this build does not know.
    pub async fn runs(&self, query: &RunQuery) -> Result<Vec<RunListRow>, StoreError> {
        let after = query.after.as_ref();
        let rows = sqlx::query(concat!(
            "SELECT ",
            list_columns!(),
            " FROM runs WHERE ($1 IS NULL OR suite_id = $1) \
             AND ($3 IS NULL OR (started_at_ms, id) < ($3, $4)) \
             AND ($5 IS NULL OR coalesce(verdict, 'notEstablished') = $5) \
             ORDER BY started_at_ms DESC, id DESC LIMIT $2 OFFSET $6",
        ))
        .bind(query.suite_id.as_deref())
        .bind(query.limit.map_or(-1, i64::from))
        .bind(after.map(|place| integer(place.started_at_ms)))
        .bind(after.map(|place| place.run_id.as_str()))
        .bind(query.verdict.map(Vocabulary::as_str))
        .bind(i64::from(query.offset))
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        rows.iter().map(|row| self.list_row(row)).collect()
    }

    /// One run as the list shows it; `None` when the store does not hold the run.
    ///
    /// # Errors
    ///
    /// As [`Store::runs`].
    pub async fn run_row(&self, id: &RunId) -> Result<Option<RunListRow>, StoreError> {
        let query = concat!("SELECT ", list_columns!(), " FROM runs WHERE id = $1");
        let row = sqlx::query(query).bind(id.as_str()).fetch_optional(&self.pool).await;
        row.map_err(|source| self.reading(source))?.map(|row| self.list_row(&row)).transpose()
    }

    /// Where a run stands in the list; `None` when the store does not hold the run.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub async fn run_place(&self, id: &RunId) -> Result<Option<RunPlace>, StoreError> {
        let query = "SELECT started_at_ms FROM runs WHERE id = $1";
        let started: Option<i64> = sqlx::query_scalar(query)
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        let place = |started| RunPlace { started_at_ms: count(started), run_id: id.to_string() };
        Ok(started.map(place))
    }

    /// How many runs a query selects, whatever page it asks for.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub async fn run_count(&self, query: &RunQuery) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM runs WHERE ($1 IS NULL OR suite_id = $1) \
                   AND ($2 IS NULL OR coalesce(verdict, 'notEstablished') = $2)";
        let runs: i64 = sqlx::query_scalar(sql)
            .bind(query.suite_id.as_deref())
            .bind(query.verdict.map(Vocabulary::as_str))
            .fetch_one(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        Ok(count(runs))
    }

    /// The suites of which runs are stored, that with the newest run first.
    ///
    /// # Errors
    ///
    /// As [`Store::runs`].
    pub async fn suites(&self) -> Result<Vec<SuiteRow>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            list_columns!(),
            ", runs FROM (SELECT *, count(*) OVER (PARTITION BY suite_id) AS runs, row_number() \
             OVER (PARTITION BY suite_id ORDER BY started_at_ms DESC, id DESC) AS place FROM runs) \
             WHERE place = 1 ORDER BY started_at_ms DESC, id DESC",
        ))
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        let suite = |row: &SqliteRow| {
            let runs: i64 = row.try_get("runs").map_err(|source| self.reading(source))?;
            Ok(SuiteRow { runs: count(runs), newest: self.list_row(row)? })
        };
        rows.iter().map(suite).collect()
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
    pub(crate) fn member<V: Vocabulary>(&self, text: &str) -> Result<V, StoreError> {
        V::from_wire(text).ok_or_else(|| {
            self.damaged(format!("{text:?} is not a member of {} that this build knows", V::NAME))
        })
    }
}
