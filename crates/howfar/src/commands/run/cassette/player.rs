//! Reading a cassette, and giving its exchanges to a run.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use howfar_wire::cassette::{
    CassetteHeader, CassetteLine, Exchange, ExchangeSource, Miss, Question, Tape,
    parse_cassette_line,
};
use howfar_wire::vocabulary::ExitCode;
use tokio_util::sync::CancellationToken;

use super::{RECORD_AGAIN, file_of};
use crate::error::CommandError;

/// A cassette that answers. The first request without a recording ends the run.
pub(crate) struct Player {
    folder: String,
    header: CassetteHeader,
    complete: bool,
    tape: Mutex<Tape>,
    misses: Mutex<Vec<Miss>>,
    cancel: CancellationToken,
}

impl Player {
    /// Reads a cassette. One that was cut off is read as far as it goes.
    pub(super) fn open(folder: &Path, cancel: &CancellationToken) -> Result<Self, CommandError> {
        let shown = folder.display().to_string();
        let text = std::fs::read_to_string(file_of(folder)).map_err(|error| {
            CommandError::usage(format!("--replay {shown}: cannot read its cassette: {error}"))
                .hint("`howfar run … --record DIR` makes one")
        })?;
        let (header, exchanges, complete) = read(&text)
            .map_err(|error| CommandError::usage(format!("--replay {shown}: {error}")))?;
        Ok(Self {
            folder: shown,
            header,
            complete,
            tape: Mutex::new(Tape::new(exchanges)),
            misses: Mutex::default(),
            cancel: cancel.clone(),
        })
    }

    /// The folder, as the user named it.
    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    /// What the cassette is of.
    pub(super) const fn header(&self) -> &CassetteHeader {
        &self.header
    }

    /// Advice about the cassette; empty when there is none.
    pub(crate) fn warning(&self) -> Option<String> {
        let text =
            format!("the cassette in {} is not complete: its recording was cut off", self.folder);
        (!self.complete).then_some(text)
    }

    /// The error that requests without a recording make of a run of the suite with this digest.
    pub(super) fn missed(&self, source_hash: &str) -> Option<CommandError> {
        let misses = lock(&self.misses);
        let first = misses.first()?;
        let message = format!("the replay of {} stopped: {first}", self.folder);
        let mut error = CommandError::new(ExitCode::Setup, message);
        if self.header.source_hash != source_hash {
            error = error.hint("the suite file has changed since it was recorded");
        }
        if let Some(warning) = self.warning() {
            error = error.hint(warning);
        }
        Some(error.hint(RECORD_AGAIN))
    }
}

impl ExchangeSource for Player {
    fn take(&self, question: Question) -> Option<Exchange> {
        match lock(&self.tape).take(&question) {
            Ok(exchange) => Some(exchange),
            Err(miss) => {
                lock(&self.misses).push(miss);
                self.cancel.cancel();
                None
            }
        }
    }

    fn is_lost(&self, server: &str) -> bool {
        lock(&self.tape).is_lost(server)
    }
}

/// The header, the exchanges, and whether the last line is there.
fn read(text: &str) -> Result<(CassetteHeader, Vec<Exchange>, bool), String> {
    let mut lines = text.split_inclusive('\n').enumerate();
    let header = match lines.next().map(|(_, line)| parse_cassette_line(line)) {
        Some(Ok(CassetteLine::Header(header))) => header,
        Some(Err(error)) => return Err(format!("its cassette cannot be read: {error}")),
        Some(Ok(CassetteLine::Exchange(_) | CassetteLine::End { .. })) | None => {
            return Err("its cassette has no header".to_owned());
        }
    };
    let mut exchanges = Vec::new();
    for (at, line) in lines {
        match parse_cassette_line(line) {
            Ok(CassetteLine::Exchange(exchange)) if exchange.is_sound() => {
                exchanges.push(*exchange);
            }
            Ok(CassetteLine::Exchange(exchange)) => {
                let (method, kind) = (exchange.method.as_str(), exchange.answer.kind());
                let line = at + 1;
                return Err(format!("line {line} of its cassette answers {method} with a {kind}"));
            }
            Ok(CassetteLine::End { .. }) => return Ok((header, exchanges, true)),
            // The recording was killed while it wrote its last line.
            Err(_) if !line.ends_with('\n') => break,
            Err(error) => return Err(format!("line {} of its cassette: {error}", at + 1)),
            Ok(CassetteLine::Header(_)) => {
                return Err(format!("line {} of its cassette is a second header", at + 1));
            }
        }
    }
    Ok((header, exchanges, false))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
