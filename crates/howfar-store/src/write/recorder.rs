//! The blocking way to write a run, for an observer that must not return before a trial is durable.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::Judgement;
use howfar_wire::record::{RunRecord, SetupRecord};
use howfar_wire::report::{Issue, RunReport, TrialReport};
use tokio::runtime::Runtime;

use super::packed::{PackedReport, PackedTrial};
use super::run::RunWriter;
use crate::error::StoreError;
use crate::store::Store;

/// Writes one run from synchronous code, on a thread of its own. Every call returns when its fact is durable.
///
/// After an error nothing more can be recorded; what was recorded before stays, as a run without an end.
pub struct Recorder {
    path: PathBuf,
    orders: SyncSender<Order>,
    thread: Option<JoinHandle<()>>,
}

/// One thing to write, and where to say how it went.
struct Order {
    write: Write,
    done: Sender<Result<(), StoreError>>,
}

/// What can be written.
enum Write {
    Begin { record: Box<RunRecord>, setup: Box<SetupRecord<'static>>, origin: String },
    GoOn { record: Box<RunRecord>, setup: Box<SetupRecord<'static>> },
    Issue(Box<Issue>),
    Trial { trial: Box<PackedTrial>, elapsed_ms: f64 },
    Judgement { judgement: Box<Judgement>, row: Box<TrialReport>, elapsed_ms: f64 },
    Finish(Box<PackedReport>),
}

impl Recorder {
    /// Opens the store at `path`, and makes it when there is none.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let (orders, inbox) = sync_channel(1);
        let (opened, opening) = channel();
        let place = path.to_owned();
        let thread = std::thread::Builder::new().name("howfar-recorder".to_owned());
        let thread = thread.spawn(move || record(&place, &opened, &inbox));
        let thread = thread.map_err(|source| StoreError::Database {
            path: path.to_owned(),
            action: "opened",
            source: source.into(),
        })?;
        let recorder = Self { path: path.to_owned(), orders, thread: Some(thread) };
        opening.recv().unwrap_or_else(|_| Err(recorder.ended()))?;
        Ok(recorder)
    }

    /// A run begins: its servers are set up. `origin` is where its suite file lies.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn begin(
        &self,
        record: &RunRecord,
        setup: &SetupRecord<'static>,
        origin: &str,
    ) -> Result<(), StoreError> {
        let (record, setup) = (Box::new(record.clone()), Box::new(setup.clone()));
        self.write(Write::Begin { record, setup, origin: origin.to_owned() })
    }

    /// A stored run goes on: what its earlier parts did not finish is recorded again.
    ///
    /// # Errors
    ///
    /// The store cannot be written, or another process records the run.
    pub fn go_on(
        &self,
        record: &RunRecord,
        setup: &SetupRecord<'static>,
    ) -> Result<(), StoreError> {
        let (record, setup) = (Box::new(record.clone()), Box::new(setup.clone()));
        self.write(Write::GoOn { record, setup })
    }

    /// Something affected the run.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn issue(&self, issue: &Issue) -> Result<(), StoreError> {
        self.write(Write::Issue(Box::new(issue.clone())))
    }

    /// A trial finished. `elapsed_ms` is the wall time of all parts of the run so far.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn trial(
        &self,
        evidence: &TrialEvidence<'_>,
        row: &TrialReport,
        elapsed_ms: f64,
    ) -> Result<(), StoreError> {
        let trial = Box::new(PackedTrial::new(evidence, row));
        self.write(Write::Trial { trial, elapsed_ms })
    }

    /// The judge of a recorded trial answered; `row` is the trial with what it said.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn judgement(
        &self,
        judgement: &Judgement,
        row: &TrialReport,
        elapsed_ms: f64,
    ) -> Result<(), StoreError> {
        let (judgement, row) = (Box::new(judgement.clone()), Box::new(row.clone()));
        self.write(Write::Judgement { judgement, row, elapsed_ms })
    }

    /// The run ended with this report.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn finish(self, report: &RunReport) -> Result<(), StoreError> {
        self.write(Write::Finish(Box::new(PackedReport::new(report))))
    }

    fn write(&self, write: Write) -> Result<(), StoreError> {
        let (done, answer) = channel();
        self.orders.send(Order { write, done }).map_err(|_| self.ended())?;
        answer.recv().unwrap_or_else(|_| Err(self.ended()))
    }

    fn ended(&self) -> StoreError {
        StoreError::RecorderEnded { path: self.path.clone() }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // The thread ends when nobody can send any more; then the store is closed.
        let (nowhere, _) = sync_channel(0);
        self.orders = nowhere;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread: opens the store, then writes what comes, one after another.
fn record(path: &Path, opened: &Sender<Result<(), StoreError>>, inbox: &Receiver<Order>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let store = match runtime {
        Ok(runtime) => runtime.block_on(Store::open(path)).map(|store| (runtime, store)),
        Err(source) => Err(StoreError::Database {
            path: path.to_owned(),
            action: "opened",
            source: source.into(),
        }),
    };
    let (runtime, store) = match store {
        Ok(store) => store,
        Err(error) => {
            let _ = opened.send(Err(error));
            return;
        }
    };
    if opened.send(Ok(())).is_ok() {
        write_all(&runtime, &store, inbox);
    }
    runtime.block_on(store.close());
}

fn write_all(runtime: &Runtime, store: &Store, inbox: &Receiver<Order>) {
    let mut run: Option<RunWriter> = None;
    while let Ok(Order { write, done }) = inbox.recv() {
        let written = runtime.block_on(apply(store, &mut run, write));
        let failed = written.is_err();
        let _ = done.send(written);
        if failed {
            return;
        }
    }
}

async fn apply(store: &Store, run: &mut Option<RunWriter>, write: Write) -> Result<(), StoreError> {
    match (write, run.as_mut()) {
        (Write::Begin { record, setup, origin }, _) => {
            *run = Some(RunWriter::begin(store.clone(), &record, &setup, &origin).await?);
            Ok(())
        }
        (Write::GoOn { record, setup }, _) => {
            *run = Some(RunWriter::go_on(store.clone(), &record, &setup).await?);
            Ok(())
        }
        (Write::Issue(issue), Some(run)) => run.issue(&issue).await,
        (Write::Trial { trial, elapsed_ms }, Some(run)) => run.trial(&trial, elapsed_ms).await,
        (Write::Judgement { judgement, row, elapsed_ms }, Some(run)) => {
            run.judgement(&judgement, &row, elapsed_ms).await
        }
        (Write::Finish(report), Some(_)) => match run.take() {
            Some(run) => run.finish(&report).await,
            None => Ok(()),
        },
        // Nothing was begun, so there is nothing to add to.
        (
            Write::Issue(_) | Write::Trial { .. } | Write::Judgement { .. } | Write::Finish(_),
            None,
        ) => Err(StoreError::RecorderEnded { path: store.path.clone() }),
    }
}
