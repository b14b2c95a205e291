//! After a run: the documents, the files, the exit code.

use howfar_report::{StoryOptions, render_junit, render_story};
use howfar_runner::RunOutcome;
use howfar_suite::plan::exit_for_refusal;
use howfar_wire::Vocabulary as _;
use howfar_wire::finding::Refusal;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{ExitCode, RefusalKind, Verdict};

use super::talk;
use crate::cli::{Format, Reporter, RunArgs};
use crate::error::CommandError;
use crate::output;

/// Where the documents of a run go.
pub(super) struct Artifacts<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) format: Format,
    /// What went wrong with the evidence file.
    pub(super) evidence_error: Option<String>,
}

/// Writes the report where it was asked for and gives the exit code.
pub(super) fn report(
    outcome: &RunOutcome,
    artifacts: &Artifacts<'_>,
) -> Result<ExitCode, CommandError> {
    let args = artifacts.args;
    let mut exit = exit_code(outcome);
    let mut lost: Vec<String> = artifacts.evidence_error.iter().cloned().collect();
    if let Some(out) = &args.out {
        let bytes = document(&outcome.report, args.reporter.unwrap_or(Reporter::JsonSummary), exit);
        if let Err(error) = output::write_atomically(out, bytes.as_bytes()) {
            lost.push(format!("the report could not be written to {}: {error}", out.display()));
        }
    }
    if !lost.is_empty() {
        exit = exit.worse(ExitCode::Setup);
    }
    let printed = print(&outcome.report, artifacts, exit);
    lost.iter().for_each(|message| output::say(&format!("error: {message}")));
    printed?;
    Ok(exit)
}

/// stdout carries exactly one document; with a reporter the story is talk.
fn print(
    report: &RunReport,
    artifacts: &Artifacts<'_>,
    exit: ExitCode,
) -> Result<(), CommandError> {
    let args = artifacts.args;
    match (args.reporter, artifacts.format) {
        (Some(reporter), _) => {
            talk(args.quiet, &story(report, exit, output::stderr_is_terminal(), None));
            output::text(&document(report, reporter, exit))
        }
        (None, Format::Json) => {
            if !output::stdout_is_terminal() {
                talk(args.quiet, &last_line(report, exit));
            }
            output::json(report)
        }
        (None, Format::Human) => {
            output::text(&story(report, exit, output::stdout_is_terminal(), more(args).as_deref()))
        }
    }
}

/// The command that shows more of this run.
fn more(args: &RunArgs) -> Option<String> {
    match &args.out {
        Some(out) => Some(format!("read {}", out.display())),
        None => Some(format!("howfar run {} --format json --out report.json", args.file.display())),
    }
}

/// The story as text for a person.
pub(crate) fn story(
    report: &RunReport,
    exit: ExitCode,
    terminal: bool,
    more: Option<&str>,
) -> String {
    let options = StoryOptions {
        width: columns(),
        ascii: !is_unicode(),
        color: terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        verbose: false,
        exit,
        more,
    };
    let mut text = String::new();
    render_story(report, &options, &mut text).expect("writing into a String cannot fail");
    text
}

fn last_line(report: &RunReport, exit: ExitCode) -> String {
    format!("{}: exit {exit}", report.verdict.label())
}

fn document(report: &RunReport, reporter: Reporter, exit: ExitCode) -> String {
    match reporter {
        Reporter::JsonSummary => {
            let mut text = serde_json::to_string(report).expect("a report holds nothing but JSON");
            text.push('\n');
            text
        }
        Reporter::JunitXml => {
            let human = story(report, exit, false, None);
            let mut text = String::new();
            render_junit(report, &human, &mut text).expect("writing into a String cannot fail");
            text
        }
    }
}

/// Only a measured failure is 1: a server that could not be set up, a rejected key or an interrupt never is.
fn exit_code(outcome: &RunOutcome) -> ExitCode {
    let verdict = match outcome.report.verdict {
        Verdict::Passed => ExitCode::Success,
        Verdict::Failed => ExitCode::MeasuredFailure,
        Verdict::Inconclusive | Verdict::NotEstablished => ExitCode::Incomplete,
    };
    let setup = if outcome.setup_failed { ExitCode::Setup } else { ExitCode::Success };
    let stopped = match outcome.stopped_by {
        Some(RefusalKind::Credentials) => ExitCode::Credentials,
        Some(RefusalKind::Billing) => ExitCode::Setup,
        Some(RefusalKind::RateLimited | RefusalKind::Unavailable) | None => ExitCode::Success,
    };
    verdict.worse(setup).worse(stopped)
}

/// A refused run: one document for a program, one message for a person.
pub(super) fn refused(
    refusal: &Refusal,
    format: Format,
    args: &RunArgs,
) -> Result<ExitCode, CommandError> {
    let error = refusal_error(refusal);
    if format == Format::Json && args.reporter.is_none() {
        let document = serde_json::json!({
            "schemaVersion": 1,
            "kind": "eval-run-refusal",
            "exitCode": error.code().code(),
            "refusal": refusal,
        });
        output::json(&document)?;
    }
    Err(error)
}

/// A refusal as one message: what, where, what to do next.
pub(crate) fn refusal_error(refusal: &Refusal) -> CommandError {
    let exit = exit_for_refusal(refusal.category, refusal.phase);
    let mut message = format!("{} ({}); nothing ran", refusal.code.label(), refusal.code);
    for problem in &refusal.problems {
        let place =
            [problem.case_id.as_deref().map(|id| format!("case {id}")), problem.pointer.clone()];
        let place: Vec<String> = place.into_iter().flatten().collect();
        let place =
            if place.is_empty() { String::new() } else { format!("{}: ", place.join(", ")) };
        message.push_str(&format!("\n  - {place}{}", howfar_report::sanitize(&problem.message)));
    }
    CommandError::new(exit, message)
}

/// The width of the terminal, or 100 columns.
fn columns() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured =
        || console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    asked.or_else(measured).unwrap_or(100)
}

/// Whether the terminal shows more than ASCII, by the locale.
fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8") || cfg!(not(unix))
    })
}
