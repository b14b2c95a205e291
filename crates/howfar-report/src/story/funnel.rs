//! Where the chain broke: six links, each with its own counts in trials, never summed over links (run-documents,
//! section 7.8; look, "The funnel"). Then the cases by their first failed link.

use std::fmt;

use howfar_wire::analytics::{Slice, SliceRow, StageAnalytics, StageTally};
use howfar_wire::report::{RunReport, TrialReport};
use howfar_wire::vocabulary::{Stage, StageState, Vocabulary};

use super::cases::id_list;
use crate::layout::{Page, Paragraph, Style, mark};
use crate::text::count;

/// How many marks a bar has at most. Up to here one mark is one trial.
const BAR_COLUMNS: u64 = 24;

pub(super) fn write(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    page.heading("Where the chain broke")?;
    match report.analytics.as_ref().and_then(overall) {
        None => {
            page.put(Paragraph::new(2, 2).text(Style::Plain, "not measured: no trial was planned"))
        }
        Some(tallies) => {
            let bar_columns = tallies.iter().map(bar_columns).max().unwrap_or(0);
            for tally in tallies {
                link_line(page, tally, bar_columns)?;
            }
            page.put(Paragraph::new(2, 2).text(
                Style::Faint,
                "Unit: trial. One row per link; a trial is in every row, so rows are never summed.",
            ))
        }
    }?;
    if let Some(analytics) = &report.analytics {
        excluded(page, analytics)?;
        failed_setup(page, analytics)?;
    }
    first_failed(page, report)
}

/// A lane of a row: what became of trials, how many, and the words.
type Lane = (StageState, u64, &'static str);

/// The lanes of a link in reading order.
fn lanes(tally: &StageTally) -> [Lane; 6] {
    [
        (StageState::Passed, tally.passed, "passed"),
        (StageState::Failed, tally.failed, "failed"),
        (StageState::NotMeasured, tally.not_measured, "not measured"),
        (StageState::NotMeasured, tally.reach_unknown, "not known to be reached"),
        (StageState::NotApplicable, tally.not_applicable, "not applicable"),
        (StageState::NotReached, tally.not_reached, "never reached"),
    ]
}

/// How many columns the bar of a link, or the words in its place, take.
fn bar_columns(tally: &StageTally) -> usize {
    match tally.measured {
        0 => "not measured".len(),
        _ => bar(&lanes(tally)).iter().sum(),
    }
}

/// A bar only where something was measured; "not measured" in words otherwise.
fn link_line(page: &mut Page<'_>, tally: &StageTally, bar_columns: usize) -> fmt::Result {
    let mut line = Paragraph::new(2, 15).atom(Style::Strong, tally.stage.label(), 11);
    let lanes = lanes(tally);
    if tally.measured == 0 {
        line = line.atom(Style::Open, "not measured", bar_columns);
    } else {
        let marks = bar(&lanes);
        let missing = bar_columns.saturating_sub(marks.iter().sum());
        line = line.atom(Style::Plain, "", 0);
        for ((state, _, _), marks) in lanes.iter().zip(marks) {
            line = line.glued(Style::of(*state), mark(*state).repeat(marks));
        }
        line = line.glued(Style::Plain, " ".repeat(missing));
    }
    for (_, trials, words) in lanes.iter().filter(|(_, trials, _)| *trials > 0) {
        line = line.text(Style::Plain, format!("· {trials} {words}"));
    }
    page.put(line)
}

/// How many marks each lane gets: its trials, or its share of the bar, at least one.
fn bar(lanes: &[Lane; 6]) -> [usize; 6] {
    let total: u64 = lanes.iter().map(|(_, trials, _)| trials).sum();
    lanes.map(|(_, trials, _)| {
        let marks = if total <= BAR_COLUMNS {
            trials
        } else {
            (trials * BAR_COLUMNS / total).max(u64::from(trials > 0))
        };
        usize::try_from(marks).unwrap_or(0)
    })
}

/// The six tallies over all trials.
fn overall(analytics: &StageAnalytics) -> Option<&[StageTally; 6]> {
    let is_overall = |row: &&SliceRow| row.slice == Slice::Overall {};
    analytics.slices.iter().find(is_overall).map(|row| &row.stages)
}

/// What is known of the setup phases that failed.
fn failed_setup(page: &mut Page<'_>, analytics: &StageAnalytics) -> fmt::Result {
    for setup in analytics.setup.iter().filter(|setup| setup.failed_attempts > 0) {
        let side = match setup.server_attributed_failures {
            0 => "",
            1.. => ", on the server's side",
        };
        let affected = count(setup.impacted_trials, "trial");
        let text = format!("Setup: {} failed{side} · {affected} affected", setup.phase.label());
        page.put(Paragraph::new(2, 4).text(Style::Bad, text))?;
    }
    Ok(())
}

/// Trials that stand in no row, with why.
fn excluded(page: &mut Page<'_>, analytics: &StageAnalytics) -> fmt::Result {
    let details = analytics.excluded_trial_detail.iter();
    let parts: Vec<String> =
        details.map(|(detail, trials)| format!("{}: {trials}", detail.label())).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let total = count(analytics.excluded_trials.total(), "trial");
    let text = format!("In no row: {total} ({})", parts.join(" · "));
    page.put(Paragraph::new(2, 4).text(Style::Faint, text))
}

/// The cases by their first failed link: a place, not a cause.
fn first_failed(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    for &stage in Stage::ALL {
        let mut total = 0;
        let mut ids = Vec::new();
        for case in &report.cases {
            let broke = |trial: &&_| first_failed_at(trial, stage);
            let trials = case.details.iterations.iter().filter(broke).count() as u64;
            total += trials;
            if trials > 0 {
                ids.push(case.id.as_str());
            }
        }
        if let Some(list) = id_list(&ids) {
            let text = format!("first failed link of {} · {list}", count(total, "trial"));
            page.put(
                Paragraph::new(2, 15)
                    .atom(Style::Bad, format!("{} {}", mark(StageState::Failed), stage.label()), 13)
                    .text(Style::Plain, text),
            )?;
        }
    }
    Ok(())
}

fn first_failed_at(trial: &TrialReport, stage: Stage) -> bool {
    trial.first_failed_stage == Some(stage)
}
