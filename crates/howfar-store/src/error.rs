//! What can go wrong with a store.

use std::path::PathBuf;

/// Why a store could not be opened, read or written. Every message is one line that a person can act on.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no store yet: nothing was ever recorded at this place.
    #[error("there is no store at {}", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The folder of the store cannot be made.
    #[error("the folder of the store {} cannot be made: {source}", path.display())]
    Folder {
        /// The store.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is not a howfar store", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// There is a folder in its place.
    #[error("{} is a folder, and a store is a file", path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A newer version of howfar has written it.
    #[error(
        "the store {} has schema version {found}, and this howfar knows versions up to {known}; \
         use the howfar that wrote it, or a newer one",
        path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version that this build reads.
        known: i64,
    },
    /// The database refused: read-only, locked, full.
    #[error("the store {} cannot be {action}: {}", path.display(), reason(source))]
    Database {
        /// The store.
        path: PathBuf,
        /// What was tried, as a participle: `opened`, `read`, `written`.
        action: &'static str,
        /// The error of the database.
        source: sqlx::Error,
    },
    /// Something that was stored does not read back.
    #[error("the store {} is damaged: {what}", path.display())]
    Damaged {
        /// The store.
        path: PathBuf,
        /// What does not read back, and why.
        what: String,
    },
    /// Another process writes this run.
    #[error("the run {run_id} is being recorded by another process")]
    InUse {
        /// The run.
        run_id: String,
    },
    /// The file that marks a run as being recorded cannot be made.
    #[error("the run {run_id} cannot be marked as being recorded: {source}")]
    Mark {
        /// The run.
        run_id: String,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// The thread that writes has ended.
    #[error("the store {} is no longer written: its recorder ended", path.display())]
    RecorderEnded {
        /// The store.
        path: PathBuf,
    },
}

impl StoreError {
    /// Whether another process held the database (`SQLITE_BUSY` and its extended codes), so that trying again may do.
    pub fn is_busy(&self) -> bool {
        self.primary_code() == Some(SQLITE_BUSY)
    }

    /// Whether the database file itself is broken (`SQLITE_CORRUPT` and its extended codes).
    pub fn is_corrupt(&self) -> bool {
        self.primary_code() == Some(SQLITE_CORRUPT)
    }

    /// The database's own code, without its extension.
    fn primary_code(&self) -> Option<u32> {
        let Self::Database { source: sqlx::Error::Database(error), .. } = self else {
            return None;
        };
        error.code()?.parse::<u32>().ok().map(|code| code & 0xff)
    }
}

/// The primary result code of a database that another connection has locked.
const SQLITE_BUSY: u32 = 5;

/// The primary result code of a file that is no database any more.
const SQLITE_CORRUPT: u32 = 11;

/// The database's own words, without the driver's frame around them.
fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        other => other.to_string(),
    }
}

/// Why no run answers to a name.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// Nothing was recorded yet.
    #[error("the store holds no run")]
    Empty,
    /// No run's id begins with the name.
    #[error("no run's id begins with {name:?}")]
    NotFound {
        /// What was asked for.
        name: String,
    },
    /// Several ids begin with the name.
    #[error("{name:?} names more than one run: {}", ids.join(", "))]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// Some of the ids, newest first.
        ids: Vec<String>,
    },
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}
