//! Where the store is, and whether there is one yet.

use std::path::{Path, PathBuf};

use howfar_store::{Store, StoreError};
use tokio::sync::Mutex;

/// The place of a store that may not exist yet. It is opened, to read, by the first question after it was made; until
/// then every question is answered by a store that holds nothing.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    opened: Mutex<Opened>,
}

#[derive(Debug)]
enum Opened {
    Nothing,
    Empty(Store),
    Stored(Store),
}

impl Source {
    /// The store at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), opened: Mutex::new(Opened::Nothing) }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether something was ever recorded at this place.
    pub fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// The store; an empty one as long as nothing was ever recorded at this place.
    ///
    /// # Errors
    ///
    /// The file is no store, is newer than this build or cannot be read.
    pub async fn store(&self) -> Result<Store, StoreError> {
        let mut opened = self.opened.lock().await;
        if let Opened::Stored(store) = &*opened {
            if self.is_there() {
                return Ok(store.clone());
            }
            // Connections still read a file that was deleted; whoever deleted it does not want to see it any more.
            *opened = Opened::Nothing;
        }
        match (Store::open_to_read(&self.path).await, &*opened) {
            (Ok(store), _) => {
                *opened = Opened::Stored(store.clone());
                Ok(store)
            }
            (Err(StoreError::Missing { .. }), Opened::Empty(store)) => Ok(store.clone()),
            (Err(StoreError::Missing { .. }), Opened::Nothing | Opened::Stored(_)) => {
                let store = Store::empty(&self.path).await?;
                *opened = Opened::Empty(store.clone());
                Ok(store)
            }
            (Err(error), _) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use howfar_testkit::samples::Sample;

    use super::*;

    #[tokio::test]
    async fn a_store_is_picked_up_when_it_appears_and_given_up_when_it_is_deleted() {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let source = Source::new(folder.path().join("howfar.db"));
        let runs = async || {
            source
                .store()
                .await
                .expect("it opens")
                .run_count(&howfar_store::RunQuery::default())
                .await
        };
        assert_eq!(runs().await.expect("it reads"), 0);
        assert!(!source.is_there());
        Sample { number: 0, trials: 1 }.save(source.path(), 1).expect("a new store takes a run");
        assert_eq!(runs().await.expect("it reads"), 1);
        std::fs::remove_file(source.path()).expect("the store is there");
        assert_eq!(runs().await.expect("a deleted store is an empty one"), 0);
    }
}
