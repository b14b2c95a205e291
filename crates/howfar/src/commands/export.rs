//! `howfar export`: a document of a stored run, to stdout or into a file.

use std::io::Write as _;

use howfar_report::{OtlpTraces, TraceContent};
use howfar_store::{RunId, StoreError};
use howfar_wire::vocabulary::ExitCode;

use super::run::{
    EvidenceSpool, exit_of, html_document, json_document, junit_document, markdown_document,
};
use super::stored::OpenStore;
use crate::cli::{ExportArgs, ExportFormat};
use crate::error::CommandError;
use crate::output;

pub(crate) fn run(args: &ExportArgs) -> Result<ExitCode, CommandError> {
    if args.content && args.format != ExportFormat::Otlp {
        let error = CommandError::usage("--content belongs to --format otlp");
        return Err(error.hint("every other document has its fixed content"));
    }
    output::check_writable(args.out.as_deref())?;
    let store = OpenStore::to_read(&args.store)?;
    let id = store.find(&args.run)?;
    let document = match args.format {
        ExportFormat::Json => json_document(&store.report(&id)?),
        ExportFormat::Junit => {
            let report = store.report(&id)?;
            junit_document(&report, exit_of(&report))
        }
        ExportFormat::Html => html(&store, &id)?,
        ExportFormat::Markdown => {
            let report = store.report(&id)?;
            markdown_document(&report, exit_of(&report), None)
        }
        ExportFormat::Evidence => evidence(&store, &id)?,
        ExportFormat::Otlp => otlp(&store, &id, content(args))?,
    };
    let Some(out) = &args.out else {
        output::text(&document)?;
        return Ok(ExitCode::Success);
    };
    output::write_atomically(out, document.as_bytes()).map_err(|error| {
        let message = format!("the document could not be written to {}: {error}", out.display());
        CommandError::new(ExitCode::Setup, message)
    })?;
    Ok(ExitCode::Success)
}

/// The page, as `howfar run --reporter html` writes it.
fn html(store: &OpenStore, id: &RunId) -> Result<String, CommandError> {
    let mut spool = EvidenceSpool::of_run(store, id)?;
    let document = html_document(&store.report(id)?, &mut spool);
    match spool.into_error() {
        None => Ok(document),
        Some(message) => Err(CommandError::new(ExitCode::Setup, message)),
    }
}

/// The evidence as `howfar run --evidence` writes it: one document per line, in the order of the report.
fn evidence(store: &OpenStore, id: &RunId) -> Result<String, CommandError> {
    let mut lines = Vec::new();
    let sink = &mut lines;
    store.ask(|store| {
        store.each_evidence(id, move |evidence| {
            serde_json::to_writer(&mut *sink, &evidence).expect("evidence holds nothing but JSON");
            sink.write_all(b"\n").expect("writing into memory cannot fail");
            Ok::<(), StoreError>(())
        })
    })?;
    Ok(String::from_utf8(lines).expect("JSON text is UTF-8"))
}

/// The traces, with what was said when it is asked for.
fn otlp(store: &OpenStore, id: &RunId, content: TraceContent) -> Result<String, CommandError> {
    let report = store.report(id)?;
    let mut traces = OtlpTraces::new(&report, content);
    let kept = &mut traces;
    store.ask(|store| {
        store.each_evidence(id, move |evidence| {
            kept.add(&evidence);
            Ok::<(), StoreError>(())
        })
    })?;
    Ok(traces.finish())
}

const fn content(args: &ExportArgs) -> TraceContent {
    match args.content {
        true => TraceContent::On,
        false => TraceContent::Off,
    }
}
