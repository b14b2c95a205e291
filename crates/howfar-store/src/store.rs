//! Opening a store: its place, its schema, its way of being durable.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Row as _, SqlSafeStr as _};

use crate::error::StoreError;

/// The `application_id` of a store: the letters `hwfr`.
const APPLICATION_ID: i64 = 1_752_655_474;

/// How long a statement waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause before a store that is being made is opened again: while it turns to its write-ahead log, `SQLite` refuses
/// a second process at once, whatever the busy timeout.
const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// Readers at the same time, for a server; one more connection writes.
const MAX_CONNECTIONS: u32 = 4;

/// The migrations, oldest first: version, description, text. A migration that was released is never changed.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "runs", include_str!("../migrations/sqlite/0001_runs.sql")),
    (2, "listing", include_str!("../migrations/sqlite/0002_listing.sql")),
    (3, "judgements", include_str!("../migrations/sqlite/0003_judgements.sql")),
];

/// The newest schema version that this build knows.
pub const SCHEMA_VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// An open store: runs, the evidence of their trials, and what was derived from it. Cloning it is cheap.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) pool: SqlitePool,
    pub(crate) path: PathBuf,
}

impl Store {
    /// Opens the store to write, and makes it when there is none. An older schema is brought up to date.
    ///
    /// A commit is durable when it returns: the write-ahead log is synced at every commit (`synchronous = FULL`). A
    /// trial takes far longer than a sync, and a measurement that cost money is not to be lost with the power.
    ///
    /// # Errors
    ///
    /// The folder cannot be made; the file is no store, is newer than this build, cannot be written or is locked.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_private(folder)
                .map_err(|source| StoreError::Folder { path: path.to_owned(), source })?;
        }
        let started = Instant::now();
        loop {
            match Self::open_once(path).await {
                Err(error) if error.is_busy() && started.elapsed() < BUSY_TIMEOUT => {
                    tokio::time::sleep(BUSY_PAUSE).await;
                }
                opened => return opened,
            }
        }
    }

    async fn open_once(path: &Path) -> Result<Self, StoreError> {
        let options = options(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let store = Self::connect(path, options).await?;
        match store.schema_version().await? {
            Some(SCHEMA_VERSION) => {}
            Some(_) | None => store.migrate().await?,
        }
        Ok(store)
    }

    /// Opens a store that exists, to read. It works on a read-only file and folder too.
    ///
    /// # Errors
    ///
    /// There is none; the file is no store, is newer than this build or cannot be read.
    pub async fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let store = match Self::connect(path, options(path).read_only(true)).await {
            // A write-ahead log needs a second file beside the store. Where none can be made, nobody writes either.
            Err(StoreError::Database { source: sqlx::Error::Database(error), .. })
                if needs_second_file(error.message()) && !has_log(path) =>
            {
                Self::connect(path, options(path).read_only(true).immutable(true)).await?
            }
            other => other?,
        };
        match store.schema_version().await? {
            Some(SCHEMA_VERSION) => Ok(store),
            Some(_) => Self::open(path).await,
            None => Err(StoreError::NotAStore { path: path.to_owned() }),
        }
    }

    /// A store that holds nothing, in memory, for a reader of a place where nothing was recorded yet. `path` is that
    /// place; it is not touched.
    ///
    /// # Errors
    ///
    /// The database refused.
    pub async fn empty(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(true);
        // Every connection to memory is a database of its own, so there is one, and it stays.
        let pool =
            SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.connect_with(options).await.map_err(|source| opening(path, source))?;
        let store = Self { pool, path: path.to_owned() };
        store.migrate().await?;
        Ok(store)
    }

    /// Where the store is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends every connection. A store that is dropped does so in the background.
    pub async fn close(self) {
        self.pool.close().await;
    }

    async fn connect(path: &Path, options: SqliteConnectOptions) -> Result<Self, StoreError> {
        if path.is_dir() {
            return Err(StoreError::IsFolder { path: path.to_owned() });
        }
        let pool = SqlitePoolOptions::new().max_connections(MAX_CONNECTIONS);
        let pool = pool.connect_with(options).await.map_err(|source| opening(path, source))?;
        let store = Self { pool, path: path.to_owned() };
        if store.is_one_or_empty().await.map_err(|source| opening(path, source))? {
            Ok(store)
        } else {
            Err(StoreError::NotAStore { path: path.to_owned() })
        }
    }

    /// Whether the file is a store, or holds no table: a new one, or one whose making was cut off.
    ///
    /// One transaction, so that a store that another process makes in between is seen whole or not at all.
    async fn is_one_or_empty(&self) -> Result<bool, sqlx::Error> {
        let mut snapshot = self.pool.begin().await?;
        let id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *snapshot).await?;
        let tables: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE '\\_sqlx%' ESCAPE '\\' \
             AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .fetch_one(&mut *snapshot)
        .await?;
        snapshot.rollback().await?;
        Ok(id == APPLICATION_ID || id == 0 && tables == 0)
    }

    /// The version of the schema; `None` before the first migration.
    async fn schema_version(&self) -> Result<Option<i64>, StoreError> {
        let reading = |source| opening(&self.path, source);
        let table = "SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'";
        let tables: i64 = sqlx::query_scalar(table).fetch_one(&self.pool).await.map_err(reading)?;
        if tables == 0 {
            return Ok(None);
        }
        let row = sqlx::query("SELECT max(version) AS version FROM _sqlx_migrations WHERE success")
            .fetch_one(&self.pool)
            .await
            .map_err(reading)?;
        let found: Option<i64> = row.try_get("version").map_err(reading)?;
        match found {
            Some(found) if found > SCHEMA_VERSION => {
                Err(StoreError::Newer { path: self.path.clone(), found, known: SCHEMA_VERSION })
            }
            found => Ok(found),
        }
    }

    async fn migrate(&self) -> Result<(), StoreError> {
        let migration = |&(version, description, text): &(i64, &'static str, &'static str)| {
            let kind = MigrationType::Simple;
            Migration::new(version, description.into(), kind, text.into_sql_str(), false)
        };
        let migrator = Migrator::with_migrations(MIGRATIONS.iter().map(migration).collect());
        let mut before = self.schema_version().await?;
        while before != Some(SCHEMA_VERSION) {
            let Err(error) = migrator.run(&self.pool).await else {
                return self.fill_stage_states().await;
            };
            // Two processes may make the same store at once; the one that came second finds work done.
            let now = self.schema_version().await?;
            if now <= before {
                let source = match error {
                    MigrateError::Execute(source) | MigrateError::ExecuteMigration(source, _) => {
                        source
                    }
                    other => sqlx::Error::from(other),
                };
                let action = "brought up to date";
                return Err(StoreError::Database { path: self.path.clone(), action, source });
            }
            before = now;
        }
        Ok(())
    }

    pub(crate) fn reading(&self, source: sqlx::Error) -> StoreError {
        StoreError::Database { path: self.path.clone(), action: "read", source }
    }

    pub(crate) fn writing(&self, source: sqlx::Error) -> StoreError {
        StoreError::Database { path: self.path.clone(), action: "written", source }
    }

    pub(crate) fn damaged(&self, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what: what.into() }
    }
}

/// Whether a store could not be read only because its folder takes no second file.
fn needs_second_file(message: &str) -> bool {
    message.contains("unable to open") || message.contains("readonly database")
}

/// Whether there are commits that are not in the store's own file yet.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(PathBuf::from(log)).is_ok_and(|log| log.len() > 0)
}

/// Makes a folder that only its owner can read: evidence holds what users and servers said.
pub(crate) fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(BUSY_TIMEOUT)
}

/// The error of opening: a file that is no database is told from one that cannot be opened.
fn opening(path: &Path, source: sqlx::Error) -> StoreError {
    match &source {
        sqlx::Error::Database(error) if error.message().contains("not a database") => {
            StoreError::NotAStore { path: path.to_owned() }
        }
        _ => StoreError::Database { path: path.to_owned(), action: "opened", source },
    }
}
