//! stdout is data, stderr is talk. The only module that writes to either.

use std::io::{self, IsTerminal as _, Write as _};

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
