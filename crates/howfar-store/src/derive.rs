//! Deriving again: the same evidence under this build's analyzer. Documents of other analyzers stay.

use howfar_wire::chain::STAGE_ANALYZER_VERSION;
use howfar_wire::report::RunReport;

use crate::codec::pack;
use crate::error::StoreError;
use crate::read::RunId;
use crate::store::Store;
use crate::write::{PackedReport, save_columns, save_row};

/// What deriving a run again did.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The report as this build derives it.
    pub report: RunReport,
    /// The analyzer that derived it.
    pub analyzer_version: u64,
    /// The analyzers whose documents the store holds now, newest first.
    pub kept: Vec<u64>,
}

impl Store {
    /// Derives the documents of a run again from its evidence and keeps them beside those of other analyzers and
    /// of earlier gradings. `None`
    /// when the store does not hold the run. A run that did not end gets rows for its trials, and no report: nothing
    /// is decided about it.
    ///
    /// # Errors
    ///
    /// The store cannot be read or written, or is damaged.
    pub async fn derive_run(&self, id: &RunId) -> Result<Option<Derived>, StoreError> {
        let Some(report) = self.derived_report(id).await? else { return Ok(None) };
        let has_ended = self.run(id).await?.is_some_and(|run| run.end.is_some());
        let revision = self.current_grading(id).await?;
        let writing = |source| self.writing(source);
        let mut transaction = self.pool.begin().await.map_err(writing)?;
        for (case_index, case) in report.cases.iter().enumerate() {
            let case_index = i64::try_from(case_index).unwrap_or(i64::MAX);
            for row in &case.details.iterations {
                let trial = (case_index, i64::from(row.iteration_number));
                let saved =
                    save_row(&mut transaction, id.as_str(), trial, &pack(row), revision).await;
                saved.map_err(writing)?;
                let copied = save_columns(&mut transaction, id.as_str(), trial, row).await;
                copied.map_err(writing)?;
            }
        }
        if has_ended {
            let packed = PackedReport::new(&report);
            packed.save(&mut transaction, id.as_str(), revision).await.map_err(writing)?;
        }
        transaction.commit().await.map_err(writing)?;
        let mut kept: Vec<u64> =
            self.documents(id).await?.iter().map(|document| document.analyzer_version).collect();
        kept.dedup();
        Ok(Some(Derived { report, analyzer_version: u64::from(STAGE_ANALYZER_VERSION), kept }))
    }
}
