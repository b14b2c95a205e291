//! Who records a run: a file beside the store that its recorder keeps locked.
//!
//! The operating system gives the lock back when a process ends, however it ends. So a run without an end is told apart:
//! somebody holds the lock and it still runs, or nobody does and it was cut off.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::store::make_private;

/// A run that this process records. Dropping it gives the run back.
#[derive(Debug)]
pub(crate) struct Session {
    path: PathBuf,
    /// Holds the lock.
    file: File,
}

impl Session {
    /// Takes a run.
    pub(crate) fn take(store: &Path, run_id: &str) -> Result<Self, StoreError> {
        let marking = |source| StoreError::Mark { run_id: run_id.to_owned(), source };
        let path = mark_path(store, run_id);
        if let Some(folder) = path.parent() {
            make_private(folder).map_err(marking)?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(marking)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { run_id: run_id.to_owned() }),
            Err(TryLockError::Error(source)) => Err(marking(source)),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A mark that stays behind is not locked, and so says nothing.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// Whether a process records the run right now.
pub(crate) fn is_recorded(store: &Path, run_id: &str) -> bool {
    match File::open(mark_path(store, run_id)) {
        Ok(file) => matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)),
        Err(_) => false,
    }
}

fn mark_path(store: &Path, run_id: &str) -> PathBuf {
    let mut folder = store.as_os_str().to_owned();
    folder.push(".recording");
    PathBuf::from(folder).join(run_id)
}
