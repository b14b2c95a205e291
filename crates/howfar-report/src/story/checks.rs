//! The scorecard of a trial: its summary, and the checks that did not hold (suite and runner, section F1).

use std::fmt;

use howfar_wire::report::TrialReport;
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role, ScorecardRow};
use howfar_wire::vocabulary::{IterationStatus, Vocabulary as _};

use super::trial::{labelled, text_limit};
use super::{StoryOptions, calls};
use crate::layout::{Page, Style};
use crate::text::clip;

/// Writes the required rows that did not hold, and returns the reasons it has shown.
///
/// Rows of the matcher say in short what the groups of calls show. A trial that never completed has nothing but rows
/// without a result, and its status says so. Verbose shows every row but advisory failures, which stand apart as advice.
pub(super) fn write<'a>(
    page: &mut Page<'_>,
    trial: &'a TrialReport,
    options: &StoryOptions<'_>,
) -> Result<Vec<&'a str>, fmt::Error> {
    let scorecard = &trial.scorecard;
    if !scorecard.rows.is_empty() {
        page.put(labelled(Style::Faint, "checks").text(Style::Plain, scorecard.summary()))?;
    }
    let mut told = Vec::new();
    for row in scorecard.rows.iter().filter(|row| options.verbose || is_required_news(trial, row)) {
        if is_advice(row) {
            continue;
        }
        row_line(page, row, options)?;
        told.push(row.reason.as_str());
        for (label, value) in [("expected", &row.expected), ("actual", &row.actual)] {
            if let Some(value) = value {
                page.put(labelled(Style::Faint, label).foreign(clip(value, text_limit(options))))?;
            }
        }
    }
    Ok(told)
}

/// The outcome, the check, where it comes from, and why; a built-in row says why below, as expected and actual.
fn row_line(page: &mut Page<'_>, row: &ScorecardRow, options: &StoryOptions<'_>) -> fmt::Result {
    let (label, style) = outcome_word(row.outcome);
    let line = labelled(style, label).text(Style::Strong, row.check.clone());
    let place = format!("({}, {})", origin(row), row.stage.label());
    page.put(match row.expected.is_some() || row.actual.is_some() {
        true => line.text(Style::Plain, place),
        false => line
            .text(Style::Plain, format!("{place}:"))
            .foreign(clip(&row.reason, text_limit(options))),
    })
}

/// Whether a required row says something that the lines above it do not.
fn is_required_news(trial: &TrialReport, row: &ScorecardRow) -> bool {
    let told_by_calls = row.provenance == Provenance::Route && calls::tells_mismatch(trial);
    let is_news = match row.outcome {
        CheckOutcome::Passed => false,
        CheckOutcome::Failed | CheckOutcome::Error => true,
        CheckOutcome::NotMeasured => trial.status == IterationStatus::Completed,
    };
    row.role == Some(Role::Required) && is_news && !told_by_calls
}

/// Whether a row is an advisory check that did not hold.
pub(super) fn is_advice(row: &ScorecardRow) -> bool {
    row.role == Some(Role::Advisory) && row.outcome == CheckOutcome::Failed
}

const fn outcome_word(outcome: CheckOutcome) -> (&'static str, Style) {
    match outcome {
        CheckOutcome::Passed => ("✓ held", Style::Good),
        CheckOutcome::Failed => ("✗ failed", Style::Bad),
        CheckOutcome::Error => ("? error", Style::Open),
        CheckOutcome::NotMeasured => ("? not measured", Style::Open),
    }
}

/// Where a check comes from: "Step 2", "This case".
pub(super) fn origin(row: &ScorecardRow) -> String {
    match (row.provenance, row.step) {
        (Provenance::Step, Some(step)) => format!("{} {step}", row.provenance.label()),
        (provenance, _) => provenance.label().to_owned(),
    }
}
