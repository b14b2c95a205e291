//! A store from outside: what was recorded reads back, and what breaks says so.

mod derive;
mod find;
mod grading;
mod integrity;
mod opening;
mod prune;
mod recording;

use std::path::PathBuf;

use howfar_store::{Store, StoreError};
use howfar_testkit::samples::Sample;

/// A folder with a store of one run with these trials, of which all are recorded.
fn stored(trials: u32) -> (tempfile::TempDir, PathBuf, Sample) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let sample = Sample { number: 0, trials };
    sample.save(&path, trials).expect("a new store takes a run");
    (folder, path, sample)
}

/// Opens a store to read and asks it.
fn ask<T, F: Future<Output = T>>(
    path: &std::path::Path,
    question: impl FnOnce(Store) -> F,
) -> Result<T, StoreError> {
    block_on(async {
        let store = Store::open_to_read(path).await?;
        Ok(question(store).await)
    })
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime starts")
        .block_on(future)
}
