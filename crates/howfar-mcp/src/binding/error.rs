//! Why a server name could not be bound.

use howfar_wire::vocabulary::RefusalCode;
use thiserror::Error;

/// Why a server name could not be bound to a command or an url. Values are never quoted, only names.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BindingError {
    /// The command line binds a server that the suite does not name.
    #[error(
        "{source_label}: the suite has no target server \"{server}\"; its targets are {targets}"
    )]
    UnknownServer {
        /// The name that was given.
        server: String,
        /// Where it was given.
        source_label: String,
        /// The names that exist, quoted and joined.
        targets: String,
    },
    /// The command line binds one server twice.
    #[error("{source_label}: server \"{server}\" is given twice; keep one")]
    DuplicateServer {
        /// The name.
        server: String,
        /// Where it was given.
        source_label: String,
    },
    /// `--url` or `--command` with a suite that does not have exactly one target.
    #[error(
        "{source_label} needs a suite with exactly one target server, this one has {count}; use --server NAME=URL or --mcp-config FILE"
    )]
    NotOneTarget {
        /// The flag.
        source_label: String,
        /// How many targets the suite has.
        count: usize,
    },
    /// `--server` without a name, an equals sign and an url.
    #[error("--server \"{text}\": expected NAME=URL")]
    ServerFlag {
        /// The part before the equals sign, or everything when there is none.
        text: String,
    },
    /// A configuration file could not be read.
    #[error("{source_label}: the file cannot be read ({detail})")]
    Unreadable {
        /// The file.
        source_label: String,
        /// What the system said.
        detail: String,
    },
    /// A configuration file is not JSON with an `mcpServers` object.
    #[error("{source_label}: {detail}")]
    InvalidFile {
        /// The file.
        source_label: String,
        /// What is wrong and what is expected.
        detail: String,
    },
    /// The winning entry of a server cannot be used.
    #[error("{source_label}: server \"{server}\": {detail}")]
    InvalidEntry {
        /// The server.
        server: String,
        /// The file or flag.
        source_label: String,
        /// What is wrong and what is expected.
        detail: String,
    },
    /// The winning entry uses a variable that is not set and has no default.
    #[error(
        "{source_label}: server \"{server}\": environment variable {variable} (used in {field}) is not set; set it, or write ${{{variable}:-default}}"
    )]
    UnsetVariable {
        /// The server.
        server: String,
        /// The file.
        source_label: String,
        /// The variable's name.
        variable: String,
        /// The member that uses it, for example `headers.Authorization`.
        field: String,
    },
    /// No source has an entry for a server.
    #[error(
        "server \"{server}\" has no binding (looked in {looked_in}); add it to ./.mcp.json or pass --server {server}=URL"
    )]
    Missing {
        /// The server.
        server: String,
        /// The sources that were searched.
        looked_in: String,
    },
}

impl BindingError {
    /// The refusal that this error makes of a run (suite and runner, section B2).
    pub const fn refusal_code(&self) -> RefusalCode {
        match self {
            Self::UnknownServer { .. }
            | Self::DuplicateServer { .. }
            | Self::NotOneTarget { .. }
            | Self::ServerFlag { .. } => RefusalCode::ServerBindingInvalid,
            Self::Missing { .. } => RefusalCode::ServerBindingMissing,
            Self::Unreadable { .. }
            | Self::InvalidFile { .. }
            | Self::InvalidEntry { .. }
            | Self::UnsetVariable { .. } => RefusalCode::SetupFailed,
        }
    }
}
