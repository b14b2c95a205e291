//! Where the store is, and whether there is one yet.

use std::path::{Path, PathBuf};

use howfar_store::{Store, StoreError};
use tokio::sync::Mutex;

/// The place of a store that may not exist yet. It is opened, to read, by the first question after it was made.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    opened: Mutex<Option<Store>>,
}

impl Source {
    /// The store at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), opened: Mutex::new(None) }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The store; `None` as long as nothing was ever recorded at this place.
    ///
    /// # Errors
    ///
    /// The file is no store, is newer than this build or cannot be read.
    pub async fn store(&self) -> Result<Option<Store>, StoreError> {
        let mut opened = self.opened.lock().await;
        if let Some(store) = &*opened {
            return Ok(Some(store.clone()));
        }
        match Store::open_to_read(&self.path).await {
            Ok(store) => Ok(Some(opened.insert(store).clone())),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
