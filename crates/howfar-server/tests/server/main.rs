//! Stored runs from the reader's side: questions and answers, and the web router without a socket.

mod mcp;
mod pages;
mod reading;
mod web;

use std::path::PathBuf;

use howfar_store::{RunId, Store, StoreError};
use howfar_testkit::samples::Sample;

/// A store of sample runs in a folder of its own.
struct Stored {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Stored {
    /// A store that holds these runs, of each of which that many trials are recorded.
    fn with(runs: &[(Sample, u32)]) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let path = folder.path().join("howfar.db");
        for (sample, recorded) in runs {
            sample.save(&path, *recorded).expect("a new store takes a run");
        }
        Self { _folder: folder, path }
    }

    /// A store that holds one finished run with this many trials.
    fn run(trials: u32) -> (Self, RunId) {
        let sample = Sample { number: 0, trials };
        (Self::with(&[(sample, trials)]), RunId::new(sample.run_id()))
    }

    async fn open(&self) -> Result<Store, StoreError> {
        Store::open_to_read(&self.path).await
    }
}
