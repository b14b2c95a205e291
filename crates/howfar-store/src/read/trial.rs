//! What is stored of one trial: its evidence, and what was derived from it.

use std::collections::HashMap;

use futures::TryStreamExt as _;
use howfar_core::judge::judged;
use howfar_wire::evidence::{TRIAL_EVIDENCE_SCHEMA_VERSION, TrialEvidence};
use howfar_wire::report::TrialReport;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::RunId;
use super::judgements::judgement_column;
use crate::catalog::{Catalog, join};
use crate::error::StoreError;
use crate::store::Store;
use crate::write::TRIAL_REPORT;

/// The catalogs that were read so far: all trials of a run share one.
type Catalogs = HashMap<String, Vec<u8>>;

impl Store {
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
        let row = sqlx::query(concat!(
            "SELECT case_id, iteration, evidence, catalog, ",
            judgement_column!(),
            " FROM trials WHERE run_id = $1 AND case_id = $2 AND iteration = $3"
        ))
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

    /// One trial as a row of the report, of the grading that counts, by the newest analyzer that derived it; `None` when the store holds no such
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
             ORDER BY revision DESC, analyzer_version DESC LIMIT 1",
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
        let mut rows = sqlx::query(concat!(
            "SELECT case_id, iteration, evidence, catalog, ",
            judgement_column!(),
            " FROM trials WHERE run_id = $1 ORDER BY case_index, iteration"
        ))
        .bind(id.as_str())
        .fetch(&self.pool);
        while let Some(row) = rows.try_next().await.map_err(|source| self.reading(source))? {
            each(self.evidence_of(&row, &mut catalogs).await?)?;
        }
        Ok(())
    }

    /// One trial per tool catalog of a run: as a rule, one.
    pub(super) async fn evidence_by_catalog(
        &self,
        id: &RunId,
    ) -> Result<Vec<TrialEvidence<'static>>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT case_id, iteration, evidence, catalog, ",
            judgement_column!(),
            " FROM trials WHERE rowid IN \
             (SELECT min(rowid) FROM trials WHERE run_id = $1 GROUP BY catalog)"
        ))
        .bind(id.as_str())
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        let mut trials = Vec::with_capacity(rows.len());
        for row in &rows {
            trials.push(self.evidence_of(row, &mut Catalogs::new()).await?);
        }
        Ok(trials)
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
        let judgement: Option<&[u8]> = row.try_get("judgement").map_err(reading)?;
        let what = || format!("the judgement of trial {iteration} of case {case_id}");
        match judgement {
            Some(body) => Ok(judged(evidence, self.unpacked(body, &what)?)),
            None => Ok(evidence),
        }
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
}
