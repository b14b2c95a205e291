//! Writing a cassette: a line per exchange, on the disk before the run goes on.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use howfar_runner::Redactor;
use howfar_wire::cassette::{CassetteHeader, CassetteLine, Exchange, ExchangeSink};
use serde_json::Value;

use super::file_of;
use crate::error::CommandError;

/// Parts of a line that can hold a secret; names and closed words are never rewritten.
const FOREIGN: [&str; 3] = ["request", "answer", "findings"];

/// A cassette under way. A write error does not stop the run; it is told at the end, and nothing more is written.
pub(crate) struct Writer {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    redactor: Redactor,
    file: Option<File>,
    written: u64,
    error: Option<String>,
}

impl Writer {
    /// A cassette in a folder that does not exist or is empty.
    pub(super) fn new(folder: &Path) -> Result<Self, CommandError> {
        let shown = folder.display();
        let taken = match std::fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
            Err(error) => {
                return Err(CommandError::usage(format!("--record {shown}: {error}")));
            }
        };
        if taken {
            let message = format!("--record {shown}: the folder is not empty");
            return Err(CommandError::usage(message)
                .hint("nothing is overwritten: name a new folder, or delete this one first"));
        }
        Ok(Self { folder: folder.to_owned(), state: Mutex::default() })
    }

    /// Creates the file, for its owner alone, with the header.
    pub(super) fn begin(
        &self,
        header: CassetteHeader,
        secrets: &[String],
    ) -> Result<(), CommandError> {
        let file = create(&self.folder).map_err(|error| {
            CommandError::usage(format!("--record {}: {error}", self.folder.display()))
        })?;
        let mut state = self.state();
        state.redactor = Redactor::new(secrets.iter().cloned());
        state.file = Some(file);
        state.write(&CassetteLine::Header(header));
        Ok(())
    }

    /// Writes the last line, when the recording is complete. Gives what went wrong.
    pub(super) fn finish(&self, complete: bool) -> Option<String> {
        let mut state = self.state();
        if complete {
            let exchanges = state.written;
            state.write(&CassetteLine::End { exchanges });
        }
        let error = state.error.as_ref()?;
        Some(format!("the cassette in {} is not complete: {error}", self.folder.display()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExchangeSink for Writer {
    fn keep(&self, exchange: Exchange) {
        let mut state = self.state();
        state.write(&CassetteLine::Exchange(Box::new(exchange)));
        state.written += 1;
    }
}

impl State {
    fn write(&mut self, line: &CassetteLine) {
        let Some(file) = self.file.as_mut().filter(|_| self.error.is_none()) else { return };
        let mut value = serde_json::to_value(line).expect("a line holds nothing but JSON");
        for part in FOREIGN {
            if let Some(part) = value.get_mut(part) {
                *part = redacted(&self.redactor, part);
            }
        }
        let text = format!("{value}\n");
        self.error = file.write_all(text.as_bytes()).err().map(|error| error.to_string());
    }
}

/// The value without secrets; the words of the format stay.
fn redacted(redactor: &Redactor, value: &Value) -> Value {
    let mut clean = redactor.value(value);
    if let (Some(kind), Some(slot)) = (value.get("kind"), clean.get_mut("kind")) {
        slot.clone_from(kind);
    }
    clean
}

fn create(folder: &Path) -> std::io::Result<File> {
    let mut builder = DirBuilder::new();
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    builder.recursive(true).create(folder)?;
    options.write(true).create_new(true).open(file_of(folder))
}
