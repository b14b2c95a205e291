//! A run as comparisons and gates read it: its record, its report, the rows of its trials and the declared tools. Of the
//! evidence, one trial per tool catalog is read.

use futures::TryStreamExt as _;
use howfar_core::run::side::{RunSide, SideTrial};
use howfar_wire::report::{RunReport, TrialOutline};
use howfar_wire::transcript::{CaptureState, ToolDeclaration};
use howfar_wire::vocabulary::CaptureChannel;

use super::report::StoredHead;
use super::{RunId, StoredRun, TrialQuery};
use crate::codec::Unpacker;
use crate::error::StoreError;
use crate::store::Store;
use crate::write::TRIAL_REPORT;

impl Store {
    /// A run as comparisons and gates read it; `None` when the store does not hold it. Rows of trials are read one at a
    /// time and only in outline, so that a run of many thousand trials takes little memory and time.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn run_side(&self, id: &RunId) -> Result<Option<RunSide>, StoreError> {
        let Some(run) = self.run(id).await? else { return Ok(None) };
        let declarations = match run.setup.catalog_digest {
            Some(_) => self.declarations(id).await?,
            None => None,
        };
        if let Some(head) = self.stored_head(id).await? {
            let trials = self.side_trials(id, &head).await?;
            if trials.len() as u64 == self.trial_count(id, &TrialQuery::default()).await? {
                return Ok(Some(side(run, head.report, trials, declarations)));
            }
        }
        let Some(report) = self.derived_report(id).await? else { return Ok(None) };
        let side = RunSide::new(run.record, report, run.setup.catalog_digest);
        Ok(Some(RunSide { declarations, ..side }))
    }

    /// The newest complete run of the same suite that began before `id` did; `None` when there is none, or no such run.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn previous_complete_run(&self, id: &RunId) -> Result<Option<RunId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT base.id FROM runs AS base, runs AS run WHERE run.id = $1 \
             AND base.suite_id = run.suite_id AND base.ended IS NOT NULL \
             AND (base.started_at_ms, base.id) < (run.started_at_ms, run.id) \
             ORDER BY base.started_at_ms DESC, base.id DESC",
        )
        .bind(id.as_str())
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        for id in ids.into_iter().map(RunId::new) {
            if self.run_head(&id).await?.is_some_and(|report| report.metadata.complete) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The tools as every trial of the run has them; `None` when no trial does, when a server's list was not read to its
    /// end, or when trials disagree.
    async fn declarations(&self, id: &RunId) -> Result<Option<Vec<ToolDeclaration>>, StoreError> {
        let mut known: Option<Vec<ToolDeclaration>> = None;
        for evidence in self.evidence_by_catalog(id).await? {
            let capture = evidence.transcript.capture_state(CaptureChannel::ToolDeclarations);
            let Some(declared) = evidence.transcript.tool_declarations else { continue };
            let agrees = known.as_ref().is_none_or(|known| *known == declared);
            if capture != CaptureState::Complete || !agrees {
                return Ok(None);
            }
            known = Some(declared);
        }
        Ok(known)
    }

    async fn side_trials(
        &self,
        id: &RunId,
        head: &StoredHead,
    ) -> Result<Vec<SideTrial>, StoreError> {
        let mut rows = sqlx::query_as::<_, (String, Vec<u8>)>(
            "SELECT trials.case_id, trial_documents.body FROM trial_documents \
             JOIN trials USING (run_id, case_index, iteration) \
             WHERE run_id = $1 AND kind = $2 AND analyzer_version = $3 AND revision = $4 \
             ORDER BY case_index, iteration",
        )
        .bind(id.as_str())
        .bind(TRIAL_REPORT)
        .bind(head.analyzer)
        .bind(head.revision)
        .fetch(&self.pool);
        let (mut trials, mut unpacker) = (Vec::new(), Unpacker::new());
        while let Some((case_id, body)) =
            rows.try_next().await.map_err(|source| self.reading(source))?
        {
            let what = || format!("a trial of case {case_id}");
            let text = unpacker.unpack(body).map_err(|error| self.unreadable(&what, error))?;
            let row: TrialOutline<'_> =
                serde_json::from_slice(text).map_err(|error| self.unreadable(&what, error))?;
            trials.push(SideTrial::new(&case_id, row));
        }
        Ok(trials)
    }
}

fn side(
    run: StoredRun,
    report: RunReport,
    trials: Vec<SideTrial>,
    declarations: Option<Vec<ToolDeclaration>>,
) -> RunSide {
    let catalog_digest = run.setup.catalog_digest;
    RunSide { record: run.record, report, catalog_digest, declarations, trials }
}
