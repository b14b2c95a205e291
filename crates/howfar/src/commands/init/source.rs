//! Which server is meant: the one of the flags, or one of `.mcp.json`.

use howfar_mcp::{BindingSources, BoundServer, ConfigSource, ServerBinding, bind_servers};
use serde_json::json;

use super::entry::{self, Entry};
use crate::cli::InitArgs;
use crate::commands::live::{binding_error, server_names};
use crate::commands::run::config_sources;
use crate::error::CommandError;

/// The name of a server in messages until it says its own.
const UNNAMED: &str = "server";

/// The server that a suite is written for.
pub(super) struct Source {
    /// How it is reached. Its name is final when [`Origin`] is a file or the user gave one.
    pub(super) bound: BoundServer,
    /// Whether the user, or a file, named it.
    pub(super) named: bool,
    /// Where the binding comes from.
    pub(super) origin: Origin,
    /// Every value that must not be written or printed, longest first.
    pub(super) secrets: Vec<String>,
}

/// Where a binding comes from.
pub(super) enum Origin {
    /// Flags, as the entry that they are worth.
    Flags(Entry),
    /// A configuration file.
    File,
}

/// Finds the server.
pub(super) fn find(args: &InitArgs) -> Result<Source, CommandError> {
    match (&args.command, &args.url) {
        (Some(command), _) => of_flags(args, "--command", entry::of_command(command, &args.env)?),
        (None, Some(url)) => of_flags(args, "--url", entry::of_url(url, &args.headers)?),
        (None, None) => of_files(args),
    }
}

/// The entry is bound as it will be read back, so that what is written is what was tried.
fn of_flags(args: &InitArgs, label: &str, entry: Entry) -> Result<Source, CommandError> {
    let name = args.server.clone().unwrap_or_else(|| UNNAMED.to_owned());
    let document = json!({ "mcpServers": { name.clone(): entry.value } });
    let config = ConfigSource {
        label: label.to_owned(),
        folder: std::path::absolute(".").unwrap_or_else(|_| ".".into()),
        text: Ok(document.to_string()),
        explicit: true,
    };
    let env = |name: &str| {
        let given = entry.variables.iter().find(|variable| variable.name == name);
        given.and_then(|variable| variable.value.clone()).or_else(|| std::env::var(name).ok())
    };
    let bound = bind(&name, vec![config], &env)?;
    let given = entry.variables.iter().filter_map(|variable| variable.value.clone());
    let secrets = secrets(&bound.binding, given);
    Ok(Source { bound, named: args.server.is_some(), origin: Origin::Flags(entry), secrets })
}

fn of_files(args: &InitArgs) -> Result<Source, CommandError> {
    let configs = config_sources(args.mcp_config.as_deref());
    let names = server_names(&configs);
    let name = match (&args.server, names.as_slice()) {
        (Some(name), _) => name.clone(),
        (None, [only]) => only.clone(),
        (None, []) if configs.is_empty() => return Err(no_server()),
        // The file says by itself what is wrong with it.
        (None, []) => UNNAMED.to_owned(),
        (None, several) => {
            let message = format!("there are {} servers: {}", several.len(), several.join(", "));
            return Err(CommandError::usage(message).hint("choose one with --server NAME"));
        }
    };
    let bound = bind(&name, configs, &|name| std::env::var(name).ok()).map_err(|error| {
        if names.is_empty() || names.contains(&name) {
            return error;
        }
        CommandError::usage(format!("no server is named {name:?}; there are {}", names.join(", ")))
    })?;
    let secrets = secrets(&bound.binding, std::iter::empty());
    Ok(Source { bound, named: true, origin: Origin::File, secrets })
}

fn no_server() -> CommandError {
    CommandError::usage("no server is named, and there is no .mcp.json here")
        .hint("howfar init --command \"npx -y @modelcontextprotocol/server-everything\"")
        .hint("howfar init --url https://host/mcp --header \"Authorization: Bearer …\"")
}

fn bind(
    name: &str,
    configs: Vec<ConfigSource>,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<BoundServer, CommandError> {
    let sources = BindingSources { servers: Vec::new(), single: None, configs };
    let bound =
        bind_servers(&[name.to_owned()], &sources, env).map_err(|errors| binding_error(&errors))?;
    Ok(bound.into_iter().next().expect("one name gives one binding"))
}

/// Shorter values are ordinary text.
const SHORTEST_SECRET: usize = 4;

fn secrets(binding: &ServerBinding, given: impl Iterator<Item = String>) -> Vec<String> {
    let mut secrets = binding.secrets();
    secrets.extend(given.filter(|value| value.trim().len() >= SHORTEST_SECRET));
    secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    secrets.dedup();
    secrets
}
