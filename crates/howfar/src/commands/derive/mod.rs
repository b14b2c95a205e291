//! `howfar derive`: evidence documents in, stage rows out, one line each; or a stored run, derived again.

mod all;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use howfar_core::chain::derive_stages;
use howfar_wire::chain::StageInput;
use howfar_wire::vocabulary::ExitCode;

use crate::cli::DeriveArgs;
use crate::commands::stored::{OpenStore, gone};
use crate::error::CommandError;
use crate::output;

/// Derives every document. A document that cannot be read ends the command after the ones before it were written, so
/// that a line of output always belongs to the line of input with the same number.
pub(crate) fn run(args: &DeriveArgs) -> Result<ExitCode, CommandError> {
    if args.all {
        return all::run(args);
    }
    if let Some(name) = &args.run {
        return derive_stored(name, args);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match args.file.as_deref() {
        None => derive_lines(io::stdin().lock(), "stdin", &mut out)?,
        Some(path) if path == Path::new("-") => {
            derive_lines(io::stdin().lock(), "stdin", &mut out)?
        }
        Some(path) => derive_file(path, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::Success)
}

/// Derives a stored run again. Documents of other analyzers stay in the store.
fn derive_stored(name: &str, args: &DeriveArgs) -> Result<ExitCode, CommandError> {
    let store = OpenStore::to_write(&args.store)?;
    let id = store.find(name)?;
    let derived = store.ask(|store| store.derive_run(&id))?.ok_or_else(|| gone(&id))?;
    let others = derived.kept.iter().filter(|version| **version != derived.analyzer_version);
    let others: Vec<_> = others.map(u64::to_string).collect();
    let version = derived.analyzer_version;
    if !others.is_empty() {
        let others = others.join(", ");
        output::say(&format!(
            "derived by analyzer {version}; documents of {others} stay beside it"
        ));
    }
    output::json(&derived.report)?;
    Ok(ExitCode::Success)
}

fn derive_file(path: &Path, out: &mut impl io::Write) -> Result<(), CommandError> {
    let name = path.display().to_string();
    let cannot_read =
        |error: &io::Error| CommandError::usage(format!("cannot read {name}: {error}"));
    let mut file = BufReader::new(File::open(path).map_err(|error| cannot_read(&error))?);
    if path.extension().is_some_and(|extension| extension == "jsonl") {
        return derive_lines(file, &name, out);
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| cannot_read(&error))?;
    derive_text(&text, &name, out)
}

/// One whole document, or a list of documents.
fn derive_text(text: &str, name: &str, out: &mut impl io::Write) -> Result<(), CommandError> {
    if text.trim_start().starts_with('[') {
        let documents: Vec<&serde_json::value::RawValue> =
            serde_json::from_str(text).map_err(|error| not_evidence(name, &error))?;
        for (at, document) in documents.iter().enumerate() {
            derive_one(document.get(), &format!("{name}, document {}", at + 1), out)?;
        }
        return Ok(());
    }
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    if lines().count() > 1
        && lines().all(|line| line.starts_with('{') && line.trim_end().ends_with('}'))
    {
        return derive_lines(text.as_bytes(), name, out);
    }
    derive_one(text, name, out)
}

fn derive_lines(
    input: impl BufRead,
    name: &str,
    out: &mut impl io::Write,
) -> Result<(), CommandError> {
    for (at, line) in input.lines().enumerate() {
        let place = format!("{name}, line {}", at + 1);
        let line =
            line.map_err(|error| CommandError::usage(format!("cannot read {place}: {error}")))?;
        if !line.trim().is_empty() {
            derive_one(&line, &place, out)?;
        }
    }
    Ok(())
}

fn derive_one(text: &str, place: &str, out: &mut impl io::Write) -> Result<(), CommandError> {
    let input = StageInput::from_json(text).map_err(|error| not_evidence(place, &error))?;
    let mut line = Vec::new();
    derive_stages(&input).write_json(&mut line);
    line.push(b'\n');
    Ok(out.write_all(&line)?)
}

fn not_evidence(place: &str, error: &serde_json::Error) -> CommandError {
    CommandError::usage(format!("{place} is not an evidence document: {error}"))
        .hint("`howfar schema trial-evidence` prints its schema; `howfar run --evidence FILE` writes such documents")
}
