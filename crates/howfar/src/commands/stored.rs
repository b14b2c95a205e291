//! What the commands over stored runs share: where the store is, how it is opened, which run is meant.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use howfar_store::{FindError, RunId, Store, StoreError};
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::ExitCode;
use tokio::runtime::Runtime;

use crate::cli::StoreArgs;
use crate::error::CommandError;

/// The store's file in its folder.
const STORE_FILE: &str = "howfar.db";

/// Where the store is: as asked for, else in the platform's data folder (product, "Where it stores").
pub(crate) fn store_path(args: &StoreArgs) -> Result<PathBuf, CommandError> {
    if let Some(path) = &args.path {
        if path.to_string_lossy().contains("://") {
            let error =
                CommandError::usage("--store: this build keeps runs in an SQLite file only");
            return Err(error.hint("name a file"));
        }
        return Ok(path.clone());
    }
    let platform = etcetera::base_strategy::choose_native_strategy().map_err(|error| {
        let error = CommandError::usage(format!("cannot tell where the data folder is: {error}"));
        error.hint("name the store with --store PATH or HOWFAR_STORE")
    })?;
    Ok(platform.data_dir().join("howfar").join(STORE_FILE))
}

/// A store that is open, for a command that waits for each answer.
pub(crate) struct OpenStore {
    runtime: Runtime,
    store: Store,
}

impl OpenStore {
    /// Opens the store to read.
    pub(crate) fn to_read(args: &StoreArgs) -> Result<Self, CommandError> {
        let path = store_path(args)?;
        Self::with(|runtime| runtime.block_on(Store::open_to_read(&path)))
    }

    /// Opens the store to write; it has to exist.
    pub(crate) fn to_write(args: &StoreArgs) -> Result<Self, CommandError> {
        let path = store_path(args)?;
        if !path.exists() {
            return Err(StoreError::Missing { path }.into());
        }
        Self::with(|runtime| runtime.block_on(Store::open(&path)))
    }

    fn with(
        open: impl FnOnce(&Runtime) -> Result<Store, StoreError>,
    ) -> Result<Self, CommandError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| {
            CommandError::new(ExitCode::Setup, format!("cannot start the runtime: {error}"))
        })?;
        let store = open(&runtime)?;
        Ok(Self { runtime, store })
    }

    /// Asks the store and waits for its answer.
    pub(crate) fn ask<'a, T, E: Into<CommandError>, F: Future<Output = Result<T, E>>>(
        &'a self,
        question: impl FnOnce(&'a Store) -> F,
    ) -> Result<T, CommandError> {
        self.runtime.block_on(question(&self.store)).map_err(Into::into)
    }

    /// The run that a person names.
    pub(crate) fn find(&self, name: &str) -> Result<RunId, CommandError> {
        self.ask(|store| store.find_run(name))
    }

    /// The report of a run.
    pub(crate) fn report(&self, id: &RunId) -> Result<RunReport, CommandError> {
        self.ask(|store| store.run_report(id))?.ok_or_else(|| gone(id))
    }
}

/// A run that was found a moment ago and is not there any more.
pub(crate) fn gone(id: &RunId) -> CommandError {
    CommandError::usage(format!("the run {id} was deleted meanwhile"))
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        if error.is_corrupt() {
            return Self::new(ExitCode::Setup, message).hint(
                "the file is damaged: restore a copy, or move it away, and `howfar run SUITE` makes a new one",
            );
        }
        if error.is_busy() {
            return Self::new(ExitCode::Setup, message)
                .hint("another program holds it: try again when that has ended");
        }
        match error {
            StoreError::Missing { .. } => {
                Self::usage(message).hint("`howfar run SUITE` makes it; --store PATH names another")
            }
            StoreError::NotAStore { .. } | StoreError::IsFolder { .. } => {
                Self::usage(message).hint("name another file with --store PATH")
            }
            StoreError::Newer { .. } => Self::new(ExitCode::Setup, message),
            StoreError::Damaged { .. } => Self::new(ExitCode::Incomplete, message)
                .hint("`howfar list --check` names everything that does not read back"),
            StoreError::Folder { .. }
            | StoreError::Database { .. }
            | StoreError::InUse { .. }
            | StoreError::Mark { .. }
            | StoreError::RecorderEnded { .. } => Self::new(ExitCode::Setup, message),
        }
    }
}

impl From<FindError> for CommandError {
    fn from(error: FindError) -> Self {
        let message = error.to_string();
        match error {
            FindError::Store(error) => error.into(),
            FindError::Empty => Self::usage(message).hint("`howfar run SUITE` records one"),
            FindError::NotFound { .. } => {
                Self::usage(message).hint("`howfar list` shows the runs and their ids")
            }
            FindError::Ambiguous { .. } => Self::usage(message).hint("give more of the id"),
        }
    }
}
