//! Where the chain broke: six links, each with its own counts in trials, never summed over links (run-documents,
//! section 7.8; look, "The funnel"). Then the cases by their first failed link.

use std::fmt;

use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{ExclusionDetail, Stage, StageState, Vocabulary};
use serde_json::Value;

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
            let bar_columns = tallies.iter().map(LinkTally::bar_columns).max().unwrap_or(0);
            for tally in &tallies {
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
    }
    first_failed(page, report)
}

/// The counts of one link, in trials.
#[derive(Debug, Clone, Copy)]
struct LinkTally {
    stage: Stage,
    passed: u64,
    failed: u64,
    not_measured: u64,
    reach_unknown: u64,
    not_applicable: u64,
    not_reached: u64,
}

impl LinkTally {
    /// How many columns the bar or the words in its place take.
    fn bar_columns(&self) -> usize {
        match self.passed + self.failed {
            0 => "not measured".len(),
            _ => bar(&self.lanes().map(|(_, trials, _)| trials)).iter().sum(),
        }
    }

    /// The lanes in reading order, with their words.
    fn lanes(&self) -> [(StageState, u64, &'static str); 6] {
        [
            (StageState::Passed, self.passed, "passed"),
            (StageState::Failed, self.failed, "failed"),
            (StageState::NotMeasured, self.not_measured, "not measured"),
            (StageState::NotMeasured, self.reach_unknown, "not known to be reached"),
            (StageState::NotApplicable, self.not_applicable, "not applicable"),
            (StageState::NotReached, self.not_reached, "never reached"),
        ]
    }
}

/// A bar only where something was measured; "not measured" in words otherwise.
fn link_line(page: &mut Page<'_>, tally: &LinkTally, bar_columns: usize) -> fmt::Result {
    let mut line = Paragraph::new(2, 15).atom(Style::Strong, tally.stage.label(), 11);
    let lanes = tally.lanes();
    if tally.passed + tally.failed == 0 {
        line = line.atom(Style::Open, "not measured", bar_columns);
    } else {
        let marks = bar(&lanes.map(|(_, trials, _)| trials));
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
fn bar(lanes: &[u64; 6]) -> [usize; 6] {
    let total: u64 = lanes.iter().sum();
    lanes.map(|trials| {
        let marks = if total <= BAR_COLUMNS {
            trials
        } else {
            (trials * BAR_COLUMNS / total).max(u64::from(trials > 0))
        };
        usize::try_from(marks).unwrap_or(0)
    })
}

/// The six tallies over all trials.
fn overall(analytics: &Value) -> Option<Vec<LinkTally>> {
    let slices = analytics.get("slices")?.as_array()?;
    let overall = slices.iter().find(|row| row["slice"]["dimension"] == "overall")?;
    overall.get("stages")?.as_array()?.iter().map(link_tally).collect()
}

fn link_tally(row: &Value) -> Option<LinkTally> {
    let count = |key: &str| row[key].as_u64().unwrap_or(0);
    Some(LinkTally {
        stage: Stage::from_wire(row["stage"].as_str()?)?,
        passed: count("passed"),
        failed: count("failed"),
        not_measured: count("notMeasured"),
        reach_unknown: count("reachUnknown"),
        not_applicable: count("notApplicable"),
        not_reached: count("notReached"),
    })
}

/// Trials that stand in no row, with why.
fn excluded(page: &mut Page<'_>, analytics: &Value) -> fmt::Result {
    let of = |detail: ExclusionDetail| {
        analytics["excludedTrialDetail"][detail.as_str()].as_u64().filter(|&trials| trials > 0)
    };
    let parts: Vec<String> = ExclusionDetail::ALL
        .iter()
        .filter_map(|&detail| of(detail).map(|trials| format!("{}: {trials}", detail.label())))
        .collect();
    if parts.is_empty() {
        return Ok(());
    }
    let text =
        format!("In no row: {} ({})", count(total_excluded(analytics), "trial"), parts.join(" · "));
    page.put(Paragraph::new(2, 4).text(Style::Faint, text))
}

fn total_excluded(analytics: &Value) -> u64 {
    analytics["excludedTrials"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, n)| n.as_u64())
        .sum()
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

fn first_failed_at(trial: &howfar_wire::report::TrialReport, stage: Stage) -> bool {
    trial.first_failed_stage == Some(stage)
}
