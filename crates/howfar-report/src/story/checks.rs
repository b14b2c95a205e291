//! The scorecard of a trial: its summary, and the checks that did not hold (suite and runner, section F1).

use std::fmt;

use howfar_wire::scorecard::{CheckOutcome, Provenance, Role, Scorecard, ScorecardRow};
use howfar_wire::vocabulary::Vocabulary as _;

use super::StoryOptions;
use super::trial::{labelled, text_limit};
use crate::layout::{Page, Style};
use crate::text::clip;

/// Writes the required rows that did not pass, and returns the reasons it has shown.
///
/// Verbose shows every row but advisory failures, which stand apart as advice.
pub(super) fn write<'a>(
    page: &mut Page<'_>,
    scorecard: &'a Scorecard,
    options: &StoryOptions<'_>,
) -> Result<Vec<&'a str>, fmt::Error> {
    if !scorecard.rows.is_empty() {
        page.put(labelled(Style::Faint, "checks").text(Style::Plain, scorecard.summary()))?;
    }
    let mut told = Vec::new();
    for row in scorecard.rows.iter().filter(|row| is_shown(row, options)) {
        let (label, style) = outcome_word(row.outcome);
        page.put(
            labelled(style, label)
                .text(Style::Strong, row.check.clone())
                .text(Style::Plain, format!("({}, {}):", origin(row), row.stage.label()))
                .foreign(clip(&row.reason, text_limit(options))),
        )?;
        told.push(row.reason.as_str());
        for (label, value) in [("expected", &row.expected), ("actual", &row.actual)] {
            if let Some(value) = value {
                page.put(labelled(Style::Faint, label).foreign(clip(value, text_limit(options))))?;
            }
        }
    }
    Ok(told)
}

fn is_shown(row: &ScorecardRow, options: &StoryOptions<'_>) -> bool {
    let required = row.role == Some(Role::Required);
    let advice = row.role == Some(Role::Advisory) && row.outcome == CheckOutcome::Failed;
    (required && row.outcome != CheckOutcome::Passed) || (options.verbose && !advice)
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
