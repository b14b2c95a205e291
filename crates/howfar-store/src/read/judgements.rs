//! What judges said about stored trials: which grading counts, and what is still owed.

use howfar_core::judge::graded_record;
use howfar_wire::chain::{JudgeStatus, PendingKind};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::Grading;
use howfar_wire::record::RunRecord;

use super::RunId;
use crate::error::StoreError;
use crate::store::Store;

/// The judgement of a trial that counts: of the newest finished grading that has one, else that of the run itself.
macro_rules! judgement_column {
    () => {
        "(SELECT judgements.body FROM judgements WHERE judgements.run_id = trials.run_id \
         AND judgements.case_index = trials.case_index AND judgements.iteration = trials.iteration \
         AND (judgements.revision = 0 OR EXISTS (SELECT 1 FROM gradings \
         WHERE gradings.run_id = judgements.run_id AND gradings.revision = judgements.revision \
         AND gradings.finished = 1)) ORDER BY judgements.revision DESC LIMIT 1) AS judgement"
    };
}
pub(super) use judgement_column;

impl Store {
    /// The trials of a run whose judgement is owed, because the run ended before its judge answered.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub async fn owed_judgements(
        &self,
        id: &RunId,
    ) -> Result<Vec<TrialEvidence<'static>>, StoreError> {
        let mut owed = Vec::new();
        self.each_evidence(id, |evidence| {
            if owes_judgement(&evidence) {
                owed.push(evidence);
            }
            Ok::<(), StoreError>(())
        })
        .await?;
        Ok(owed)
    }

    /// The grading that counts for a run: 0 when its stored evidence was never graded again.
    pub(crate) async fn current_grading(&self, id: &RunId) -> Result<i64, StoreError> {
        let query = "SELECT max(revision) FROM gradings WHERE run_id = $1 AND finished = 1";
        let newest: Option<i64> = sqlx::query_scalar(query)
            .bind(id.as_str())
            .fetch_one(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        Ok(newest.unwrap_or_default())
    }

    /// The record of a run with the judges of its finished gradings, the newest last.
    pub(super) async fn with_gradings(
        &self,
        id: &RunId,
        record: RunRecord,
    ) -> Result<RunRecord, StoreError> {
        let query =
            "SELECT body FROM gradings WHERE run_id = $1 AND finished = 1 ORDER BY revision";
        let bodies: Vec<Vec<u8>> = sqlx::query_scalar(query)
            .bind(id.as_str())
            .fetch_all(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        let what = || format!("a grading of run {id}");
        bodies.iter().try_fold(record, |record, body| {
            let grading: Grading = self.unpacked(body, &what)?;
            Ok(graded_record(record, &grading))
        })
    }
}

fn owes_judgement(evidence: &TrialEvidence<'_>) -> bool {
    evidence.judge.as_ref().is_some_and(|judgement| {
        judgement.status == JudgeStatus::Pending
            && judgement.pending_kind == Some(PendingKind::Scheduled)
    })
}
