//! `howfar derive --all`: every document of one run, from its evidence file or from the store.

use std::io::Read as _;
use std::path::Path;

use howfar_core::run::report::{Ending, RecordedRun, derive_trial};
use howfar_core::run::{documents_of_evidence, run_documents};
use howfar_wire::documents::RunDocuments;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::vocabulary::ExitCode;

use super::not_evidence;
use crate::cli::DeriveArgs;
use crate::commands::stored::{OpenStore, gone};
use crate::error::CommandError;
use crate::output;

/// Prints the documents. One that did not keep its contract is named in them, and the command then exits 5.
pub(super) fn run(args: &DeriveArgs) -> Result<ExitCode, CommandError> {
    let documents = match &args.run {
        Some(name) => of_store(name, args)?,
        None => of_file(args.file.as_deref())?,
    };
    output::json(&documents)?;
    if documents.refused.is_empty() {
        return Ok(ExitCode::Success);
    }
    let count = documents.refused.len();
    output::say(&format!("{count} document(s) did not keep their contract; `refused` says why"));
    Ok(ExitCode::Incomplete)
}

fn of_store(name: &str, args: &DeriveArgs) -> Result<RunDocuments, CommandError> {
    let store = OpenStore::to_read(&args.store)?;
    let id = store.find(name)?;
    let stored = store.ask(|store| store.run(&id))?.ok_or_else(|| gone(&id))?;
    let mut trials = Vec::new();
    store.ask(|store| {
        store.each_evidence(&id, |evidence| {
            trials.push(evidence);
            Ok::<(), howfar_store::StoreError>(())
        })
    })?;
    let run = RecordedRun {
        record: &stored.record,
        setup: Some(&stored.setup),
        issues: stored.issues,
        trials: trials.iter().map(derive_trial).collect(),
        ending: stored.end.map_or(Ending::Open { elapsed_ms: stored.elapsed_ms }, Ending::Ended),
    };
    Ok(run_documents(run, &trials))
}

fn of_file(path: Option<&Path>) -> Result<RunDocuments, CommandError> {
    let (name, text) = match path.filter(|path| *path != Path::new("-")) {
        Some(path) => {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|error| CommandError::usage(format!("cannot read {name}: {error}")))?;
            (name, text)
        }
        None => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| CommandError::usage(format!("cannot read stdin: {error}")))?;
            ("stdin".to_owned(), text)
        }
    };
    let mut trials: Vec<TrialEvidence<'_>> = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{name}, line {}", at + 1);
        let trial: TrialEvidence<'_> =
            serde_json::from_str(line).map_err(|error| not_evidence(&place, &error))?;
        if let Some(first) = trials.first().filter(|first| first.run_id != trial.run_id) {
            let message = format!(
                "{place} is of run {:?}, and the lines before are of run {:?}",
                trial.run_id, first.run_id
            );
            return Err(CommandError::usage(message)
                .hint("documents are never merged over runs; derive one run at a time"));
        }
        trials.push(trial);
    }
    documents_of_evidence(&trials)
        .ok_or_else(|| CommandError::usage(format!("{name} holds no evidence document")))
}
