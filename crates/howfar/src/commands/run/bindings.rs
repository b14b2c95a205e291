//! From flags and files to one binding per target server (suite and runner, section B3).

use std::path::{Path, PathBuf};

use howfar_mcp::{
    BindingError, BindingSources, BoundServer, ConfigSource, ServerBinding, SingleTarget,
    bind_servers,
};
use howfar_suite::plan::refusal;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::vocabulary::{RefusalCode, RefusalPhase};

/// Files that are read when no flag names one, in the order in which they win.
const DEFAULT_CONFIGS: [&str; 3] = [".mcp.json", ".howfar/mcp.json", ".mcpjam/mcp.json"];

/// The flags that bind servers.
#[derive(Debug, Clone, Default)]
pub(crate) struct BindingFlags {
    /// `--server NAME=URL`.
    pub(crate) servers: Vec<String>,
    /// `--url`.
    pub(crate) url: Option<String>,
    /// `--header`.
    pub(crate) headers: Vec<String>,
    /// `--command`.
    pub(crate) command: Option<String>,
    /// `--mcp-config`.
    pub(crate) config: Option<PathBuf>,
}

/// Binds every target. Files are read only while they could matter.
pub(super) fn bind(targets: &[String], flags: &BindingFlags) -> Result<Vec<BoundServer>, Refusal> {
    let single = single_target(flags).map_err(|error| refuse(&[error]))?;
    let covered = single.is_some() || flags.servers.len() >= targets.len();
    let configs = match &flags.config {
        None if covered => Vec::new(),
        config => config_sources(config.as_deref()),
    };
    let sources = BindingSources { servers: flags.servers.clone(), single, configs };
    let env = |name: &str| std::env::var(name).ok();
    bind_servers(targets, &sources, &env).map_err(|errors| refuse(&errors))
}

fn single_target(flags: &BindingFlags) -> Result<Option<SingleTarget>, BindingError> {
    if let Some(url) = &flags.url {
        let mut binding = ServerBinding::from_url(url);
        if let ServerBinding::Http(http) = &mut binding {
            for header in &flags.headers {
                let (name, value) =
                    header.split_once(':').ok_or_else(|| BindingError::InvalidFile {
                        source_label: "--header".to_owned(),
                        detail: "expected `NAME: VALUE`".to_owned(),
                    })?;
                http.headers.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
        return Ok(Some(SingleTarget { flag: "--url".to_owned(), binding }));
    }
    let Some(command) = &flags.command else { return Ok(None) };
    let invalid =
        |detail: String| BindingError::InvalidFile { source_label: "--command".to_owned(), detail };
    let words = howfar_mcp::parse_command_line(command).map_err(invalid)?;
    let Some((program, args)) = words.split_first() else {
        return Err(invalid("the command is empty".to_owned()));
    };
    let binding = ServerBinding::from_command(program, args);
    Ok(Some(SingleTarget { flag: "--command".to_owned(), binding }))
}

/// The configuration files that can bind servers: the one that the user named, else those of the working directory that
/// exist, in the order in which they win.
pub(crate) fn config_sources(named: Option<&Path>) -> Vec<ConfigSource> {
    named.map_or_else(default_configs, |path| vec![explicit_config(path)])
}

fn explicit_config(path: &Path) -> ConfigSource {
    ConfigSource {
        label: path.display().to_string(),
        folder: folder_of(path),
        text: std::fs::read_to_string(path).map_err(|error| error.to_string()),
        explicit: true,
    }
}

fn default_configs() -> Vec<ConfigSource> {
    let config = |name: &str| {
        let path = Path::new(name);
        path.is_file().then(|| ConfigSource { explicit: false, ..explicit_config(path) })
    };
    DEFAULT_CONFIGS.into_iter().filter_map(config).collect()
}

/// The folder of a file, absolute, so that a server's relative `cwd` means the same wherever it is started.
fn folder_of(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.parent().map_or_else(|| PathBuf::from("."), Path::to_owned)
}

fn refuse(errors: &[BindingError]) -> Refusal {
    // A flag for a server that the suite does not name is a mistake of the command line, and so comes first.
    let usage =
        errors.iter().find(|error| error.refusal_code() == RefusalCode::ServerBindingInvalid);
    let code =
        usage.or(errors.first()).map_or(RefusalCode::SetupFailed, BindingError::refusal_code);
    let problem =
        |error: &BindingError| Problem { message: error.to_string(), ..Problem::default() };
    refusal(code, RefusalPhase::Setup, errors.iter().map(problem).collect())
}
