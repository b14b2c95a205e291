//! `howfar run FILE`: prepare, run, decide, report.

mod bindings;
mod cassette;
mod evidence_file;
mod finish;
mod interrupt;
mod judges;
mod models;
mod prepare;
mod progress;
mod recording;
mod resume;
mod spool;

use howfar_runner::{RunEvent, RunRequest};
use howfar_store::RunId;
use howfar_wire::finding::Refusal;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::ExitCode;
use tokio_util::sync::CancellationToken;

use crate::cli::{Format, Reporter, RunArgs};
use crate::commands::stored::OpenStore;
use crate::error::CommandError;
use crate::output;
pub(crate) use bindings::{BindingFlags, config_sources};
pub(crate) use cassette::Cassette;
use evidence_file::EvidenceFile;
use finish::Artifacts;
pub(crate) use finish::{
    Telling, exit_of, html_document, json_document, junit_document, markdown_document,
    refusal_error, story,
};
pub(crate) use interrupt::interrupted;
pub(crate) use judges::{JudgeFlags, asked_judge, context_tokens};
pub(crate) use models::{ModelEnvironment, ModelShelf};
pub(crate) use prepare::{
    JudgeChoice, Prepare, PrepareError, ScriptSource, SuiteSource, prepare, read_suite,
};
use progress::Progress;
pub(crate) use progress::TrialCount;
use recording::Recording;
pub(crate) use spool::EvidenceSpool;

/// Why a run gave no outcome.
pub(crate) enum Stop {
    /// It was refused during setup.
    Refused(Refusal),
    /// The user interrupted twice.
    Interrupted,
}

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, CommandError> {
    let format = Format::or_by_stdout(args.format);
    let cancel = CancellationToken::new();
    let cassette = Cassette::open(args, &cancel)?;
    let prepared = match &args.resume {
        Some(name) => resume::prepare(args, name),
        None => prepare::from_args(args, &cassette),
    };
    let request = match prepared {
        Ok(request) => request,
        Err(prepare::PrepareError::Command(error)) => return Err(error),
        Err(prepare::PrepareError::Refused(refusal)) => {
            return finish::refused(&refusal, format, args);
        }
    };
    let mut file = args.evidence.as_deref().map(EvidenceFile::create).transpose()?;
    output::check_writable(args.out.as_deref())?;
    let mut progress = Progress::new(trials_to_run(&request), args.quiet, args.supervised);
    let mut spool = match args.reporter {
        Some(Reporter::Html) => Some(spool(args, &request)?),
        Some(Reporter::JsonSummary | Reporter::JunitXml | Reporter::Markdown) | None => None,
    };
    let mut recording = Recording::new(args, &request)?;
    let mut observe = |event: RunEvent<'_>| {
        // What is reported is durable: the store comes first.
        recording.event(&event);
        progress.event(&event);
        if let RunEvent::TrialFinished { evidence, .. } = &event {
            file.iter_mut().for_each(|file| file.write(evidence));
            spool.iter_mut().for_each(|spool| spool.write(evidence));
        }
    };
    if args.supervised {
        interrupt::end_with_stdin(cancel.clone());
    }
    cassette.begin(&request)?;
    let source_hash = request.suite.source_hash.clone();
    let outcome = execute(request, &cancel, &mut observe);
    progress.finish();
    let outcome = outcome?;
    let cassette_error = cassette.finish(!cancel.is_cancelled());
    if let Some(error) = cassette.missed(&source_hash) {
        if let Ok(report) = &outcome {
            recording.finish(report);
        }
        return Err(error);
    }
    match outcome {
        Ok(mut report) => {
            report.metadata.issues.extend(recording.finish(&report));
            let evidence_error = file.and_then(EvidenceFile::into_error);
            let lost = evidence_error.into_iter().chain(cassette_error).collect();
            finish::report(&report, spool, &Artifacts { args, format, lost })
        }
        Err(Stop::Refused(refusal)) => finish::refused(&refusal, format, args),
        Err(Stop::Interrupted) => Err(interrupted_twice(args)),
    }
}

/// The trials that are configured and did not finish in an earlier part of the run.
fn trials_to_run(request: &RunRequest) -> u64 {
    let configured: u64 = request.cases.iter().map(|case| u64::from(case.iterations)).sum();
    configured.saturating_sub(request.resumed.trials.len() as u64)
}

/// Where the evidence for a page is kept; that of a resumed run's earlier parts is there already.
fn spool(args: &RunArgs, request: &RunRequest) -> Result<EvidenceSpool, CommandError> {
    if args.resume.is_none() {
        return EvidenceSpool::create();
    }
    let id = RunId::new(request.identity.run_id.clone());
    EvidenceSpool::of_run(&OpenStore::to_read(&args.store)?, &id)
}

/// The variables that no server inherits: the model keys.
pub(crate) fn withheld_variables() -> Vec<String> {
    models::ModelEnvironment::key_variables()
}

fn interrupted_twice(args: &RunArgs) -> CommandError {
    let error = CommandError::new(ExitCode::Incomplete, "interrupted twice; no report was written");
    if args.no_store {
        return error;
    }
    error
        .hint("the trials that finished are stored: `howfar run --resume latest` finishes the rest")
}

/// Runs a prepared request on a runtime of its own. The first interrupt, or `cancel`, ends the run early and keeps what
/// finished.
pub(crate) fn execute(
    request: RunRequest,
    cancel: &CancellationToken,
    observe: &mut (dyn FnMut(RunEvent<'_>) + Send),
) -> Result<Result<RunReport, Stop>, CommandError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| {
            CommandError::new(ExitCode::Setup, format!("cannot start the runtime: {error}"))
        })?;
    let outcome = runtime.block_on(async {
        let second = interrupt::watch(cancel.clone());
        tokio::select! {
            // Signals are watched before anything is started.
            biased;
            () = second => Err(Stop::Interrupted),
            outcome = howfar_runner::run(request, cancel, observe) => outcome.map_err(Stop::Refused),
        }
    });
    // Child processes that a dropped run left are ended in the background; give that a moment.
    runtime.shutdown_timeout(std::time::Duration::from_secs(3));
    Ok(outcome)
}

/// Says something to the person at the terminal, unless asked to be quiet.
fn talk(quiet: bool, text: &str) {
    if !quiet {
        output::say(text);
    }
}
