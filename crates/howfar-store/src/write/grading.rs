//! Grading stored evidence: a grading is begun or gone on with, takes one judgement per trial, and is finished.

use std::collections::HashSet;

use howfar_wire::judge::{Grading, Judgement};

use super::RUN_JUDGE;
use crate::codec::pack;
use crate::derive::Derived;
use crate::error::StoreError;
use crate::read::RunId;
use crate::session::Session;
use crate::store::Store;

/// A grading that this process writes. Nobody else grades or records the run meanwhile.
#[derive(Debug)]
pub struct OpenGrading {
    run: RunId,
    revision: i64,
    /// The trials that have a judgement in this grading, as case id and number.
    pub done: HashSet<(String, u32)>,
    /// Whether it was finished before.
    pub finished: bool,
    _session: Session,
}

impl OpenGrading {
    /// Which grading of the run it is, from 1.
    pub fn revision(&self) -> u64 {
        crate::read::count(self.revision)
    }
}

impl Store {
    /// Begins a grading of a run, or goes on with the newest one when it is the same. A finished one is given back as it
    /// is, unless `again` asks for a new one.
    ///
    /// # Errors
    ///
    /// The store cannot be read or written, is damaged, or another process records or grades the run.
    pub async fn open_grading(
        &self,
        id: &RunId,
        grading: &Grading,
        again: bool,
    ) -> Result<OpenGrading, StoreError> {
        let session = Session::take(&self.path, id.as_str())?;
        let newest: Option<(i64, Vec<u8>, i64)> = sqlx::query_as(
            "SELECT revision, body, finished FROM gradings WHERE run_id = $1 \
             ORDER BY revision DESC LIMIT 1",
        )
        .bind(id.as_str())
        .fetch_optional(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        let what = || format!("a grading of run {id}");
        let last = newest.as_ref().map_or(RUN_JUDGE, |(revision, _, _)| *revision);
        if let Some((revision, body, finished)) = newest {
            let finished = finished == 1;
            let same = self.unpacked::<Grading>(&body, &what)? == *grading;
            if same && !(finished && again) {
                let done = self.judged_trials(id, revision).await?;
                let run = id.clone();
                return Ok(OpenGrading { run, revision, done, finished, _session: session });
            }
        }
        let revision = last + 1;
        sqlx::query("INSERT INTO gradings (run_id, revision, body) VALUES ($1, $2, $3)")
            .bind(id.as_str())
            .bind(revision)
            .bind(pack(grading).body)
            .execute(&self.pool)
            .await
            .map_err(|source| self.writing(source))?;
        let (run, done) = (id.clone(), HashSet::new());
        Ok(OpenGrading { run, revision, done, finished: false, _session: session })
    }

    /// Keeps what a judge said about a trial. It is durable when this returns; a second judgement of the same trial in the
    /// same grading is dropped.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub async fn add_judgement(
        &self,
        grading: &mut OpenGrading,
        judgement: &Judgement,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO judgements (run_id, case_index, iteration, revision, body) \
             SELECT run_id, case_index, iteration, $4, $5 FROM trials \
             WHERE run_id = $1 AND case_id = $2 AND iteration = $3 ON CONFLICT DO NOTHING",
        )
        .bind(grading.run.as_str())
        .bind(&judgement.case_id)
        .bind(i64::from(judgement.iteration_number))
        .bind(grading.revision)
        .bind(pack(judgement).body)
        .execute(&self.pool)
        .await
        .map_err(|source| self.writing(source))?;
        grading.done.insert((judgement.case_id.clone(), judgement.iteration_number));
        Ok(())
    }

    /// Finishes a grading: from now on it counts, and the documents of the run are derived with it, beside the older
    /// ones. `None` when the run was deleted meanwhile.
    ///
    /// # Errors
    ///
    /// The store cannot be read or written, or is damaged.
    pub async fn finish_grading(
        &self,
        grading: OpenGrading,
    ) -> Result<Option<Derived>, StoreError> {
        sqlx::query("UPDATE gradings SET finished = 1 WHERE run_id = $1 AND revision = $2")
            .bind(grading.run.as_str())
            .bind(grading.revision)
            .execute(&self.pool)
            .await
            .map_err(|source| self.writing(source))?;
        self.derive_run(&grading.run).await
    }

    async fn judged_trials(
        &self,
        id: &RunId,
        revision: i64,
    ) -> Result<HashSet<(String, u32)>, StoreError> {
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "SELECT trials.case_id, trials.iteration FROM judgements \
             JOIN trials USING (run_id, case_index, iteration) WHERE run_id = $1 AND revision = $2",
        )
        .bind(id.as_str())
        .bind(revision)
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        let trial =
            |(case, number): (String, i64)| (case, u32::try_from(number).unwrap_or(u32::MAX));
        Ok(rows.into_iter().map(trial).collect())
    }
}
