//! Writing a run: its beginning, its trials, its issues, its report. Each call is one transaction, durable when it
//! returns.

mod recorder;

use std::collections::{HashMap, HashSet};

use howfar_wire::chain::STAGE_ANALYZER_VERSION;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::{RunEnd, RunRecord, SetupRecord};
use howfar_wire::report::{CaseDetails, CaseReport, Issue, RunReport, TrialReport};
use howfar_wire::vocabulary::{IterationStatus, Vocabulary as _};
use sqlx::{Sqlite, Transaction};

use crate::catalog::split;
use crate::codec::{Packed, pack};
use crate::error::StoreError;
use crate::session::Session;
use crate::store::Store;
pub use recorder::Recorder;

/// The kind of a stored trial row.
pub(crate) const TRIAL_REPORT: &str = "trial-report";

/// The kind of a stored run report; its trials lie beside it, each as a [`TRIAL_REPORT`].
pub(crate) const RUN_REPORT: &str = "run-report";

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
        let position = |(at, case): (usize, &howfar_wire::record::CaseRecord)| {
            (case.id.clone(), integer(at as u64))
        };
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
        if !self.known_catalogs.contains(&trial.catalog.digest) {
            insert_catalog(&mut transaction, &trial.catalog).await.map_err(writing)?;
        }
        let case_index = self.cases.get(&trial.case_id).copied().unwrap_or_default();
        insert_trial(&mut transaction, &self.run_id, case_index, trial).await.map_err(writing)?;
        sqlx::query(
            "UPDATE runs SET elapsed_ms = $2, stored_trials = stored_trials + $3 WHERE id = $1",
        )
        .bind(&self.run_id)
        .bind(elapsed_ms)
        .bind(i64::from(trial.ran))
        .execute(&mut *transaction)
        .await
        .map_err(writing)?;
        transaction.commit().await.map_err(writing)?;
        self.known_catalogs.insert(trial.catalog.digest.clone());
        Ok(())
    }

    /// Records the report of the run, and with it that the run ended.
    pub(crate) async fn finish(self, report: &PackedReport) -> Result<(), StoreError> {
        let writing = |source| self.store.writing(source);
        let mut transaction = self.store.pool.begin().await.map_err(writing)?;
        report.save(&mut transaction, &self.run_id).await.map_err(writing)?;
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

/// A trial, ready to be stored.
pub(crate) struct PackedTrial {
    pub(crate) case_id: String,
    iteration: i64,
    status: &'static str,
    ran: bool,
    task_verdict: Option<&'static str>,
    first_failed_stage: Option<&'static str>,
    failure_category: Option<&'static str>,
    duration_ms: f64,
    catalog: Packed,
    evidence: Packed,
    row: Packed,
}

impl PackedTrial {
    /// Packs a trial: its catalogs apart from the rest.
    pub(crate) fn new(evidence: &TrialEvidence<'_>, row: &TrialReport) -> Self {
        let (catalog, rest) = split(evidence);
        Self {
            case_id: evidence.case_id.clone(),
            iteration: i64::from(row.iteration_number),
            status: row.status.as_str(),
            ran: has_run(row.status),
            task_verdict: row.task_verdict.map(|verdict| verdict.as_str()),
            first_failed_stage: row.first_failed_stage.map(|stage| stage.as_str()),
            failure_category: row.failure_category.map(|category| category.as_str()),
            duration_ms: row.duration_ms,
            catalog: pack(&catalog),
            evidence: pack(&rest),
            row: pack(row),
        }
    }
}

/// Whether a trial is a fact of its run. A trial that an interrupt or a stop overtook is withdrawn, and a resumed run runs
/// it again (suite and runner, section B8).
const fn has_run(status: IterationStatus) -> bool {
    match status {
        IterationStatus::Completed
        | IterationStatus::Failed
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed => true,
        IterationStatus::Pending
        | IterationStatus::Running
        | IterationStatus::Cancelled
        | IterationStatus::Skipped => false,
    }
}

async fn insert_catalog(
    transaction: &mut Transaction<'_, Sqlite>,
    catalog: &Packed,
) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO catalogs (digest, body) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(&catalog.digest)
        .bind(&catalog.body)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

async fn insert_trial(
    transaction: &mut Transaction<'_, Sqlite>,
    run_id: &str,
    case_index: i64,
    trial: &PackedTrial,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO trials (run_id, case_index, case_id, iteration, status, ran, task_verdict, \
         first_failed_stage, failure_category, duration_ms, catalog, evidence, evidence_digest) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    )
    .bind(run_id)
    .bind(case_index)
    .bind(&trial.case_id)
    .bind(trial.iteration)
    .bind(trial.status)
    .bind(trial.ran)
    .bind(trial.task_verdict)
    .bind(trial.first_failed_stage)
    .bind(trial.failure_category)
    .bind(trial.duration_ms)
    .bind(&trial.catalog.digest)
    .bind(&trial.evidence.body)
    .bind(&trial.evidence.digest)
    .execute(&mut **transaction)
    .await?;
    save_row(transaction, run_id, (case_index, trial.iteration), &trial.row).await
}

/// Saves the row of a trial as this build's analyzer derived it.
pub(crate) async fn save_row(
    transaction: &mut Transaction<'_, Sqlite>,
    run_id: &str,
    (case_index, iteration): (i64, i64),
    row: &Packed,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO trial_documents (run_id, case_index, iteration, kind, analyzer_version, body) \
         VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (run_id, kind, analyzer_version, case_index, iteration) \
         DO UPDATE SET body = excluded.body",
    )
    .bind(run_id)
    .bind(case_index)
    .bind(iteration)
    .bind(TRIAL_REPORT)
    .bind(i64::from(STAGE_ANALYZER_VERSION))
    .bind(&row.body)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// A run's report without its trials, ready to be stored, with the columns of a listing.
pub(crate) struct PackedReport {
    end: RunEnd,
    verdict: &'static str,
    termination: &'static str,
    cases_passed: i64,
    cases_failed: i64,
    head: Packed,
}

impl PackedReport {
    /// Packs a report.
    pub(crate) fn new(report: &RunReport) -> Self {
        let termination = report.metadata.termination;
        Self {
            end: RunEnd { termination, duration_ms: report.duration_ms },
            verdict: report.verdict.as_str(),
            termination: termination.as_str(),
            cases_passed: integer(report.summary.passed),
            cases_failed: integer(report.summary.failed),
            head: pack(&head(report)),
        }
    }

    /// Saves the report as this build's analyzer made it, and what a listing says of the run.
    pub(crate) async fn save(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        run_id: &str,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO run_documents (run_id, kind, analyzer_version, body) \
             VALUES ($1, $2, $3, $4) ON CONFLICT (run_id, kind, analyzer_version) \
             DO UPDATE SET body = excluded.body",
        )
        .bind(run_id)
        .bind(RUN_REPORT)
        .bind(i64::from(STAGE_ANALYZER_VERSION))
        .bind(&self.head.body)
        .execute(&mut **transaction)
        .await?;
        sqlx::query(
            "UPDATE runs SET verdict = $2, termination = $3, cases_passed = $4, cases_failed = $5 \
             WHERE id = $1",
        )
        .bind(run_id)
        .bind(self.verdict)
        .bind(self.termination)
        .bind(self.cases_passed)
        .bind(self.cases_failed)
        .execute(&mut **transaction)
        .await?;
        Ok(())
    }
}

/// The report without its trials: they are stored one by one.
fn head(report: &RunReport) -> RunReport {
    let case = |case: &CaseReport| CaseReport {
        id: case.id.clone(),
        title: case.title.clone(),
        category: case.category.clone(),
        passed: case.passed,
        classification: case.classification.clone(),
        duration_ms: case.duration_ms,
        error: case.error.clone(),
        details: CaseDetails {
            case_id: case.details.case_id.clone(),
            verdict: case.details.verdict,
            model: case.details.model.clone(),
            rail: case.details.rail.clone(),
            iterations: Vec::new(),
        },
    };
    RunReport {
        schema_version: report.schema_version,
        kind: report.kind.clone(),
        passed: report.passed,
        verdict: report.verdict,
        summary: report.summary.clone(),
        cases: report.cases.iter().map(case).collect(),
        duration_ms: report.duration_ms,
        analytics: report.analytics.clone(),
        friction: report.friction.clone(),
        metadata: report.metadata.clone(),
    }
}

/// A count as the database keeps it.
pub(crate) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
