//! After a run: the documents, the files, the exit code.

use howfar_report::html::{HtmlOptions, NoEvidence, TrialSource, render_html};
use howfar_report::{
    Artifact, MarkdownOptions, StoryOptions, render_junit, render_markdown, render_story,
};
use howfar_suite::plan::exit_for_refusal;
use howfar_wire::Vocabulary as _;
use howfar_wire::finding::Refusal;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{ExitCode, IssueCode, IterationStatus, Verdict};

use super::spool::EvidenceSpool;
use super::talk;
use crate::cli::{Format, Reporter, RunArgs};
use crate::error::CommandError;
use crate::github::Job;
use crate::output;

/// Where the documents of a run go.
pub(super) struct Artifacts<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) format: Format,
    /// What went wrong with the files that are written while a run goes on.
    pub(super) lost: Vec<String>,
}

/// Writes the report where it was asked for and gives the exit code. `spool` holds the evidence that a page shows.
pub(super) fn report(
    report: &RunReport,
    mut spool: Option<EvidenceSpool>,
    artifacts: &Artifacts<'_>,
) -> Result<ExitCode, CommandError> {
    let args = artifacts.args;
    let reporter = args.reporter.unwrap_or(Reporter::JsonSummary);
    let mut exit = exit_of(report);
    let mut document = |exit| match &mut spool {
        Some(spool) => document(report, reporter, exit, spool),
        None => document(report, reporter, exit, &mut NoEvidence),
    };
    let asked = args.out.is_some() || args.reporter.is_some();
    let mut text = if asked { document(exit) } else { String::new() };
    let mut lost: Vec<String> = artifacts.lost.clone();
    if let Some(out) = &args.out
        && let Err(error) = output::write_atomically(out, text.as_bytes())
    {
        lost.push(format!("the report could not be written to {}: {error}", out.display()));
    }
    if !lost.is_empty() && exit.worse(ExitCode::Setup) != exit {
        exit = exit.worse(ExitCode::Setup);
        // A document can say how the command ends.
        text = if asked { document(exit) } else { text };
    }
    lost.extend(spool.and_then(EvidenceSpool::into_error));
    let printed = print(report, artifacts, exit, &text);
    lost.iter().for_each(|message| output::say(&format!("error: {message}")));
    tell_job(report, args, exit);
    printed?;
    Ok(exit)
}

/// Tells the CI job that this process runs in.
fn tell_job(report: &RunReport, args: &RunArgs, exit: ExitCode) {
    let job = Job::of_environment();
    let artifact = args.out.as_deref().map(|out| job.artifact(out));
    job.annotate(report, args.file.as_deref());
    job.summarize(|| markdown_document(report, exit, artifact.as_ref()));
}

/// stdout carries exactly one document; with a reporter the story is talk. A person who asked for a file does not want
/// the file on the terminal as well.
fn print(
    report: &RunReport,
    artifacts: &Artifacts<'_>,
    exit: ExitCode,
    document: &str,
) -> Result<(), CommandError> {
    let args = artifacts.args;
    match (args.reporter, artifacts.format) {
        (Some(_), _) => {
            let more = args.out.is_some().then(|| more(report, args));
            let terminal = output::stderr_is_terminal();
            let telling = Telling { terminal, verbose: false, more: more.as_deref() };
            talk(args.quiet, &story(report, exit, &telling));
            match args.out.is_some() && output::stdout_is_terminal() {
                true => Ok(()),
                false => output::text(document),
            }
        }
        (None, Format::Json) => {
            if !output::stdout_is_terminal() {
                talk(args.quiet, &last_line(report, exit));
            }
            output::json(report)
        }
        (None, Format::Human) => {
            let more = more(report, args);
            let telling = Telling {
                terminal: output::stdout_is_terminal(),
                verbose: false,
                more: Some(&more),
            };
            output::text(&story(report, exit, &telling))
        }
    }
}

/// The command that shows more of this run.
fn more(report: &RunReport, args: &RunArgs) -> String {
    match (&args.out, args.no_store) {
        (Some(out), _) if args.reporter == Some(Reporter::Html) => {
            format!("open {} in a browser", out.display())
        }
        (Some(out), _) => format!("read {}", out.display()),
        (None, false) => format!("howfar show {} --verbose", report.metadata.run_id),
        (None, true) => "howfar run … --format json --out report.json".to_owned(),
    }
}

/// How a story is told.
#[derive(Default)]
pub(crate) struct Telling<'a> {
    /// Whether a person reads it on a terminal.
    pub(crate) terminal: bool,
    /// Whether trials that passed and whole texts are shown.
    pub(crate) verbose: bool,
    /// The command that shows more.
    pub(crate) more: Option<&'a str>,
}

/// The story as text for a person.
pub(crate) fn story(report: &RunReport, exit: ExitCode, telling: &Telling<'_>) -> String {
    let options = StoryOptions {
        width: output::columns(),
        ascii: !output::is_unicode(),
        color: telling.terminal && output::wants_color(),
        verbose: telling.verbose,
        exit,
        more: telling.more,
    };
    let mut text = String::new();
    render_story(report, &options, &mut text).expect("writing into a String cannot fail");
    text
}

fn last_line(report: &RunReport, exit: ExitCode) -> String {
    format!("{}: exit {exit}", report.verdict.label())
}

fn document(
    report: &RunReport,
    reporter: Reporter,
    exit: ExitCode,
    source: &mut dyn TrialSource,
) -> String {
    match reporter {
        Reporter::JsonSummary => json_document(report),
        Reporter::JunitXml => junit_document(report, exit),
        Reporter::Html => html_document(report, source),
        Reporter::Markdown => markdown_document(report, exit, None),
    }
}

/// The report as JSON text.
pub(crate) fn json_document(report: &RunReport) -> String {
    let mut text = serde_json::to_string(report).expect("a report holds nothing but JSON");
    text.push('\n');
    text
}

/// The report as JUnit XML.
pub(crate) fn junit_document(report: &RunReport, exit: ExitCode) -> String {
    let human = story(report, exit, &Telling::default());
    let mut text = String::new();
    render_junit(report, &human, &mut text).expect("writing into a String cannot fail");
    text
}

/// The report as Markdown.
pub(crate) fn markdown_document(
    report: &RunReport,
    exit: ExitCode,
    artifact: Option<&Artifact>,
) -> String {
    let mut text = String::new();
    render_markdown(report, &MarkdownOptions { exit, artifact }, &mut text)
        .expect("writing into a String cannot fail");
    text
}

/// The report as a page, with wall clock times in the zone of this machine.
pub(crate) fn html_document(report: &RunReport, source: &mut dyn TrialSource) -> String {
    let options = HtmlOptions { zone: output::zone() };
    let mut text = String::new();
    render_html(report, source, &options, &mut text).expect("writing into a String cannot fail");
    text
}

/// The exit code of a run, from its report. Only a measured failure is 1: a server that could not be set up, a rejected
/// key, a store that could not be written or an interrupt never is (suite and runner, section D5).
pub(crate) fn exit_of(report: &RunReport) -> ExitCode {
    let verdict = match report.verdict {
        Verdict::Passed => ExitCode::Success,
        Verdict::Failed => ExitCode::MeasuredFailure,
        Verdict::Inconclusive | Verdict::NotEstablished => ExitCode::Incomplete,
    };
    let mut trials = report.cases.iter().flat_map(|case| &case.details.iterations);
    let setup = match trials.any(|trial| trial.status == IterationStatus::SetupFailed) {
        true => ExitCode::Setup,
        false => ExitCode::Success,
    };
    let issues = report.metadata.issues.iter().map(|issue| exit_of_issue(issue.code));
    issues.fold(verdict.worse(setup), ExitCode::worse)
}

const fn exit_of_issue(code: IssueCode) -> ExitCode {
    match code {
        IssueCode::CredentialsRejected => ExitCode::Credentials,
        IssueCode::BillingRefused | IssueCode::ObserverFailed => ExitCode::Setup,
        IssueCode::CleanupFailed
        | IssueCode::InternalError
        | IssueCode::EvidenceInvalid
        | IssueCode::CaptureLimitExceeded
        | IssueCode::DecisionInvalid
        | IssueCode::SetupFailed
        | IssueCode::CatalogFinding => ExitCode::Success,
    }
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
