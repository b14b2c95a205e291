//! Retention: which runs go, and letting them go. The plan is made before anything is deleted.

use std::collections::BTreeMap;

use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::RunState;

use crate::error::StoreError;
use crate::read::{RunId, RunQuery, count};
use crate::store::Store;

/// Which runs are kept. A run goes only when every rule that is given lets it go; without a rule none goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Retention {
    /// Keep this many of the newest runs.
    pub keep: Option<u32>,
    /// Keep the runs that began at or after this time, in milliseconds since 1970.
    pub since_ms: Option<u64>,
}

impl Retention {
    /// Whether a run is kept: `newer` runs are newer than it.
    fn keeps(self, newer: usize, started_at_ms: u64) -> bool {
        let by_count = self.keep.map(|keep| newer < keep as usize);
        let by_age = self.since_ms.map(|since| started_at_ms >= since);
        match (by_count, by_age) {
            (None, None) => true,
            (Some(kept), None) | (None, Some(kept)) => kept,
            (Some(by_count), Some(by_age)) => by_count || by_age,
        }
    }
}

impl Store {
    /// The runs that a retention lets go, newest first. A run that is being recorded is never among them.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub async fn prunable(&self, retention: Retention) -> Result<Vec<RunListRow>, StoreError> {
        let times: Vec<(String, i64)> = sqlx::query_as("SELECT id, started_at_ms FROM runs")
            .fetch_all(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        let times: BTreeMap<String, i64> = times.into_iter().collect();
        let runs = self.runs(&RunQuery::default()).await?;
        let goes = runs.into_iter().enumerate().filter(|(newer, run)| {
            // A run without a time began between the two questions.
            let began = times.get(&run.run_id).map(|&time| count(time));
            run.state != RunState::Running
                && began.is_some_and(|began| !retention.keeps(*newer, began))
        });
        Ok(goes.map(|(_, run)| run).collect())
    }

    /// Deletes runs with everything that only they use. Gives how many there were. The space is given back unless somebody
    /// else uses the store right now; then the next runs fill it.
    ///
    /// # Errors
    ///
    /// The store cannot be written; then nothing was deleted.
    pub async fn delete_runs(&self, runs: &[RunId]) -> Result<u64, StoreError> {
        let writing = |source| self.writing(source);
        let mut transaction = self.pool.begin().await.map_err(writing)?;
        let mut deleted = 0;
        for run in runs {
            let query = sqlx::query("DELETE FROM runs WHERE id = $1").bind(run.as_str());
            let done = query.execute(&mut *transaction).await.map_err(writing)?;
            deleted += done.rows_affected();
        }
        sqlx::query("DELETE FROM catalogs WHERE digest NOT IN (SELECT catalog FROM trials)")
            .execute(&mut *transaction)
            .await
            .map_err(writing)?;
        transaction.commit().await.map_err(writing)?;
        // The runs are deleted already: a store that is in use and stays as large as it was is no failure of that.
        let _ = sqlx::query("VACUUM").execute(&self.pool).await;
        Ok(deleted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(retention: Retention, newer: usize, started_at_ms: u64, expected: bool) {
        assert_eq!(retention.keeps(newer, started_at_ms), expected, "{retention:?}");
    }

    #[test]
    fn without_a_rule_every_run_stays() {
        check(Retention::default(), 1000, 0, true);
    }

    #[test]
    fn the_newest_stay() {
        let retention = Retention { keep: Some(2), since_ms: None };
        check(retention, 1, 0, true);
        check(retention, 2, u64::MAX, false);
    }

    #[test]
    fn a_run_goes_only_when_every_rule_lets_it_go() {
        let retention = Retention { keep: Some(2), since_ms: Some(50) };
        check(retention, 5, 50, true);
        check(retention, 1, 49, true);
        check(retention, 2, 49, false);
    }
}
