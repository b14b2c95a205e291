//! Columns that a migration added: filled once, from the documents that are stored.

use futures::TryStreamExt as _;
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
        let mut rows = sqlx::query_as::<_, (String, i64, i64, Vec<u8>)>(
            "SELECT run_id, case_index, iteration, trial_documents.body FROM trials \
             JOIN trial_documents USING (run_id, case_index, iteration) \
             WHERE stage_states IS NULL AND kind = $1 ORDER BY analyzer_version",
        )
        .bind(TRIAL_REPORT)
        .fetch(&self.pool);
        while let Some((run_id, case_index, iteration, body)) =
            rows.try_next().await.map_err(writing)?
        {
            let row: Result<TrialReport, _> = self.unpacked(&body, &|| "a trial's row".to_owned());
            if let Ok(row) = row {
                let place = (case_index, iteration);
                save_columns(&mut transaction, &run_id, place, &row).await.map_err(writing)?;
            }
        }
        drop(rows);
        transaction.commit().await.map_err(writing)
    }
}
