//! Trials: their columns, and the evidence of one.

use std::collections::HashMap;

use futures::TryStreamExt as _;
use howfar_wire::evidence::{TRIAL_EVIDENCE_SCHEMA_VERSION, TrialEvidence};
use howfar_wire::report::TrialReport;
use howfar_wire::vocabulary::{
    FailureCategory, IterationStatus, Stage, TaskVerdict, Vocabulary as _,
};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::RunId;
use crate::catalog::{Catalog, join};
use crate::error::StoreError;
use crate::store::Store;
use crate::write::TRIAL_REPORT;

/// One stored trial without its evidence, as the newest derivation at its recording saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialRow {
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
    /// How long its turns took, in milliseconds.
    pub duration_ms: f64,
}

/// Which trials of a run are listed; the default lists all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrialQuery {
    /// Only trials of the case with this declared id.
    pub case_id: Option<String>,
    /// Only trials whose chain broke here first.
    pub first_failed_stage: Option<Stage>,
    /// Leave out this many of the first.
    pub offset: u32,
    /// At most this many; `None` lists all.
    pub limit: Option<u32>,
}

/// The catalogs that were read so far: all trials of a run share one.
type Catalogs = HashMap<String, Vec<u8>>;

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
        let rows = sqlx::query(
            "SELECT case_id, iteration, status, task_verdict, first_failed_stage, \
             failure_category, duration_ms FROM trials WHERE run_id = $1 \
             AND ($2 IS NULL OR case_id = $2) AND ($3 IS NULL OR first_failed_stage = $3) \
             ORDER BY case_index, iteration LIMIT $4 OFFSET $5",
        )
        .bind(id.as_str())
        .bind(query.case_id.as_deref())
        .bind(query.first_failed_stage.map(|stage| stage.as_str()))
        .bind(query.limit.map_or(-1, i64::from))
        .bind(i64::from(query.offset))
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        rows.iter().map(|row| self.trial_row(row)).collect()
    }

    /// The evidence of one trial; `None` when the store does not hold it.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn trial_evidence(
        &self,
        id: &RunId,
        case_id: &str,
        iteration: u32,
    ) -> Result<Option<TrialEvidence<'static>>, StoreError> {
        let row = sqlx::query(
            "SELECT case_id, iteration, evidence, catalog FROM trials \
             WHERE run_id = $1 AND case_id = $2 AND iteration = $3",
        )
        .bind(id.as_str())
        .bind(case_id)
        .bind(i64::from(iteration))
        .fetch_optional(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        match row {
            Some(row) => Ok(Some(self.evidence_of(&row, &mut Catalogs::new()).await?)),
            None => Ok(None),
        }
    }

    /// One trial as a row of the report, by the newest analyzer that derived it; `None` when the store holds no such
    /// document.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn trial_report(
        &self,
        id: &RunId,
        case_id: &str,
        iteration: u32,
    ) -> Result<Option<TrialReport>, StoreError> {
        let body: Option<Vec<u8>> = sqlx::query_scalar(
            "SELECT trial_documents.body FROM trials \
             JOIN trial_documents USING (run_id, case_index, iteration) \
             WHERE run_id = $1 AND case_id = $2 AND iteration = $3 AND kind = $4 \
             ORDER BY analyzer_version DESC LIMIT 1",
        )
        .bind(id.as_str())
        .bind(case_id)
        .bind(i64::from(iteration))
        .bind(TRIAL_REPORT)
        .fetch_optional(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        let what = || format!("the row of trial {iteration} of case {case_id}");
        body.map(|body| self.unpacked(&body, &what)).transpose()
    }

    /// Reads the evidence of every trial of a run in the order of its report, one at a time, and hands it to `each`.
    /// `each` is not called when there is no such run.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged; what `each` gives.
    pub async fn each_evidence<E: From<StoreError>>(
        &self,
        id: &RunId,
        mut each: impl FnMut(TrialEvidence<'static>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut catalogs = Catalogs::new();
        let mut rows = sqlx::query(
            "SELECT case_id, iteration, evidence, catalog FROM trials WHERE run_id = $1 \
             ORDER BY case_index, iteration",
        )
        .bind(id.as_str())
        .fetch(&self.pool);
        while let Some(row) = rows.try_next().await.map_err(|source| self.reading(source))? {
            each(self.evidence_of(&row, &mut catalogs).await?)?;
        }
        Ok(())
    }

    async fn evidence_of(
        &self,
        row: &SqliteRow,
        catalogs: &mut Catalogs,
    ) -> Result<TrialEvidence<'static>, StoreError> {
        let reading = |source| self.reading(source);
        let case_id: String = row.try_get("case_id").map_err(reading)?;
        let iteration: i64 = row.try_get("iteration").map_err(reading)?;
        let what = || format!("the evidence of trial {iteration} of case {case_id}");
        let unreadable = |error: serde_json::Error| {
            self.damaged(format!("{} does not read back: {error}", what()))
        };
        let text = self.text(row.try_get("evidence").map_err(reading)?, &what)?;
        let evidence: TrialEvidence<'_> = serde_json::from_slice(&text).map_err(unreadable)?;
        if evidence.schema_version > TRIAL_EVIDENCE_SCHEMA_VERSION {
            return Err(self.damaged(format!("{} is newer than this build", what())));
        }
        let mut evidence = evidence.into_owned();
        let digest: String = row.try_get("catalog").map_err(reading)?;
        let catalog = match catalogs.get(&digest) {
            Some(text) => text,
            None => {
                let text = self.catalog(&digest).await?;
                catalogs.entry(digest).or_insert(text)
            }
        };
        let catalog: Catalog = serde_json::from_slice(catalog).map_err(unreadable)?;
        join(catalog, &mut evidence);
        Ok(evidence)
    }

    /// The text of a catalog.
    pub(crate) async fn catalog(&self, digest: &str) -> Result<Vec<u8>, StoreError> {
        let what = || format!("the tool catalog {digest}");
        let body: Option<Vec<u8>> =
            sqlx::query_scalar("SELECT body FROM catalogs WHERE digest = $1")
                .bind(digest)
                .fetch_optional(&self.pool)
                .await
                .map_err(|source| self.reading(source))?;
        match body {
            Some(body) => self.text(&body, &what),
            None => Err(self.damaged(format!("{} is missing", what()))),
        }
    }

    fn trial_row(&self, row: &SqliteRow) -> Result<TrialRow, StoreError> {
        let reading = |source| self.reading(source);
        let text = |column| row.try_get::<Option<String>, _>(column).map_err(reading);
        let iteration: i64 = row.try_get("iteration").map_err(reading)?;
        let status: String = row.try_get("status").map_err(reading)?;
        let member = |text: String| self.member(&text);
        Ok(TrialRow {
            case_id: row.try_get("case_id").map_err(reading)?,
            iteration: u32::try_from(iteration).unwrap_or(u32::MAX),
            status: self.member(&status)?,
            task_verdict: text("task_verdict")?.map(member).transpose()?,
            first_failed_stage: text("first_failed_stage")?
                .map(|text| self.member(&text))
                .transpose()?,
            failure_category: text("failure_category")?
                .map(|text| self.member(&text))
                .transpose()?,
            duration_ms: row.try_get("duration_ms").map_err(reading)?,
        })
    }
}
