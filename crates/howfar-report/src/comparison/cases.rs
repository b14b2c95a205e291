//! What became of each case, and the link that moved.

use std::fmt;

use howfar_wire::compare::{
    CaseLinkSide, CaseLinks, CompareCase, CompareStatus, FlakyCase, LinkChange, LinkMovement,
    LinkTally, RunComparison, SideOutcome,
};
use howfar_wire::vocabulary::{Stage, Vocabulary as _};

use super::difference_words;
use crate::layout::{Page, Paragraph, Style};
use crate::text::count;

pub(super) fn write(page: &mut Page<'_>, comparison: &RunComparison) -> fmt::Result {
    page.heading("Cases")?;
    let counts = CompareStatus::ALL.iter().map(|status| {
        let of = comparison.compare.cases.iter().filter(|case| case.status == *status).count();
        (of, status.label())
    });
    let counts: Vec<_> =
        counts.filter(|(of, _)| *of > 0).map(|(of, label)| format!("{of} {label}")).collect();
    page.put(Paragraph::new(2, 4).text(Style::Plain, counts.join(" · ")))?;
    let run = &comparison.compare.compare_run.id;
    for (case, links) in comparison.compare.cases.iter().zip(&comparison.links) {
        write_case(page, case, links)?;
        if case.status == CompareStatus::Regressed {
            write_evidence(page, case, run)?;
        }
    }
    for regression in &comparison.deterministic_regressions {
        page.put(
            Paragraph::new(2, 6)
                .text(Style::Bad, "✗ a required check went from passed to failed:")
                .text(Style::Plain, format!("{} in {}", regression.scorer_id, regression.case_key)),
        )?;
    }
    let sides =
        [("base", &comparison.flaky_cases.base), ("compared", &comparison.flaky_cases.compare)];
    for (side, cases) in sides {
        for case in cases {
            page.put(flaky(side, case))?;
        }
    }
    Ok(())
}

fn write_case(page: &mut Page<'_>, case: &CompareCase, links: &CaseLinks) -> fmt::Result {
    let (style, mark) = match case.status {
        CompareStatus::Regressed => (Style::Bad, "✗"),
        CompareStatus::Fixed | CompareStatus::UnchangedPassed => (Style::Good, "✓"),
        CompareStatus::UnchangedFailed => (Style::Plain, "✗"),
        CompareStatus::Changed | CompareStatus::NewCase | CompareStatus::RemovedCase => {
            (Style::Open, "?")
        }
    };
    page.put(
        Paragraph::new(2, 6)
            .text(style, format!("{mark} {}:", status_words(case)))
            .text(Style::Strong, case.case_key.clone())
            .text(Style::Plain, "–")
            .foreign(case.title.clone()),
    )?;
    if case.config_changed {
        page.put(
            Paragraph::new(6, 8).text(Style::Open, "its title, steps or expected output changed"),
        )?;
    }
    if case.evaluation_config_changed {
        page.put(Paragraph::new(6, 8).text(Style::Open, "its checks changed"))?;
    }
    let moved = links.links.iter().find(|link| Some(link.stage) == links.moved_link);
    if let Some(link) = moved {
        page.put(Paragraph::new(6, 8).text(Style::Plain, link_words(link)))?;
    }
    if case.status == CompareStatus::Regressed || moved.is_some() {
        let words =
            format!("broke first: {} → {}", broke_words(&links.base), broke_words(&links.compare));
        page.put(Paragraph::new(6, 8).text(Style::Faint, words))?;
    }
    Ok(())
}

/// What was wrong in the trial to look at, and the command that shows it.
fn write_evidence(page: &mut Page<'_>, case: &CompareCase, run: &str) -> fmt::Result {
    if let Some(error) = &case.compare.error {
        page.put(Paragraph::new(6, 8).text(Style::Plain, "what failed:").foreign(error.clone()))?;
    }
    let trial = case.compare.representative_iteration_id.as_deref();
    let Some((case, number)) = trial.and_then(|trial| trial.rsplit_once('#')) else {
        return Ok(());
    };
    page.put(Paragraph::new(6, 6).text(Style::Plain, "evidence:").atom(
        Style::Strong,
        format!("howfar trace {run} {case} {number}"),
        0,
    ))
}

/// A case without a decided trial on a side is neither new nor gone when its trials were recorded there.
fn status_words(case: &CompareCase) -> String {
    let undecided = |side: &howfar_wire::compare::CompareSide| {
        side.outcome == SideOutcome::Absent && !side.iteration_ids.is_empty()
    };
    match (undecided(&case.base), undecided(&case.compare)) {
        (false, false) => case.status.label().to_owned(),
        (true, false) => "not graded in the base run".to_owned(),
        (false, true) => "not graded in the compared run".to_owned(),
        (true, true) => "not graded in either run".to_owned(),
    }
}

/// "selection: 6 of 6 trials passed → 0 of 6; difference −100 points, 95 % interval [−100, −39]".
fn link_words(link: &LinkMovement) -> String {
    let mut words = format!(
        "{}: {} → {}",
        words_of(link.stage),
        tally(link.base, true),
        tally(link.compare, false)
    );
    match link.difference {
        Some(difference) => words.push_str(&format!("; {}", difference_words(difference))),
        None => words.push_str(&format!("; {}", link.change.label())),
    }
    if link.change == LinkChange::Unchanged {
        words.push_str(&format!(": {}", link.change.label()));
    }
    words
}

fn words_of(stage: Stage) -> String {
    stage.label().to_lowercase()
}

/// Passed of measured trials; a link that nothing measured says what its trials are instead.
fn tally(tally: LinkTally, with_unit: bool) -> String {
    if tally.measured() > 0 {
        let unit = if tally.measured() == 1 { " trial" } else { " trials" };
        let unit = if with_unit { format!("{unit} passed") } else { String::new() };
        return format!("{} of {}{unit}", tally.passed, tally.measured());
    }
    let states = [
        (tally.not_measured, "not measured"),
        (tally.not_reached, "never ran"),
        (tally.not_applicable, "not applicable"),
    ];
    let states: Vec<_> = states
        .into_iter()
        .filter(|(trials, _)| *trials > 0)
        .map(|(trials, words)| format!("{} {words}", count(trials, "trial")))
        .collect();
    if states.is_empty() { "no trial counted".to_owned() } else { states.join(", ") }
}

/// Where the chains of a case broke first, in one run. Places, not causes.
fn broke_words(side: &CaseLinkSide) -> String {
    if side.trials == 0 {
        return "no trial".to_owned();
    }
    let places: Vec<_> = side
        .first_failed_links
        .iter()
        .map(|link| {
            format!(
                "{} in {} of {}",
                words_of(link.stage),
                link.trials,
                count(side.trials, "trial")
            )
        })
        .collect();
    if places.is_empty() { "nowhere".to_owned() } else { places.join(", ") }
}

fn flaky(side: &str, case: &FlakyCase) -> Paragraph {
    let words = format!(
        "{} passed and {} of {} failed in the {side} run",
        case.passed,
        case.failed,
        count(case.total, "graded trial")
    );
    Paragraph::new(2, 6)
        .text(Style::Open, "? flaky:")
        .text(Style::Strong, case.case_key.clone())
        .text(Style::Plain, words)
}
