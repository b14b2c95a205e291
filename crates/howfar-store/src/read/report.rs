//! The report of a run: the stored documents when there are some, else derived from what is recorded.

use howfar_core::run::report::{DerivedTrial, Ending, RecordedRun, derive_trial, run_report};
use howfar_wire::report::{RunReport, TrialReport};

use super::{RunId, StoredRun, TrialQuery};
use crate::error::StoreError;
use crate::store::Store;
use crate::write::{RUN_REPORT, TRIAL_REPORT};

impl Store {
    /// The report of a run; `None` when the store does not hold the run. For a run that ended it is the document as it
    /// was made then, or since, by the newest grading and analyzer; for one that did not end it is derived from what is recorded,
    /// and establishes no verdict.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn run_report(&self, id: &RunId) -> Result<Option<RunReport>, StoreError> {
        let Some(StoredHead { mut report, analyzer, revision }) = self.stored_head(id).await?
        else {
            return self.derived_report(id).await;
        };
        let expected = self.trial_count(id, &TrialQuery::default()).await?;
        let rows: Vec<(String, Vec<u8>)> = sqlx::query_as(
            "SELECT trials.case_id, trial_documents.body FROM trial_documents \
             JOIN trials USING (run_id, case_index, iteration) \
             WHERE run_id = $1 AND kind = $2 AND analyzer_version = $3 AND revision = $4 \
             ORDER BY case_index, iteration",
        )
        .bind(id.as_str())
        .bind(TRIAL_REPORT)
        .bind(analyzer)
        .bind(revision)
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        if rows.len() as u64 != expected {
            return self.derived_report(id).await;
        }
        let mut rows = rows.into_iter().peekable();
        for case in &mut report.cases {
            let what = || format!("a trial of case {}", case.id);
            while let Some((_, body)) = rows.next_if(|(case_id, _)| *case_id == case.id) {
                let row: TrialReport = self.unpacked(&body, &what)?;
                case.details.iterations.push(row);
            }
        }
        Ok(Some(report))
    }

    /// The report of a run without its trials: what was decided, the counts, the analytics. `None` when the store does
    /// not hold the run. It reads one small document, however many trials there are.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn run_head(&self, id: &RunId) -> Result<Option<RunReport>, StoreError> {
        if let Some(head) = self.stored_head(id).await? {
            return Ok(Some(head.report));
        }
        let mut report = self.derived_report(id).await?;
        for case in report.iter_mut().flat_map(|report| &mut report.cases) {
            case.details.iterations.clear();
        }
        Ok(report)
    }

    /// The report of a run as this build derives it from evidence, whatever documents are stored.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn derived_report(&self, id: &RunId) -> Result<Option<RunReport>, StoreError> {
        let Some(run) = self.run(id).await? else { return Ok(None) };
        let trials = self.derived_trials(id).await?;
        Ok(Some(report_of(run, trials)))
    }

    /// Every trial of a run, derived from its evidence, in the order of the report.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn derived_trials(&self, id: &RunId) -> Result<Vec<DerivedTrial>, StoreError> {
        let mut trials = Vec::new();
        self.each_evidence(id, |evidence| {
            trials.push(derive_trial(&evidence));
            Ok::<(), StoreError>(())
        })
        .await?;
        Ok(trials)
    }

    /// The stored report of a run without its trials, by the newest analyzer that made one. `None` when nothing was
    /// decided: the run did not end, or the store does not hold it. It never derives, so it is fast for every run.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn decided_head(&self, id: &RunId) -> Result<Option<RunReport>, StoreError> {
        Ok(self.stored_head(id).await?.map(|head| head.report))
    }

    /// The stored report without its trials of the grading that counts, by the newest analyzer that made one.
    pub(super) async fn stored_head(&self, id: &RunId) -> Result<Option<StoredHead>, StoreError> {
        let row: Option<(Vec<u8>, i64, i64)> = sqlx::query_as(
            "SELECT body, analyzer_version, revision FROM run_documents \
             WHERE run_id = $1 AND kind = $2 ORDER BY revision DESC, analyzer_version DESC LIMIT 1",
        )
        .bind(id.as_str())
        .bind(RUN_REPORT)
        .fetch_optional(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        let what = || format!("the report of run {id}");
        row.map(|(body, analyzer, revision)| {
            Ok(StoredHead { report: self.unpacked(&body, &what)?, analyzer, revision })
        })
        .transpose()
    }
}

/// A stored report without its trials.
pub(super) struct StoredHead {
    pub(super) report: RunReport,
    /// The analyzer that made it.
    pub(super) analyzer: i64,
    /// The grading that it was derived with.
    pub(super) revision: i64,
}

/// The report of a stored run over these trials.
fn report_of(run: StoredRun, trials: Vec<DerivedTrial>) -> RunReport {
    run_report(RecordedRun {
        record: &run.record,
        setup: Some(&run.setup),
        issues: run.issues,
        trials,
        ending: run.end.map_or(Ending::Open { elapsed_ms: run.elapsed_ms }, Ending::Ended),
    })
}
