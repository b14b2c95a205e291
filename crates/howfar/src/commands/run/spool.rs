//! Evidence for the HTML page: kept in a temporary file while the run goes on, so that memory does not grow with it, and
//! read back trial by trial when the page is written. A resumed run begins with what the store holds of it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use howfar_report::html::TrialSource;
use howfar_store::{RunId, StoreError};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::vocabulary::ExitCode;

use crate::commands::stored::OpenStore;
use crate::error::CommandError;

/// The file, which has no name and is gone with the process.
pub(crate) struct EvidenceSpool {
    file: File,
    /// Where the document of a case's trial begins, and how long it is.
    places: HashMap<(String, u32), (u64, usize)>,
    end: u64,
    /// The document that was read last.
    text: Vec<u8>,
    error: Option<io::Error>,
}

impl EvidenceSpool {
    /// An empty file in the system's folder for temporary files.
    pub(crate) fn create() -> Result<Self, CommandError> {
        let file = tempfile::tempfile().map_err(|error| {
            let message = format!("cannot create a temporary file for the HTML report: {error}");
            CommandError::new(ExitCode::Setup, message)
        })?;
        Ok(Self { file, places: HashMap::new(), end: 0, text: Vec::new(), error: None })
    }

    /// The evidence that the store holds of a run.
    pub(crate) fn of_run(store: &OpenStore, id: &RunId) -> Result<Self, CommandError> {
        let mut spool = Self::create()?;
        let kept = &mut spool;
        store.ask(|store| {
            store.each_evidence(id, move |evidence| {
                kept.write(&evidence);
                Ok::<(), StoreError>(())
            })
        })?;
        Ok(spool)
    }

    /// Keeps one document. After an error nothing more is kept; the page then says where evidence is missing.
    pub(crate) fn write(&mut self, evidence: &TrialEvidence<'_>) {
        if self.error.is_some() {
            return;
        }
        let written = serde_json::to_vec(evidence)
            .map_err(io::Error::from)
            .and_then(|text| self.file.write_all(&text).map(|()| text.len()));
        match written {
            Ok(length) => {
                let key = (evidence.case_id.clone(), evidence.iteration_number);
                self.places.insert(key, (self.end, length));
                self.end += length as u64;
            }
            Err(error) => self.error = Some(error),
        }
    }

    /// What went wrong, for the person.
    pub(crate) fn into_error(self) -> Option<String> {
        self.error.map(|error| format!("the HTML report lacks evidence of trials: {error}"))
    }

    fn read(&mut self, start: u64, length: usize) -> io::Result<()> {
        self.text.resize(length, 0);
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut self.text)
    }
}

impl TrialSource for EvidenceSpool {
    fn evidence(&mut self, case_id: &str, number: u32) -> Option<TrialEvidence<'_>> {
        let &(start, length) = self.places.get(&(case_id.to_owned(), number))?;
        if let Err(error) = self.read(start, length) {
            self.error = Some(error);
            return None;
        }
        match serde_json::from_slice(&self.text) {
            Ok(evidence) => Some(evidence),
            Err(error) => {
                self.error = Some(error.into());
                None
            }
        }
    }
}
