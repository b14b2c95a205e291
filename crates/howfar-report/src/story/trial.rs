//! The story of one trial: the chain on one line, why it broke where it broke, and what was seen.

use std::fmt;

use howfar_wire::chain::StageRow;
use howfar_wire::report::TrialReport;
use howfar_wire::vocabulary::{
    IterationStatus, Stage, StageReason, StageState, TaskVerdict, Vocabulary as _,
};

use super::{StoryOptions, calls, checks};
use crate::layout::{Page, Paragraph, Style, mark};
use crate::text::clip;

/// Where the lines of a trial stand.
pub(super) const INDENT: usize = 6;

/// How wide the column of labels is.
const LABEL: usize = 9;

/// One labelled line of a trial.
pub(super) fn labelled(style: Style, label: &str) -> Paragraph {
    Paragraph::new(INDENT, INDENT + LABEL + 1).atom(style, label, LABEL)
}

/// How many characters of a foreign text are shown.
pub(super) const fn text_limit(options: &StoryOptions<'_>) -> usize {
    if options.verbose { 2000 } else { 300 }
}

/// One line on a trial: whether it ran, what grading decided, where the chain broke first.
pub(crate) fn what_happened(trial: &TrialReport) -> String {
    let ran = match (trial.status, trial.task_verdict) {
        (IterationStatus::Completed, _) if trial.evaluator_error => "could not be graded",
        (IterationStatus::Completed, Some(TaskVerdict::Passed)) => "passed",
        (IterationStatus::Completed, Some(TaskVerdict::Failed)) => "failed",
        (IterationStatus::Completed, None) => "could not be graded",
        (status, _) => status.label(),
    };
    match trial.first_failed_stage {
        Some(stage) => format!("{ran} · first failed link: {}", stage.label()),
        None => format!("{ran} · no link failed"),
    }
}

/// Writes the story of a trial. `told` are lines that the reader has seen before it: they are not repeated.
pub(super) fn write<'a>(
    page: &mut Page<'_>,
    trial: &'a TrialReport,
    mut told: Vec<&'a str>,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    chain_line(page, &trial.stage_results)?;
    reasons(page, trial)?;
    execution(page, trial, &told, options)?;
    let limit = text_limit(options);
    calls::write(page, trial, options)?;
    told.extend(checks::write(page, trial, options)?);
    cited(page, trial, told, limit)?;
    let answer_matters = options.verbose || trial.first_failed_stage == Some(Stage::UserValue);
    match &trial.final_message {
        Some(message) if answer_matters => page
            .put(labelled(Style::Faint, "answer").foreign(format!("\"{}\"", clip(message, limit)))),
        Some(_) | None => Ok(()),
    }
}

/// The six links on one line; neighbours of the same state stand together.
fn chain_line(page: &mut Page<'_>, rows: &[StageRow]) -> fmt::Result {
    let mut line = Paragraph::new(INDENT, INDENT + 2);
    for group in rows.chunk_by(|one, next| one.state == next.state) {
        let state = group[0].state;
        let names: Vec<&str> = group.iter().map(|row| row.stage.label()).collect();
        let text = format!("{} {} {}", mark(state), state_word(state), names.join(", "));
        line = line.atom(Style::of(state), text, 0);
    }
    page.put(line)
}

/// The words of a state beside its mark.
const fn state_word(state: StageState) -> &'static str {
    match state {
        StageState::Passed => "passed",
        StageState::Failed => "failed",
        StageState::NotReached => "never ran",
        StageState::NotMeasured => "not measured",
        StageState::NotApplicable => "not applicable",
    }
}

/// Why the failed links failed; without one, why links were not measured.
fn reasons(page: &mut Page<'_>, trial: &TrialReport) -> fmt::Result {
    let failed = |row: &&StageRow| row.state == StageState::Failed;
    for row in trial.stage_results.iter().filter(failed) {
        let because = because(row.reason);
        let text = match trial.first_failed_stage == Some(row.stage) {
            true => because,
            false => format!("{because} (measured at {})", row.stage.label()),
        };
        page.put(labelled(Style::Bad, "because").text(Style::Plain, text))?;
    }
    if trial.stage_results.iter().any(|row| row.state == StageState::Failed) {
        return Ok(());
    }
    unmeasured_reasons(page, &trial.stage_results)
}

fn because(reason: Option<StageReason>) -> String {
    reason.map_or("no reason was recorded".to_owned(), |reason| reason.label().to_owned())
}

/// Why links were not measured, each reason once.
fn unmeasured_reasons(page: &mut Page<'_>, rows: &[StageRow]) -> fmt::Result {
    let mut told: Vec<Option<StageReason>> = Vec::new();
    let unmeasured: Vec<_> =
        rows.iter().filter(|row| row.state == StageState::NotMeasured).collect();
    for row in &unmeasured {
        if told.contains(&row.reason) {
            continue;
        }
        told.push(row.reason);
        let same = unmeasured.iter().filter(|other| other.reason == row.reason);
        let names: Vec<&str> = same.map(|row| row.stage.label()).collect();
        let mut text = because(row.reason);
        if names.len() < unmeasured.len() {
            text.push_str(&format!(" (not measured: {})", names.join(", ")));
        }
        page.put(labelled(Style::Open, "because").text(Style::Plain, text))?;
    }
    Ok(())
}

/// What ended a trial that did not complete, and calls that the policy kept from the server.
fn execution(
    page: &mut Page<'_>,
    trial: &TrialReport,
    told: &[&str],
    options: &StoryOptions<'_>,
) -> fmt::Result {
    if let Some(refusal) = trial.refusal {
        page.put(labelled(Style::Open, "provider").text(Style::Plain, refusal.label()))?;
    }
    if let Some(error) = trial.error.as_ref().filter(|error| !is_told(told, error)) {
        let text = format!("\"{}\"", clip(error, text_limit(options)));
        page.put(labelled(Style::Open, "error").foreign(text))?;
    }
    for block in &trial.policy_blocks {
        page.put(
            labelled(Style::Open, "blocked")
                .text(Style::Strong, block.tool_name.clone())
                .text(Style::Plain, format!("by the tool policy: {}", block.reason.label())),
        )?;
    }
    Ok(())
}

/// What failed rows cite, unless a line above has said it already; without a failed row, what unmeasured rows cite.
fn cited<'a>(
    page: &mut Page<'_>,
    trial: &'a TrialReport,
    mut told: Vec<&'a str>,
    limit: usize,
) -> fmt::Result {
    told.extend(trial.tool_calls.iter().filter_map(|call| call.error.as_deref()));
    told.extend(trial.error.as_deref());
    let any_failed = trial.first_failed_stage.is_some();
    let state = if any_failed { StageState::Failed } else { StageState::NotMeasured };
    for row in trial.stage_results.iter().filter(|row| row.state == state) {
        let reasons =
            row.evidence.iter().flat_map(|evidence| evidence.predicate_reasons.iter().flatten());
        for reason in reasons {
            if !is_told(&told, reason) {
                told.push(reason);
                page.put(labelled(Style::Faint, "evidence").foreign(clip(reason, limit)))?;
            }
        }
    }
    Ok(())
}

/// Whether a line that stands above says all that this one says, or the other way round.
fn is_told(told: &[&str], line: &str) -> bool {
    told.iter().any(|known| {
        let (shorter, longer) =
            if known.len() < line.len() { (*known, line) } else { (line, *known) };
        !shorter.is_empty() && longer.contains(shorter)
    })
}
