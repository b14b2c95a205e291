//! Columns that a migration added: filled once, from the documents that are stored.

use howfar_wire::report::TrialReport;

use crate::error::StoreError;
use crate::store::Store;
use crate::write::{TRIAL_REPORT, save_columns};

impl Store {
    /// Copies the states of every chain that was derived before there was a column for them. A document that does not
    /// read back leaves its column empty; [`Store::damages`] names it.
    pub(crate) async fn fill_stage_states(&self) -> Result<(), StoreError> {
        let writing = |source| self.writing(source);
        let mut transaction = self.pool.begin().await.map_err(writing)?;
        let trials: Vec<(String, i64, i64)> = sqlx::query_as(
            "SELECT run_id, case_index, iteration FROM trials WHERE stage_states IS NULL",
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(writing)?;
        for (run_id, case_index, iteration) in trials {
            let body: Option<Vec<u8>> = sqlx::query_scalar(
                "SELECT body FROM trial_documents WHERE run_id = $1 AND kind = $2 \
                 AND case_index = $3 AND iteration = $4 ORDER BY revision DESC, analyzer_version DESC LIMIT 1",
            )
            .bind(&run_id)
            .bind(TRIAL_REPORT)
            .bind(case_index)
            .bind(iteration)
            .fetch_optional(&mut *transaction)
            .await
            .map_err(writing)?;
            let Some(body) = body else { continue };
            let row: Result<TrialReport, _> = self.unpacked(&body, &|| "a trial's row".to_owned());
            if let Ok(row) = row {
                let place = (case_index, iteration);
                save_columns(&mut transaction, &run_id, place, &row).await.map_err(writing)?;
            }
        }
        transaction.commit().await.map_err(writing)
    }
}
