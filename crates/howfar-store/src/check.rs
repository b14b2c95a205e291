//! Integrity: does everything that was stored read back as it was written?

use futures::TryStreamExt as _;
use howfar_wire::canon;
use howfar_wire::judge::{Grading, Judgement};
use howfar_wire::report::{RunReport, TrialReport};
use sqlx::Row as _;

use crate::codec::unpack;
use crate::error::StoreError;
use crate::read::{RunId, RunQuery};
use crate::store::Store;
use crate::write::{GRADING, JUDGEMENT, RUN_REPORT, TRIAL_REPORT};

impl Store {
    /// Everything that does not read back, one line each; empty for a sound store. Evidence and catalogs are compared
    /// with the digests that were taken when they were written.
    ///
    /// # Errors
    ///
    /// The store cannot be read at all.
    pub async fn damages(&self) -> Result<Vec<String>, StoreError> {
        let mut damages = self.database_damages().await?;
        let evidence = "SELECT 'the evidence of trial ' || iteration || ' of case ' || case_id || \
             ' of run ' || run_id AS what, evidence_digest AS digest, evidence AS body FROM trials";
        self.compare_digests(evidence, &mut damages).await?;
        let catalogs = "SELECT 'the tool catalog ' || digest AS what, digest, body FROM catalogs";
        self.compare_digests(catalogs, &mut damages).await?;
        self.read_documents(&mut damages).await?;
        for run in self.runs(&RunQuery::default()).await? {
            match self.run(&RunId::new(run.run_id)).await {
                Ok(_) => {}
                Err(StoreError::Damaged { what, .. }) => damages.push(what),
                Err(error) => return Err(error),
            }
        }
        Ok(damages)
    }

    /// What the database itself finds: broken pages, rows that belong to nothing.
    async fn database_damages(&self) -> Result<Vec<String>, StoreError> {
        let reading = |source| self.reading(source);
        let lines: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check")
            .fetch_all(&self.pool)
            .await
            .map_err(reading)?;
        let mut damages: Vec<String> = lines.into_iter().filter(|line| line != "ok").collect();
        let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_all(&self.pool).await;
        for row in orphans.map_err(reading)? {
            let table: String = row.try_get("table").map_err(reading)?;
            damages.push(format!("a row of {table} belongs to nothing"));
        }
        Ok(damages)
    }

    async fn compare_digests(
        &self,
        query: &'static str,
        damages: &mut Vec<String>,
    ) -> Result<(), StoreError> {
        let reading = |source| self.reading(source);
        let mut rows = sqlx::query(query).fetch(&self.pool);
        while let Some(row) = rows.try_next().await.map_err(reading)? {
            let digest: String = row.try_get("digest").map_err(reading)?;
            let fault = match unpack(row.try_get("body").map_err(reading)?) {
                Ok(text) if canon::sha256_hex(&text) == digest => continue,
                Ok(_) => "is not what was written".to_owned(),
                Err(error) => format!("does not read back: {error}"),
            };
            let what: String = row.try_get("what").map_err(reading)?;
            damages.push(format!("{what} {fault}"));
        }
        Ok(())
    }

    async fn read_documents(&self, damages: &mut Vec<String>) -> Result<(), StoreError> {
        let reading = |source| self.reading(source);
        let mut rows = sqlx::query(
            "SELECT run_id, kind, body FROM run_documents UNION ALL \
             SELECT run_id, kind, body FROM trial_documents UNION ALL \
             SELECT run_id, 'judgement', body FROM judgements UNION ALL \
             SELECT run_id, 'grading', body FROM gradings",
        )
        .fetch(&self.pool);
        while let Some(row) = rows.try_next().await.map_err(reading)? {
            let kind: String = row.try_get("kind").map_err(reading)?;
            let fault = match unpack(row.try_get("body").map_err(reading)?) {
                Ok(text) => document_fault(&kind, &text),
                Err(error) => Some(error),
            };
            if let Some(fault) = fault {
                let run: String = row.try_get("run_id").map_err(reading)?;
                damages.push(format!("a {kind} of run {run} does not read back: {fault}"));
            }
        }
        Ok(())
    }
}

/// Why a document is not of its kind. A kind that this build does not know is left alone.
fn document_fault(kind: &str, text: &[u8]) -> Option<String> {
    match kind {
        RUN_REPORT => serde_json::from_slice::<RunReport>(text).err(),
        TRIAL_REPORT => serde_json::from_slice::<TrialReport>(text).err(),
        JUDGEMENT => serde_json::from_slice::<Judgement>(text).err(),
        GRADING => serde_json::from_slice::<Grading>(text).err(),
        _ => None,
    }
    .map(|error| error.to_string())
}
