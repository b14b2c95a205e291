//! What changes in a store while another process records: asked for again and again, told once.

use std::collections::BTreeMap;

use howfar_store::{RunId, RunQuery, Store};
use howfar_wire::api::{IterationRow, MAX_PAGE_ITEMS, RunChange, RunProgress};
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::RunState;

use super::head::run_tally;
use super::trials::row;
use super::{ReadError, runs::known};

/// How many of the newest runs a [`StoreWatch`] looks at.
const WATCHED_RUNS: u32 = 50;

/// One run, watched. Each look says what changed since the one before.
#[derive(Debug)]
pub struct RunWatch {
    store: Store,
    id: RunId,
    /// The newest trial that was told of.
    mark: i64,
    last: Option<RunListRow>,
}

impl RunWatch {
    /// Watches a run from now on.
    pub const fn new(store: Store, id: RunId) -> Self {
        Self { store, id, mark: 0, last: None }
    }

    /// Where the run stands, when that is something new: always at the first look.
    ///
    /// # Errors
    ///
    /// The run was deleted, or the store cannot be read.
    pub async fn look(&mut self) -> Result<Option<RunProgress>, ReadError> {
        let run = known(&self.store, &self.id).await?;
        let news = match self.last {
            Some(_) => self.store.trials_since(&self.id, self.mark, MAX_PAGE_ITEMS).await?,
            None => {
                self.mark = self.store.newest_mark(&self.id).await?;
                Vec::new()
            }
        };
        self.mark = news.last().map_or(self.mark, |(mark, _)| *mark);
        let finished: Vec<IterationRow> = news.into_iter().map(|(_, trial)| row(trial)).collect();
        if finished.is_empty() && self.last.as_ref() == Some(&run) {
            return Ok(None);
        }
        self.last = Some(run.clone());
        let groups = self.store.trial_groups(&self.id, 0..u32::MAX).await?;
        Ok(Some(RunProgress { run, trials: run_tally(&groups), finished }))
    }

    /// Whether nothing more can happen: the run ended or was cut off, and everything was told.
    pub fn is_over(&self) -> bool {
        self.last.as_ref().is_some_and(|run| match run.state {
            RunState::Ended | RunState::CutOff => true,
            RunState::Running => false,
        })
    }
}

/// The newest runs of a store, watched.
#[derive(Debug, Default)]
pub struct StoreWatch {
    told: Option<BTreeMap<String, RunListRow>>,
}

impl StoreWatch {
    /// The runs that began, gained trials or ended since the look before, oldest first; at the first look those that
    /// run now.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub async fn look(&mut self, store: &Store) -> Result<Vec<RunChange>, ReadError> {
        let query = RunQuery { limit: Some(WATCHED_RUNS), ..RunQuery::default() };
        let runs = store.runs(&query).await?;
        let is_new = |run: &&RunListRow| match &self.told {
            Some(told) => told.get(&run.run_id) != Some(*run),
            None => run.state == RunState::Running,
        };
        let changes: Vec<RunChange> =
            runs.iter().rev().filter(is_new).map(|run| RunChange { run: run.clone() }).collect();
        self.told = Some(runs.into_iter().map(|run| (run.run_id.clone(), run)).collect());
        Ok(changes)
    }
}
