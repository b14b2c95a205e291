//! The files of a first suite: nothing that exists is overwritten unless asked for.

use std::path::{Path, PathBuf};

use howfar_mcp::BoundServer;
use howfar_wire::vocabulary::ExitCode;
use serde_json::{Value, json};

use super::entry::Entry;
use super::source::{Origin, Source};
use crate::error::CommandError;
use crate::output;

/// The configuration that `howfar run` reads without being told.
const CONFIG: &str = ".mcp.json";

/// Where the suite and its script go.
pub(super) struct Places {
    pub(super) suite: PathBuf,
    pub(super) script: PathBuf,
}

/// What happens to the configuration file.
pub(super) enum ConfigPlan {
    /// A file binds the server already.
    Bound,
    /// The file is written with this text: it is missing, or the user allows to replace the entry.
    Write(String),
    /// The file is the user's and binds no such server, or another one: it stays as it is.
    Leave,
}

/// The places for a server's suite.
///
/// # Errors
///
/// All of them that exist, unless they may be overwritten.
pub(super) fn places(dir: &Path, server: &str, force: bool) -> Result<Places, CommandError> {
    // `./x` is what a person would not write.
    let folder = if dir == Path::new(".") { Path::new("") } else { dir };
    let suite = folder.join(format!("{server}.suite.yaml"));
    let script = folder.join(format!("{server}.script.yaml"));
    let existing = [&suite, &script].into_iter().filter(|path| path.exists());
    let existing: Vec<_> = existing.map(|path| path.display().to_string()).collect();
    if existing.is_empty() || force {
        return Ok(Places { suite, script });
    }
    Err(CommandError::usage(format!(
        "nothing was written, because there is {}",
        existing.join(" and ")
    ))
    .hint("write elsewhere with --dir DIR or --server NAME, or overwrite with --force"))
}

/// What is to be done so that a run finds the server.
///
/// # Errors
///
/// A configuration that exists, may be changed, and cannot be read.
pub(super) fn config_plan(source: &Source, force: bool) -> Result<ConfigPlan, CommandError> {
    let Origin::Flags(entry) = &source.origin else { return Ok(ConfigPlan::Bound) };
    let text = match std::fs::read_to_string(CONFIG) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(ConfigPlan::Write(pretty(&document(&source.bound, entry))));
        }
        Err(error) => return Err(unreadable(&error.to_string())),
    };
    let parsed = serde_json::from_str::<Value>(&text);
    let known = parsed.as_ref().ok().and_then(|config| config.get("mcpServers"));
    match known.and_then(|servers| servers.get(&source.bound.name)) {
        Some(same) if *same == entry.value => return Ok(ConfigPlan::Bound),
        Some(_) | None if !force => return Ok(ConfigPlan::Leave),
        Some(_) | None => {}
    }
    let mut config = parsed.map_err(|error| unreadable(&error.to_string()))?;
    let Some(members) = config.as_object_mut() else { return Err(unreadable("it is no object")) };
    let servers = members.entry("mcpServers").or_insert_with(|| json!({}));
    let Some(servers) = servers.as_object_mut() else {
        return Err(unreadable("\"mcpServers\" is no object"));
    };
    servers.insert(source.bound.name.clone(), entry.value.clone());
    Ok(ConfigPlan::Write(pretty(&config)))
}

/// The configuration of one server.
pub(super) fn document(bound: &BoundServer, entry: &Entry) -> Value {
    json!({ "mcpServers": { bound.name.clone(): entry.value } })
}

/// Writes the files and names them in the order of writing.
pub(super) fn write(
    places: &Places,
    suite: &str,
    script: &str,
    config: &ConfigPlan,
) -> Result<Vec<PathBuf>, CommandError> {
    let mut written = Vec::new();
    let mut put = |path: &Path, text: &str| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let made = folder.map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| output::write_atomically(path, text.as_bytes())).map_err(|error| {
            let message = format!("cannot write {}: {error}", path.display());
            CommandError::new(ExitCode::Setup, message)
        })?;
        written.push(path.to_owned());
        Ok::<(), CommandError>(())
    };
    put(&places.suite, suite)?;
    put(&places.script, script)?;
    match config {
        ConfigPlan::Write(text) => put(Path::new(CONFIG), text)?,
        ConfigPlan::Bound | ConfigPlan::Leave => {}
    }
    Ok(written)
}

fn unreadable(detail: &str) -> CommandError {
    CommandError::usage(format!("{CONFIG}: {detail}; nothing was written"))
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("JSON can always be written");
    text.push('\n');
    text
}
