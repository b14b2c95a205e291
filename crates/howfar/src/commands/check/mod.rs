//! `howfar check FILE`: every finding at once, and which links the suite measures.

mod against;

use std::fmt::Write as _;
use std::time::Duration;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use howfar_suite::{SuiteParse, coverage, parse_suite_bytes, resolve};
use howfar_wire::Vocabulary as _;
use howfar_wire::finding::{Finding, Location, Warning};
use howfar_wire::live::{LiveCheck, LiveFinding};
use howfar_wire::vocabulary::{ExitCode, LoadStage};

use crate::cli::{CheckArgs, Format};
use crate::commands::run::{SuiteSource, read_suite};
use crate::error::CommandError;
use crate::output;

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode, CommandError> {
    let source = read_suite(&args.file)?;
    let parsed = parse_suite_bytes(&source.bytes).map_err(|error| {
        CommandError::usage(format!("cannot read the suite file {}: {error}", source.name))
    })?;
    let live = match (&args.against, &parsed) {
        (Some(config), SuiteParse::Valid { suite, .. }) => {
            let text = String::from_utf8_lossy(&source.bytes);
            let timeout = Duration::from_millis(args.setup_timeout);
            Some(against::check_against(suite, &text, config, timeout)?)
        }
        // An invalid file is told first: its names mean nothing yet.
        (Some(_), SuiteParse::Invalid { .. }) | (None, _) => None,
    };
    match Format::or_by_stdout(args.format) {
        Format::Json => print_json(&parsed, &source, live.as_ref())?,
        Format::Human => output::text(&human(&parsed, &source, live.as_ref()))?,
    }
    let exit = exit_code(&parsed, args.strict);
    Ok(live.map_or(exit, |live| exit.worse(against::exit_code(&live, args.strict))))
}

/// 0 valid; 1 the file does not keep its contract; 2 nothing was judged, because it could not be read as a document.
fn exit_code(parsed: &SuiteParse, strict: bool) -> ExitCode {
    match parsed {
        SuiteParse::Valid { warnings, .. } if strict && !warnings.is_empty() => {
            ExitCode::MeasuredFailure
        }
        SuiteParse::Valid { .. } => ExitCode::Success,
        SuiteParse::Invalid { stage: LoadStage::Contract, .. } => ExitCode::MeasuredFailure,
        SuiteParse::Invalid { stage: LoadStage::Input | LoadStage::Parse, .. } => ExitCode::Usage,
    }
}

fn print_json(
    parsed: &SuiteParse,
    source: &SuiteSource,
    live: Option<&LiveCheck>,
) -> Result<(), CommandError> {
    let mut document = parsed.document(&source.name);
    document.against = live.cloned();
    output::json(&document)
}

fn human(parsed: &SuiteParse, source: &SuiteSource, live: Option<&LiveCheck>) -> String {
    let text = String::from_utf8_lossy(&source.bytes);
    let mut out = String::new();
    for finding in parsed.findings() {
        out.push_str(&finding_text(finding, &text, &source.name));
    }
    for warning in parsed.warnings() {
        out.push_str(&warning_text(warning, &text, &source.name));
    }
    for (level, list) in live_lists(live) {
        for finding in list {
            out.push_str(&live_text(level.clone(), finding, &text, &source.name));
        }
    }
    match parsed {
        SuiteParse::Valid { suite, warnings } => {
            let summary = suite.summary();
            let _ = writeln!(
                out,
                "{} is a valid suite: {} ({} of {} cases enabled{})",
                source.name,
                howfar_report::sanitize(&summary.name),
                summary.enabled_cases,
                summary.cases,
                match warnings.len() {
                    0 => String::new(),
                    count => format!(", {}", output::counted(count, "warning")),
                }
            );
            out.push_str("\nWhat the enabled cases measure, link by link:\n");
            for stage in coverage(&resolve(suite)) {
                let _ = writeln!(out, "  {}", stage.line);
            }
            match live {
                Some(live) => out.push_str(&servers_text(live)),
                None => out.push_str("\nTools, servers and model keys are not checked here.\n"),
            }
        }
        SuiteParse::Invalid { findings, .. } => {
            let _ = writeln!(
                out,
                "{}: {}; the file is not a valid suite",
                source.name,
                output::counted(findings.len(), "finding")
            );
        }
    }
    out
}

fn finding_text(finding: &Finding, text: &str, file: &str) -> String {
    let title = format!("{}{}", pointer_prefix(&finding.pointer), finding.message);
    excerpt(Level::ERROR, finding.code.as_str(), &title, finding.location, text, file)
}

fn warning_text(warning: &Warning, text: &str, file: &str) -> String {
    let title = format!("{}{}", pointer_prefix(&warning.pointer), warning.message);
    excerpt(Level::WARNING, warning.class.as_str(), &title, warning.location, text, file)
}

fn live_lists(live: Option<&LiveCheck>) -> [(Level<'static>, &[LiveFinding]); 2] {
    let findings = live.map_or(&[][..], |live| &live.findings);
    let warnings = live.map_or(&[][..], |live| &live.warnings);
    [(Level::ERROR, findings), (Level::WARNING, warnings)]
}

fn live_text(level: Level<'static>, finding: &LiveFinding, text: &str, file: &str) -> String {
    let title = format!("{}{}", pointer_prefix(&finding.pointer), finding.message);
    excerpt(level, finding.code.as_str(), &title, finding.location, text, file)
}

/// What the servers said, one line each.
fn servers_text(live: &LiveCheck) -> String {
    let mut out = format!("\nHeld against the servers of {}:\n", live.config);
    for server in &live.servers {
        let said = match (&server.error, server.tools) {
            (Some(error), _) => error.clone(),
            (None, Some(tools)) => format!("{tools} tools"),
            (None, None) => "not in the configuration".to_owned(),
        };
        let line = format!("{}: {said}", server.name);
        let _ = writeln!(out, "  {}", howfar_report::sanitize(&line));
    }
    if live.servers.is_empty() {
        out.push_str("  the suite targets no server by name\n");
    }
    let _ = writeln!(
        out,
        "{}, {}; nothing was called.",
        output::counted(live.findings.len(), "finding"),
        output::counted(live.warnings.len(), "warning")
    );
    out
}

fn pointer_prefix(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!("{pointer}: ") }
}

/// The message with the lines of the file around its place.
fn excerpt(
    level: Level<'static>,
    code: &str,
    title: &str,
    at: Option<Location>,
    text: &str,
    file: &str,
) -> String {
    let title = howfar_report::sanitize(title).into_owned();
    let group = level.primary_title(title.as_str()).id(code);
    let renderer = if output::stdout_is_terminal() && output::wants_color() {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let Some(at) = at.filter(|at| at.start <= at.end && at.end <= text.len()) else {
        return format!("{}\n\n", renderer.render(&[annotate_snippets::Group::with_title(group)]));
    };
    let range = at.start..at.end;
    let snippet = Snippet::source(text).path(file).annotation(AnnotationKind::Primary.span(range));
    let shown = renderer.render(&[group.element(snippet)]);
    // A line of the file is shown as it is; only what the log of a CI job would obey is not.
    format!("{}\n\n", shown.replace("##[", "#\\u{23}["))
}
