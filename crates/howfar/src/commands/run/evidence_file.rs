//! `--evidence FILE`: one evidence document per line, written as trials finish.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use howfar_wire::evidence::TrialEvidence;

use crate::error::CommandError;

/// The file. A write error does not stop the run; it is told at the end, and nothing more is written after it.
pub(super) struct EvidenceFile {
    path: PathBuf,
    file: BufWriter<File>,
    error: Option<std::io::Error>,
}

impl EvidenceFile {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        let file = File::create(path).map_err(|error| {
            CommandError::usage(format!(
                "--evidence {}: cannot be written: {error}",
                path.display()
            ))
        })?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), error: None })
    }

    /// Writes one document and flushes it: a finished trial is not lost with the process.
    pub(super) fn write(&mut self, evidence: &TrialEvidence<'_>) {
        if self.error.is_some() {
            return;
        }
        let written = serde_json::to_writer(&mut self.file, evidence)
            .map_err(std::io::Error::from)
            .and_then(|()| self.file.write_all(b"\n"))
            .and_then(|()| self.file.flush());
        self.error = written.err();
    }

    /// What went wrong, for the person.
    pub(super) fn into_error(self) -> Option<String> {
        let Self { path, file: _, error } = self;
        error.map(|error| format!("the evidence file {} is not complete: {error}", path.display()))
    }
}
