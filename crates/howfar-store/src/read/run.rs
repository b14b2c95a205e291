//! One run, as it is recorded.

use howfar_wire::record::{RUN_RECORD_SCHEMA_VERSION, RunEnd, RunRecord, SetupRecord};
use howfar_wire::report::Issue;
use howfar_wire::vocabulary::RunState;
use sqlx::Row as _;

use super::RunId;
use crate::error::StoreError;
use crate::session::is_recorded;
use crate::store::Store;

/// What is recorded of a run beside its trials.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    /// Which run of which suite, with which settings, and the judges that graded it since.
    pub record: RunRecord,
    /// How setup went, in the newest part of the run.
    pub setup: SetupRecord<'static>,
    /// Where its suite file lay.
    pub origin: String,
    /// What affected the run, in order.
    pub issues: Vec<Issue>,
    /// Wall time of all parts of the run so far, in milliseconds.
    pub elapsed_ms: f64,
    /// Whether it ended.
    pub state: RunState,
    /// How it ended; `None` when it did not.
    pub end: Option<RunEnd>,
}

/// One derived document of a run: which kind, by which analyzer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    /// `run-report`, or `trial-report` for the rows of its trials.
    pub kind: String,
    /// The analyzer that derived it.
    pub analyzer_version: u64,
    /// The grading that it was derived with: 0 for the run's own.
    pub revision: u64,
    /// How many there are: 1 for a document of the run, else one per trial.
    pub documents: u64,
}

impl Store {
    /// What is recorded of a run beside its trials; `None` when the store does not hold the run.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn run(&self, id: &RunId) -> Result<Option<StoredRun>, StoreError> {
        let reading = |source| self.reading(source);
        let query = "SELECT origin, record, setup, elapsed_ms, ended FROM runs WHERE id = $1";
        let row = sqlx::query(query).bind(id.as_str()).fetch_optional(&self.pool).await;
        let Some(row) = row.map_err(reading)? else { return Ok(None) };
        let what = || format!("the record of run {id}");
        let record: RunRecord = self.unpacked(row.try_get("record").map_err(reading)?, &what)?;
        if record.schema_version > RUN_RECORD_SCHEMA_VERSION {
            let version = record.schema_version;
            return Err(
                self.damaged(format!("{} has version {version}, newer than this build", what()))
            );
        }
        let record = self.with_gradings(id, record).await?;
        let ended: Option<&[u8]> = row.try_get("ended").map_err(reading)?;
        let end = ended.map(|body| self.unpacked(body, &what)).transpose()?;
        let state = match end {
            Some(_) => RunState::Ended,
            None if is_recorded(&self.path, id.as_str()) => RunState::Running,
            None => RunState::CutOff,
        };
        Ok(Some(StoredRun {
            record,
            setup: self.setup(row.try_get("setup").map_err(reading)?, &what)?,
            origin: row.try_get("origin").map_err(reading)?,
            issues: self.issues(id).await?,
            elapsed_ms: row.try_get("elapsed_ms").map_err(reading)?,
            state,
            end,
        }))
    }

    /// The derived documents of a run, newest analyzer first, newest grading first; empty when nothing was derived, or
    /// there is no such run.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub async fn documents(&self, id: &RunId) -> Result<Vec<DocumentRow>, StoreError> {
        let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(
            "SELECT kind, analyzer_version, revision, count(*) FROM (\
             SELECT kind, analyzer_version, revision FROM run_documents WHERE run_id = $1 UNION ALL \
             SELECT kind, analyzer_version, revision FROM trial_documents WHERE run_id = $1) \
             GROUP BY kind, analyzer_version, revision \
             ORDER BY analyzer_version DESC, revision DESC, kind",
        )
        .bind(id.as_str())
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        let row = |(kind, version, revision, documents): (String, i64, i64, i64)| DocumentRow {
            kind,
            analyzer_version: super::count(version),
            revision: super::count(revision),
            documents: super::count(documents),
        };
        Ok(rows.into_iter().map(row).collect())
    }

    fn setup(
        &self,
        body: &[u8],
        what: &dyn Fn() -> String,
    ) -> Result<SetupRecord<'static>, StoreError> {
        let text = self.text(body, what)?;
        let setup: SetupRecord<'_> = serde_json::from_slice(&text)
            .map_err(|error| self.damaged(format!("{} does not read back: {error}", what())))?;
        Ok(setup.into_owned())
    }

    async fn issues(&self, id: &RunId) -> Result<Vec<Issue>, StoreError> {
        let query = "SELECT body FROM issues WHERE run_id = $1 ORDER BY position";
        let bodies: Vec<Vec<u8>> = sqlx::query_scalar(query)
            .bind(id.as_str())
            .fetch_all(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        let what = || format!("an issue of run {id}");
        bodies.iter().map(|body| self.unpacked(body, &what)).collect()
    }
}
