//! Documents, ready to be stored: packed on the caller's thread, saved inside the writer's transaction.

use howfar_wire::chain::STAGE_ANALYZER_VERSION;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::RunEnd;
use howfar_wire::report::{CaseDetails, CaseReport, RunReport, TrialReport};
use howfar_wire::vocabulary::Vocabulary as _;
use sqlx::{Sqlite, Transaction};

use super::{RUN_JUDGE, RUN_REPORT, TRIAL_REPORT, integer};
use crate::catalog::split;
use crate::codec::{Packed, Text, pack};

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
    stage_states: String,
    catalog: Text,
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
            ran: row.status.is_settled(),
            task_verdict: row.task_verdict.map(|verdict| verdict.as_str()),
            first_failed_stage: row.first_failed_stage.map(|stage| stage.as_str()),
            failure_category: row.failure_category.map(|category| category.as_str()),
            duration_ms: row.duration_ms,
            stage_states: stage_states(row),
            catalog: Text::of(&catalog),
            evidence: pack(&rest),
            row: pack(row),
        }
    }

    /// Whether the trial is a fact of its run.
    pub(super) const fn is_settled(&self) -> bool {
        self.ran
    }

    /// The digest of its catalogs.
    pub(super) fn catalog_digest(&self) -> &str {
        &self.catalog.digest
    }

    /// Saves the catalogs, which other trials may have saved before.
    pub(super) async fn save_catalog(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
    ) -> Result<(), sqlx::Error> {
        sqlx::query("INSERT INTO catalogs (digest, body) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(&self.catalog.digest)
            .bind(self.catalog.compressed())
            .execute(&mut **transaction)
            .await?;
        Ok(())
    }

    /// Saves the trial with its row. Its catalogs are saved already.
    pub(super) async fn save(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        run_id: &str,
        case_index: i64,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO trials (run_id, case_index, case_id, iteration, status, ran, \
             task_verdict, first_failed_stage, failure_category, duration_ms, catalog, evidence, \
             evidence_digest, stage_states) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        )
        .bind(run_id)
        .bind(case_index)
        .bind(&self.case_id)
        .bind(self.iteration)
        .bind(self.status)
        .bind(self.ran)
        .bind(self.task_verdict)
        .bind(self.first_failed_stage)
        .bind(self.failure_category)
        .bind(self.duration_ms)
        .bind(&self.catalog.digest)
        .bind(&self.evidence.body)
        .bind(&self.evidence.digest)
        .bind(&self.stage_states)
        .execute(&mut **transaction)
        .await?;
        save_row(transaction, run_id, (case_index, self.iteration), &self.row, RUN_JUDGE).await
    }
}

/// Saves the row of a trial as this build's analyzer derived it with this grading.
pub(crate) async fn save_row(
    transaction: &mut Transaction<'_, Sqlite>,
    run_id: &str,
    (case_index, iteration): (i64, i64),
    row: &Packed,
    revision: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO trial_documents (run_id, case_index, iteration, kind, analyzer_version, body, \
         revision) VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (run_id, kind, revision, analyzer_version, case_index, iteration) \
         DO UPDATE SET body = excluded.body",
    )
    .bind(run_id)
    .bind(case_index)
    .bind(iteration)
    .bind(TRIAL_REPORT)
    .bind(i64::from(STAGE_ANALYZER_VERSION))
    .bind(&row.body)
    .bind(revision)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Copies what a listing says of a trial from its newest row.
pub(crate) async fn save_columns(
    transaction: &mut Transaction<'_, Sqlite>,
    run_id: &str,
    (case_index, iteration): (i64, i64),
    row: &TrialReport,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE trials SET first_failed_stage = $4, failure_category = $5, stage_states = $6, \
         task_verdict = $7 WHERE run_id = $1 AND case_index = $2 AND iteration = $3",
    )
    .bind(run_id)
    .bind(case_index)
    .bind(iteration)
    .bind(row.first_failed_stage.map(|stage| stage.as_str()))
    .bind(row.failure_category.map(|category| category.as_str()))
    .bind(stage_states(row))
    .bind(row.task_verdict.map(|verdict| verdict.as_str()))
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// The six states of a chain as its column keeps them.
fn stage_states(row: &TrialReport) -> String {
    let states: Vec<&str> = row.stage_results.iter().map(|row| row.state.as_str()).collect();
    states.join(" ")
}

/// A run's report without its trials, ready to be stored, with the columns of a listing.
pub(crate) struct PackedReport {
    pub(super) end: RunEnd,
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

    /// Saves the report as this build's analyzer made it with this grading, and what a listing says of the run.
    pub(crate) async fn save(
        &self,
        transaction: &mut Transaction<'_, Sqlite>,
        run_id: &str,
        revision: i64,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO run_documents (run_id, kind, analyzer_version, body, revision) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run_id, kind, revision, analyzer_version) \
             DO UPDATE SET body = excluded.body",
        )
        .bind(run_id)
        .bind(RUN_REPORT)
        .bind(i64::from(STAGE_ANALYZER_VERSION))
        .bind(&self.head.body)
        .bind(revision)
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
