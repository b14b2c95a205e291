//! Markdown of a run, for the summary page of a CI job or a comment on a change (suite and runner, section D8): what was
//! decided, how much was measured, where the chain broke, what was not measured, who should look next.
//!
//! Whatever a server, a model or a file wrote stands in code spans: see [`escape`].

mod comparison;
mod escape;

use std::fmt::{self, Write};

use howfar_wire::report::{CaseReport, RunReport};
use howfar_wire::vocabulary::{
    CaseVerdict, ExitCode, Stage, StageReason, StageState, Verdict, Vocabulary as _,
};

use crate::places::{Place, first_failed_places};
use crate::story::decided::{case_counts, sentences};
use crate::story::measured::{missed_floors, trial_counts};
use crate::story::owners::{nobody, owners};
use crate::story::{setup, trials};
use crate::tally::{Tally, configuration};
use crate::text::{count, percent};
pub use comparison::{render_comparison_markdown, render_gates_markdown};
use escape::{cell_code, code};

/// How many rows the table of cases and each list have. A summary of a CI job has a size limit of its own.
const MAX_ROWS: usize = 100;

/// How many ids stand in a list of ids.
const MAX_IDS: usize = 8;

/// What a Markdown summary says besides the report.
#[derive(Debug, Clone, Copy)]
pub struct MarkdownOptions<'a> {
    /// The exit code of the command; the last line says what it means.
    pub exit: ExitCode,
    /// Where the whole report lies; absent when that is not known.
    pub artifact: Option<&'a Artifact>,
}

/// Where a reader finds the whole report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The report's file name.
    pub name: String,
    /// The page to find it on; a link is made only of an `https` or `http` address without characters that Markdown or
    /// HTML read as markup.
    pub url: Option<String>,
}

/// Writes a run as Markdown. Counts carry their unit; a case that was not measured never looks like a failed one.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_markdown(
    report: &RunReport,
    options: &MarkdownOptions<'_>,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    decided(report, out)?;
    measured(report, out)?;
    broke(report, out)?;
    not_measured(report, out)?;
    next(report, out)?;
    last_line(report, options, out)
}

fn decided(report: &RunReport, out: &mut dyn Write) -> fmt::Result {
    let suite = &report.metadata.suite;
    let name = if suite.name.is_empty() { &suite.id } else { &suite.name };
    writeln!(out, "## {}: {}\n", verdict_words(report.verdict), code(name))?;
    writeln!(out, "**{}**\n", case_counts(report))?;
    for sentence in sentences(report) {
        writeln!(out, "{sentence}\n")?;
    }
    if let Some(folder) = &report.metadata.execution.replayed_from {
        writeln!(out, "Replayed from {}: no model and no server was asked.\n", code(folder))?;
    }
    if report.metadata.execution.scripted {
        writeln!(
            out,
            "A script answered in place of a model: this run says nothing about a model.\n"
        )?;
    }
    Ok(())
}

/// The mark and the word of a verdict. The four never look the same.
const fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "✓ PASSED",
        Verdict::Failed => "✗ FAILED",
        Verdict::Inconclusive => "? INCONCLUSIVE",
        Verdict::NotEstablished => "□ NOT ESTABLISHED",
    }
}

fn measured(report: &RunReport, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "### How much was measured\n\n{}\n", trial_counts(report))?;
    if !report.metadata.complete {
        let why = report.metadata.termination.label();
        writeln!(out, "**PARTIAL**: run {why}: the counts describe a sample, not the run\n")?;
    }
    for line in missed_floors(report) {
        writeln!(out, "{line}\n")?;
    }
    writeln!(out, "| Verdict | Case | Trials | First failed link |\n| --- | --- | --- | --- |")?;
    for case in cases_to_show(report) {
        case_row(report, case, out)?;
    }
    writeln!(out)?;
    and_more(report.cases.len(), "case", out)
}

/// The cases in file order; when they are too many, those that did not pass come first.
fn cases_to_show(report: &RunReport) -> impl Iterator<Item = &CaseReport> {
    let mut cases: Vec<&CaseReport> = report.cases.iter().collect();
    if cases.len() > MAX_ROWS {
        cases.sort_by_key(|case| case.passed);
    }
    cases.into_iter().take(MAX_ROWS)
}

fn case_row(report: &RunReport, case: &CaseReport, out: &mut dyn Write) -> fmt::Result {
    let known = configuration(report, case);
    let tally = Tally::of_case(case, known);
    let mut trials = tally.passed_of_gradeable();
    if let Some(known) = known {
        write!(trials, " · needs {}", percent(known.pass_threshold))?;
    }
    write!(trials, " · {} configured", tally.configured)?;
    let links: Vec<&str> = first_failed_places(case)
        .iter()
        .map(|place| place.stage.map_or("no link failed", |stage| stage.label()))
        .collect();
    writeln!(
        out,
        "| {} | {} {} | {trials} | {} |",
        case_word(case.details.verdict),
        cell_code(&case.id),
        cell_code(&case.title),
        if links.is_empty() { "–".to_owned() } else { links.join(", ") },
    )
}

/// The word of a case's verdict; only a measured failure is red.
const fn case_word(verdict: CaseVerdict) -> &'static str {
    match verdict {
        CaseVerdict::Passed => "✓ PASS",
        CaseVerdict::Failed => "✗ FAIL",
        CaseVerdict::Inconclusive => "? N/M",
        CaseVerdict::NotRun => "□ SKIP",
    }
}

/// The places where cases broke first.
fn broke(report: &RunReport, out: &mut dyn Write) -> fmt::Result {
    let places: Vec<(&CaseReport, Place)> = report
        .cases
        .iter()
        .flat_map(|case| first_failed_places(case).into_iter().map(move |place| (case, place)))
        .collect();
    writeln!(out, "### Where the chain broke\n")?;
    if places.is_empty() {
        let words = match report.passed {
            true => "no link failed",
            false => "no link is known to have failed",
        };
        writeln!(out, "{words}")?;
    }
    for (case, place) in places.iter().take(MAX_ROWS) {
        writeln!(out, "- {}: {place}", code(&case.id))?;
    }
    writeln!(out)?;
    and_more(places.len(), "place", out)
}

/// Cases, servers and links of which nothing can be said.
fn not_measured(report: &RunReport, out: &mut dyn Write) -> fmt::Result {
    let lines: Vec<String> = report
        .metadata
        .execution
        .servers
        .iter()
        .filter_map(|server| {
            let failed = setup::what_failed(server)?;
            let error = server.error.as_deref().map(|error| format!(": {}", code(error)));
            Some(format!("server {}: {failed}{}", code(&server.name), error.unwrap_or_default()))
        })
        .chain(report.cases.iter().filter_map(|case| unmeasured_case(report, case)))
        .chain(unmeasured_links(report))
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "### Not measured\n")?;
    for line in lines.iter().take(MAX_ROWS) {
        writeln!(out, "- {line}")?;
    }
    writeln!(out)?;
    and_more(lines.len(), "line", out)
}

/// A case without a verdict, with its first error unless that stands with its server.
fn unmeasured_case(report: &RunReport, case: &CaseReport) -> Option<String> {
    let words = match case.details.verdict {
        CaseVerdict::Passed | CaseVerdict::Failed => return None,
        CaseVerdict::Inconclusive => "inconclusive",
        CaseVerdict::NotRun => "not run",
    };
    let told = setup::quoted(report);
    let error = case.error.as_deref().filter(|error| !told.contains(error));
    let error = error.map(|error| format!("; first error: {}", code(error)));
    Some(format!("case {}: {words}{}", code(&case.id), error.unwrap_or_default()))
}

/// One line per link and reason, in trials, never summed over links.
fn unmeasured_links(report: &RunReport) -> Vec<String> {
    let mut lines = Vec::new();
    for &stage in Stage::ALL {
        let mut reasons: Vec<(Option<StageReason>, u64)> = Vec::new();
        let rows = trials(report).flat_map(|trial| &trial.stage_results);
        for row in rows.filter(|row| row.stage == stage && row.state == StageState::NotMeasured) {
            match reasons.iter_mut().find(|(reason, _)| *reason == row.reason) {
                Some((_, trials)) => *trials += 1,
                None => reasons.push((row.reason, 1)),
            }
        }
        lines.extend(reasons.into_iter().map(|(reason, trials)| {
            let reason = reason.map_or("no reason was recorded", |reason| reason.label());
            format!("link {}: {}, because {reason}", stage.label(), count(trials, "trial"))
        }));
    }
    lines
}

fn next(report: &RunReport, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "### Who should look next\n")?;
    let owners = owners(report);
    for owner in &owners {
        let shown: Vec<String> = owner.cases.iter().take(MAX_IDS).map(|id| code(id)).collect();
        let more = match owner.cases.len().saturating_sub(MAX_IDS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(out, "- **{}**: {} · {}{more}", owner.bucket, owner.words, shown.join(", "))?;
    }
    if owners.is_empty() {
        writeln!(out, "{}", nobody(report))?;
    }
    writeln!(out)
}

fn last_line(
    report: &RunReport,
    options: &MarkdownOptions<'_>,
    out: &mut dyn Write,
) -> fmt::Result {
    let exit = options.exit;
    write!(
        out,
        "Exit {}: {} · run {}",
        exit.code(),
        exit.meaning(),
        code(&report.metadata.run_id)
    )?;
    if let Some(artifact) = options.artifact {
        write!(out, " · report: {}", code(&artifact.name))?;
        if let Some(url) = artifact.url.as_deref().filter(|url| is_plain_address(url)) {
            write!(out, " among the [artifacts of this job's run]({url})")?;
        }
    }
    writeln!(out)
}

/// Whether an address can stand in Markdown as it is.
fn is_plain_address(url: &str) -> bool {
    let web = url.starts_with("https://") || url.starts_with("http://");
    web && url.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#=&%@".contains(c))
}

/// Says how many rows a list left out.
fn and_more(all: usize, unit: &str, out: &mut dyn Write) -> fmt::Result {
    match all.saturating_sub(MAX_ROWS) {
        0 => Ok(()),
        left => {
            let more = count(left as u64, &format!("more {unit}"));
            writeln!(out, "… and {more}; the JSON report lists them\n")
        }
    }
}

#[cfg(test)]
mod tests;
