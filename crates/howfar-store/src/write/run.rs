//! One run that is being recorded: each call is one transaction.

use std::collections::{HashMap, HashSet};

use howfar_wire::judge::Judgement;
use howfar_wire::record::{CaseRecord, RunRecord, SetupRecord};
use howfar_wire::report::{Issue, TrialReport};

use super::packed::{PackedReport, PackedTrial, save_columns, save_row};
use super::{RUN_JUDGE, integer};
use crate::codec::pack;
use crate::error::StoreError;
use crate::session::Session;
use crate::store::Store;

/// One run that is being recorded. It holds the run: no other process records it at the same time.
pub(crate) struct RunWriter {
    store: Store,
    run_id: String,
    /// The position of each case in the run.
    cases: HashMap<String, i64>,
    issues: i64,
    known_catalogs: HashSet<String>,
    _session: Session,
}

impl RunWriter {
    /// Records that a run begins. `origin` is where its suite file lies.
    pub(crate) async fn begin(
        store: Store,
        record: &RunRecord,
        setup: &SetupRecord<'_>,
        origin: &str,
    ) -> Result<Self, StoreError> {
        let writer = Self::hold(store, record)?;
        sqlx::query(
            "INSERT INTO runs (id, suite_id, suite_name, source_hash, started_at, started_at_ms, \
             cases, configured_trials, origin, record, setup) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(&record.run_id)
        .bind(&record.suite.id)
        .bind(&record.suite.name)
        .bind(&record.suite.source_hash)
        .bind(&record.started_at)
        .bind(integer(record.started_at_ms))
        .bind(integer(record.cases.len() as u64))
        .bind(integer(record.configured_trials()))
        .bind(origin)
        .bind(pack(record).body)
        .bind(pack(setup).body)
        .execute(&writer.store.pool)
        .await
        .map_err(|source| writer.store.writing(source))?;
        Ok(writer)
    }

    /// Records that a run goes on. What the part before it said about its end and its issues no longer holds.
    pub(crate) async fn go_on(
        store: Store,
        record: &RunRecord,
        setup: &SetupRecord<'_>,
    ) -> Result<Self, StoreError> {
        let writer = Self::hold(store, record)?;
        let writing = |source| writer.store.writing(source);
        let mut transaction = writer.store.pool.begin().await.map_err(writing)?;
        sqlx::query(
            "UPDATE runs SET setup = $2, ended = NULL, verdict = NULL, termination = NULL, \
             cases_passed = NULL, cases_failed = NULL WHERE id = $1",
        )
        .bind(&record.run_id)
        .bind(pack(setup).body)
        .execute(&mut *transaction)
        .await
        .map_err(writing)?;
        for table in [
            "DELETE FROM issues WHERE run_id = $1",
            "DELETE FROM trials WHERE run_id = $1 AND ran = 0",
            "DELETE FROM run_documents WHERE run_id = $1",
        ] {
            let query = sqlx::query(table).bind(&record.run_id);
            query.execute(&mut *transaction).await.map_err(writing)?;
        }
        transaction.commit().await.map_err(writing)?;
        Ok(writer)
    }

    fn hold(store: Store, record: &RunRecord) -> Result<Self, StoreError> {
        let session = Session::take(&store.path, &record.run_id)?;
        let position = |(at, case): (usize, &CaseRecord)| (case.id.clone(), integer(at as u64));
        Ok(Self {
            run_id: record.run_id.clone(),
            cases: record.cases.iter().enumerate().map(position).collect(),
            issues: 0,
            known_catalogs: HashSet::new(),
            _session: session,
            store,
        })
    }

    /// Records an issue.
    pub(crate) async fn issue(&mut self, issue: &Issue) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO issues (run_id, position, body) VALUES ($1, $2, $3)")
            .bind(&self.run_id)
            .bind(self.issues)
            .bind(pack(issue).body)
            .execute(&self.store.pool)
            .await
            .map_err(|source| self.store.writing(source))?;
        self.issues += 1;
        Ok(())
    }

    /// Records a finished trial with what was derived from it, and the time that the run took so far.
    pub(crate) async fn trial(
        &mut self,
        trial: &PackedTrial,
        elapsed_ms: f64,
    ) -> Result<(), StoreError> {
        let store = &self.store;
        let writing = |source| store.writing(source);
        let mut transaction = store.pool.begin().await.map_err(writing)?;
        if !self.known_catalogs.contains(trial.catalog_digest()) {
            trial.save_catalog(&mut transaction).await.map_err(writing)?;
        }
        let case_index = self.cases.get(&trial.case_id).copied().unwrap_or_default();
        trial.save(&mut transaction, &self.run_id, case_index).await.map_err(writing)?;
        sqlx::query(
            "UPDATE runs SET elapsed_ms = $2, stored_trials = stored_trials + $3 WHERE id = $1",
        )
        .bind(&self.run_id)
        .bind(elapsed_ms)
        .bind(i64::from(trial.is_settled()))
        .execute(&mut *transaction)
        .await
        .map_err(writing)?;
        transaction.commit().await.map_err(writing)?;
        self.known_catalogs.insert(trial.catalog_digest().to_owned());
        Ok(())
    }

    /// Records what the judge of a recorded trial said, and what is derived with it.
    pub(crate) async fn judgement(
        &mut self,
        judgement: &Judgement,
        row: &TrialReport,
        elapsed_ms: f64,
    ) -> Result<(), StoreError> {
        let writing = |source| self.store.writing(source);
        let case_index = self.cases.get(&judgement.case_id).copied().unwrap_or_default();
        let place = (case_index, i64::from(judgement.iteration_number));
        let mut transaction = self.store.pool.begin().await.map_err(writing)?;
        sqlx::query(
            "INSERT INTO judgements (run_id, case_index, iteration, revision, body) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        )
        .bind(&self.run_id)
        .bind(place.0)
        .bind(place.1)
        .bind(RUN_JUDGE)
        .bind(pack(judgement).body)
        .execute(&mut *transaction)
        .await
        .map_err(writing)?;
        let packed = pack(row);
        let saved = save_row(&mut transaction, &self.run_id, place, &packed, RUN_JUDGE).await;
        saved.map_err(writing)?;
        save_columns(&mut transaction, &self.run_id, place, row).await.map_err(writing)?;
        sqlx::query("UPDATE runs SET elapsed_ms = $2 WHERE id = $1")
            .bind(&self.run_id)
            .bind(elapsed_ms)
            .execute(&mut *transaction)
            .await
            .map_err(writing)?;
        transaction.commit().await.map_err(writing)
    }

    /// Records the report of the run, and with it that the run ended.
    pub(crate) async fn finish(self, report: &PackedReport) -> Result<(), StoreError> {
        let writing = |source| self.store.writing(source);
        let mut transaction = self.store.pool.begin().await.map_err(writing)?;
        report.save(&mut transaction, &self.run_id, RUN_JUDGE).await.map_err(writing)?;
        sqlx::query("UPDATE runs SET ended = $2, elapsed_ms = $3 WHERE id = $1")
            .bind(&self.run_id)
            .bind(pack(&report.end).body)
            .bind(report.end.duration_ms)
            .execute(&mut *transaction)
            .await
            .map_err(writing)?;
        transaction.commit().await.map_err(writing)
    }
}
