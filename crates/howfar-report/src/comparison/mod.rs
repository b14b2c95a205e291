//! A comparison for a terminal: whether the runs may be compared, the pass rate, what became of each case, the gates.
//!
//! Differences are shown as they are measured; no line says what one comes from.

mod cases;
pub(crate) mod owners;
pub(crate) mod tools;

use std::fmt;

use howfar_wire::compare::{
    CompareStatus, ComparedSide, PassRateComparison, PassRateVerdict, RateDifference, RunComparison,
};
use howfar_wire::gate::GateOutcome;
use howfar_wire::vocabulary::Vocabulary as _;

use crate::TextOptions;
use crate::gates::{GateEnding, outcome_words, write_ending, write_gates};
use crate::layout::{Page, Paragraph, Style};
use crate::text::{count, percent, share};

/// Writes a comparison whose gates came to `outcome`.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_comparison(
    comparison: &RunComparison,
    outcome: GateOutcome,
    ending: GateEnding<'_>,
    options: &TextOptions,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let mut page = Page::new(out, options.look());
    blockers(&mut page, comparison)?;
    verdict(&mut page, comparison)?;
    runs(&mut page, comparison)?;
    if let Some(rate) = &comparison.pass_rate {
        pass_rate(&mut page, rate)?;
    }
    cases::write(&mut page, comparison)?;
    owners::write(&mut page, comparison)?;
    write_gates(&mut page, &comparison.gates)?;
    let decided = Paragraph::new(0, 2);
    let decided = match (comparison.gates.verdicts.is_empty(), outcome) {
        (true, GateOutcome::Passed) => {
            decided.text(Style::Plain, "compared; no gate was asked for")
        }
        (_, outcome) => outcome_words(decided, outcome),
    };
    write_ending(&mut page, decided, ending)
}

/// What became of the cases, and of the pass rate, in one line.
fn verdict(page: &mut Page<'_>, comparison: &RunComparison) -> fmt::Result {
    let count = |wanted: CompareStatus| {
        comparison.compare.cases.iter().filter(|case| case.status == wanted).count() as u64
    };
    let (regressed, fixed) = (count(CompareStatus::Regressed), count(CompareStatus::Fixed));
    let (style, mark) = match (regressed, fixed) {
        (0, 0) => (Style::Plain, "·"),
        (0, _) => (Style::Good, "✓"),
        (_, _) => (Style::Bad, "✗"),
    };
    let words =
        format!("{mark} {} regressed, {fixed} fixed", crate::text::count(regressed, "case"));
    let rate = match &comparison.pass_rate {
        Some(rate) if rate.verdict == PassRateVerdict::InsufficientData => {
            "· too few graded trials to say more of the pass rate".to_owned()
        }
        Some(rate) => format!("· the pass rate {}", rate.verdict.label()),
        None => "· pass rates are not compared".to_owned(),
    };
    page.put(Paragraph::new(0, 2).text(style, words).text(Style::Plain, rate))
}

/// Why the runs may not be compared, before anything else is said.
fn blockers(page: &mut Page<'_>, comparison: &RunComparison) -> fmt::Result {
    let line = || Paragraph::new(0, 2);
    if !comparison.parity_blockers.is_empty() {
        page.put(line().text(Style::Open, "? The runs may not be compared:"))?;
        for blocker in &comparison.parity_blockers {
            page.put(
                Paragraph::new(2, 6)
                    .atom(Style::Strong, blocker.as_str(), 0)
                    .text(Style::Plain, format!("– {}", blocker.label())),
            )?;
        }
        page.put(line().text(
            Style::Plain,
            "So no rate and no trend is given. Below are facts about single cases, and the regressions of checks that \
             give the same result on the same evidence.",
        ))?;
        page.blank()?;
    }
    for run in &comparison.undecided {
        let what = if run.complete { run.verdict.label() } else { "not complete" };
        let words = format!("? {} is {what}: no gate is decided over it.", run.side.label());
        page.put(line().text(Style::Open, words))?;
    }
    Ok(())
}

fn runs(page: &mut Page<'_>, comparison: &RunComparison) -> fmt::Result {
    let document = &comparison.compare;
    let suite = document.suite.as_ref().map(|suite| suite.name.clone()).unwrap_or_default();
    page.put(Paragraph::new(0, 2).text(Style::Strong, suite))?;
    for (side, run) in
        [(ComparedSide::Base, &document.base_run), (ComparedSide::Compare, &document.compare_run)]
    {
        let counts = run.summary.unwrap_or_default();
        let passed = match counts.total {
            0 => "no trial was graded".to_owned(),
            total => format!("{} of {} passed", counts.passed, count(total, "trial")),
        };
        page.put(
            Paragraph::new(2, 6)
                .atom(Style::Plain, side.label(), 16)
                .atom(Style::Strong, run.id.clone(), 0)
                .text(Style::Plain, format!("· {passed}")),
        )?;
    }
    page.put(tools::paragraph(&comparison.catalogs))
}

fn pass_rate(page: &mut Page<'_>, rate: &PassRateComparison) -> fmt::Result {
    page.heading("Pass rate, in trials that were graded")?;
    for (side, counts) in [(ComparedSide::Base, rate.base), (ComparedSide::Compare, rate.compare)] {
        let mut line = Paragraph::new(2, 6)
            .atom(Style::Plain, side.label(), 16)
            .text(Style::Plain, share(counts.passed, counts.total));
        if let Some(interval) = counts.interval {
            let (lower, upper) = (percent(interval.lower), percent(interval.upper));
            line = line.text(Style::Faint, format!("95 % interval {lower} to {upper}"));
        }
        page.put(line)?;
    }
    let mut line = Paragraph::new(2, 6);
    if let Some(difference) = rate.difference {
        line = line.text(Style::Plain, format!("{}:", difference_words(difference)));
    }
    page.put(line.text(Style::Strong, rate.verdict.label()))
}

/// "difference −100 points, 95 % interval [−100, −39]".
pub(crate) fn difference_words(difference: RateDifference) -> String {
    let (lower, upper) = (points(difference.lower), points(difference.upper));
    format!("difference {} points, 95 % interval [{lower}, {upper}]", points(difference.delta))
}

/// A fraction as whole points with its sign.
fn points(fraction: f64) -> String {
    let points = (fraction * 100.0).round();
    match points {
        points if points < 0.0 => format!("−{}", -points),
        points if points > 0.0 => format!("+{points}"),
        _ => "0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_told_in_points() {
        let difference =
            RateDifference { delta: -1.0, confidence: 0.95, lower: -1.0, upper: -0.385 };
        assert_eq!(
            difference_words(difference),
            "difference −100 points, 95 % interval [−100, −39]"
        );
        assert_eq!((points(0.051), points(-0.001)), ("+5".to_owned(), "0".to_owned()));
    }
}
