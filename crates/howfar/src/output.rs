//! stdout is data, stderr is talk. The only module that writes to either.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use serde::Serialize;

use crate::error::CommandError;

/// Writes one JSON document to stdout: pretty on a terminal, compact otherwise.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    let written = if io::stdout().is_terminal() {
        serde_json::to_writer_pretty(&mut out, value)
    } else {
        serde_json::to_writer(&mut out, value)
    };
    written.map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Writes text to stdout as it is.
pub(crate) fn text(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Says something to the person at the terminal. A closed stderr is not an error of the command.
pub(crate) fn say(text: &str) {
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "{text}");
}

/// Whether a person reads stdout.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether a person reads stderr.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Writes a file whole or not at all: a temporary sibling, then a rename.
///
/// # Errors
///
/// Any error of the file system; the target is untouched then.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".howfar-");
    #[cfg(unix)]
    {
        // A temporary file is private by default; a report is an ordinary file, as the umask says.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // The error would name the temporary file, which nobody asked for.
    let mut file = builder.tempfile_in(folder).map_err(without_path)?;
    file.write_all(bytes).map_err(without_path)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn without_path(error: io::Error) -> io::Error {
    io::Error::from(error.kind())
}

/// Finds out before the work, not after it, that a document has nowhere to go.
///
/// # Errors
///
/// The folder of the file does not exist, or the file is a folder.
pub(crate) fn check_writable(out: Option<&Path>) -> Result<(), CommandError> {
    let Some(out) = out else { return Ok(()) };
    let shown = out.display();
    if out.is_dir() {
        let error = CommandError::usage(format!("--out {shown}: this is a folder"));
        return Err(error.hint("name a file in it"));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_none_or(Path::is_dir) {
        return Ok(());
    }
    let error = CommandError::usage(format!("--out {shown}: there is no such folder to write to"));
    Err(error.hint("create the folder first, or name a file in an existing one"))
}

/// How text for stdout looks: the width of the terminal, the locale's characters, colours unless `NO_COLOR` says no.
pub(crate) fn text_options() -> howfar_report::TextOptions {
    howfar_report::TextOptions {
        width: columns(),
        ascii: !is_unicode(),
        color: stdout_is_terminal() && wants_color(),
    }
}

/// How text inside a document looks: full width, without colours.
pub(crate) const fn plain_options() -> howfar_report::TextOptions {
    howfar_report::TextOptions { width: 100, ascii: false, color: false }
}

/// The zone of the reader's wall clock; UTC where the system does not say.
pub(crate) fn zone() -> jiff::tz::TimeZone {
    let zone = jiff::tz::TimeZone::system();
    if zone.is_unknown() { jiff::tz::TimeZone::UTC } else { zone }
}

/// Whether colours may be written at all.
pub(crate) fn wants_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
}

/// Whether the terminal says that it understands no control codes.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// A count with its noun in the right number.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The width of the terminal, or 100 columns.
pub(crate) fn columns() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured =
        || console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    asked.or_else(measured).unwrap_or(100)
}

/// Whether the terminal shows more than ASCII, by the locale.
pub(crate) fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8") || cfg!(not(unix))
    })
}
