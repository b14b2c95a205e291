//! The story of a run for a terminal: what was decided, how much was measured, where the chain broke, the evidence, who
//! should look next, always in this order (look, "The order of a page"; suite and runner, section D6).

mod calls;
mod cases;
mod checks;
pub(crate) mod decided;
mod friction;
mod funnel;
mod judges;
pub(crate) mod measured;
pub(crate) mod notes;
pub(crate) mod owners;
pub(crate) mod setup;
pub(crate) mod trial;

use std::fmt;

use howfar_wire::report::{RunReport, TrialReport};
use howfar_wire::vocabulary::{ExitCode, StageState, TaskVerdict, Vocabulary as _};

use crate::layout::{Look, Page, Paragraph, Style};
pub(crate) use cases::id_list;
pub(crate) use decided::verdict_words;

/// How a story is told.
#[derive(Debug, Clone, Copy)]
pub struct StoryOptions<'a> {
    /// The most columns of a line; at least 60 and at most 100 are used.
    pub width: usize,
    /// Whether marks have their ASCII fallback and every other character is escaped.
    pub ascii: bool,
    /// Whether ANSI colours are written. Every colour repeats what a mark or a word says.
    pub color: bool,
    /// Whether trials that passed, tolerated calls and whole texts are shown, and nothing is left to the JSON report.
    pub verbose: bool,
    /// The exit code of the command; the last line says what it means.
    pub exit: ExitCode,
    /// The command that shows more; absent for `howfar explain` with the value that matters most in this run.
    pub more: Option<&'a str>,
}

/// Writes the story of a run.
///
/// No line is wider than the width, except for an identifier that is itself wider.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_story(
    report: &RunReport,
    options: &StoryOptions<'_>,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let width = options.width.clamp(60, 100);
    let mut page = Page::new(out, Look { width, ascii: options.ascii, color: options.color });
    decided::write(&mut page, report)?;
    measured::write(&mut page, report, options)?;
    funnel::write(&mut page, report)?;
    cases::write(&mut page, report, options)?;
    owners::write(&mut page, report)?;
    notes::write(&mut page, report, options)?;
    last_line(&mut page, report, options)
}

/// The verdict, what the exit code means, and the command that shows more.
fn last_line(page: &mut Page<'_>, report: &RunReport, options: &StoryOptions<'_>) -> fmt::Result {
    let more = match options.more {
        Some(command) => command.to_owned(),
        None => format!("howfar explain {}", value_to_explain(report)),
    };
    page.blank()?;
    page.put(
        verdict_words(Paragraph::new(0, 2), report.verdict, 0)
            .text(
                Style::Plain,
                format!("· exit {}: {}", options.exit.code(), options.exit.meaning()),
            )
            .text(Style::Plain, "· more:")
            .atom(Style::Strong, more, 0),
    )
}

/// The wire value that a reader of this run wants explained first: the reason of the first broken link, else of the
/// first link that was not measured, else the verdict.
fn value_to_explain(report: &RunReport) -> &'static str {
    let rows = || trials(report).flat_map(|trial| &trial.stage_results);
    let reason_of = |state| rows().filter(move |row| row.state == state).find_map(|row| row.reason);
    let undecided = !report.passed;
    reason_of(StageState::Failed)
        .or_else(|| reason_of(StageState::NotMeasured).filter(|_| undecided))
        .map_or(report.verdict.as_str(), |reason| reason.as_str())
}

/// The trials of every case, in report order.
pub(crate) fn trials(report: &RunReport) -> impl Iterator<Item = &TrialReport> {
    report.cases.iter().flat_map(|case| &case.details.iterations)
}

/// Whether a trial did what its case asks and no link of it broke. Only such a trial needs no story.
pub(crate) fn is_healthy(trial: &TrialReport) -> bool {
    trial.task_verdict == Some(TaskVerdict::Passed)
        && !trial.evaluator_error
        && trial.first_failed_stage.is_none()
}

#[cfg(test)]
mod tests;
