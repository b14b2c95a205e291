//! The list of stored runs for a terminal: one line per run, newest first. Nothing is added up over runs.

use std::fmt;

use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::{RunState, Vocabulary as _};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::TextOptions;
use crate::layout::{Page, Paragraph, Style};
use crate::story::verdict_words;
use crate::text::count;

/// The fewest characters of an id that are shown: `r_` and the time in it.
const SHORT_ID: usize = 14;

/// The columns of a verdict with its mark; the one that is wider comes seldom.
const VERDICT_COLUMNS: usize = 14;

/// Writes the list of runs, with their begin in the wall clock time of `zone`.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_run_list(
    runs: &[RunListRow],
    zone: &TimeZone,
    options: &TextOptions,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let mut page = Page::new(out, options.look());
    for run in runs {
        let id = short_id(&run.run_id, runs);
        let line = Paragraph::new(0, 4).atom(Style::Strong, id, SHORT_ID).atom(
            Style::Faint,
            minute(&run.started_at, zone),
            0,
        );
        let line = verdict_words(line, run.verdict, VERDICT_COLUMNS);
        page.put(
            line.text(Style::Plain, run.suite_name.clone())
                .text(Style::Faint, format!("· {}", counts(run))),
        )?;
    }
    Ok(())
}

/// The shortest beginning of an id that names no other listed run.
fn short_id<'a>(id: &'a str, runs: &[RunListRow]) -> &'a str {
    let others = || runs.iter().map(|run| run.run_id.as_str()).filter(|other| *other != id);
    let unique = |end: &usize| {
        id.get(..*end).is_some_and(|short| !others().any(|other| other.starts_with(short)))
    };
    let end = (SHORT_ID..id.len()).find(unique).unwrap_or(id.len());
    &id[..end]
}

/// "3 of 5 case variants passed", or how far a run without an end got.
fn counts(run: &RunListRow) -> String {
    let trials = count(run.configured_trials, "trial");
    let stored = format!("{} of {trials} stored", run.stored_trials);
    match (run.state, run.cases_passed) {
        (RunState::Ended, Some(passed)) => {
            format!("{passed} of {} passed", count(run.cases, "case variant"))
        }
        (RunState::Ended, None) => stored,
        (RunState::Running | RunState::CutOff, Some(_) | None) => {
            format!("{} · {stored}", run.state.label())
        }
    }
}

/// The time without its seconds: "2026-11-30 17:41 CET". A text that is no time stays as it is.
fn minute(time: &str, zone: &TimeZone) -> String {
    match time.parse::<Timestamp>() {
        Ok(at) => at.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M %Z").to_string(),
        Err(_) => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::{Termination, Verdict};

    use super::*;

    fn row(id: &str, state: RunState, verdict: Verdict) -> RunListRow {
        let ended = state == RunState::Ended;
        RunListRow {
            run_id: id.to_owned(),
            suite_id: "s_shop".to_owned(),
            suite_name: "Shop".to_owned(),
            started_at: "2026-11-30T16:41:07.123Z".to_owned(),
            state,
            verdict,
            termination: ended.then_some(Termination::Completed),
            unit: "case".to_owned(),
            cases: 5,
            cases_passed: ended.then_some(3),
            cases_failed: ended.then_some(2),
            configured_trials: 10,
            stored_trials: 4,
        }
    }

    fn rendered(runs: &[RunListRow]) -> String {
        let mut text = String::new();
        let options = TextOptions { width: 100, ascii: false, color: false };
        render_run_list(runs, &TimeZone::UTC, &options, &mut text).expect("a string takes text");
        text
    }

    #[test]
    fn a_run_is_one_line() {
        let text = rendered(&[row("r_0123456789abcdef", RunState::Ended, Verdict::Failed)]);
        assert_eq!(
            text,
            "r_0123456789ab 2026-11-30 16:41 UTC ✗ FAILED       Shop · 3 of 5 case variants passed\n"
        );
    }

    #[test]
    fn a_run_that_was_cut_off_says_how_far_it_got() {
        let text =
            rendered(&[row("r_0123456789abcdef", RunState::CutOff, Verdict::NotEstablished)]);
        assert!(text.contains("cut off · 4 of 10 trials stored"), "{text}");
    }

    #[test]
    fn a_time_is_shown_in_the_readers_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(9));
        assert_eq!(minute("2026-11-30T16:41:07.123Z", &zone), "2026-12-01 01:41 +09");
        assert_eq!(minute("yesterday", &zone), "yesterday");
    }

    #[test]
    fn ids_are_as_long_as_it_takes_to_tell_them_apart() {
        let rows = [
            row("r_0123456789abcdef", RunState::Ended, Verdict::Passed),
            row("r_0123456789abcdff", RunState::Ended, Verdict::Passed),
        ];
        assert_eq!(short_id(&rows[0].run_id, &rows), "r_0123456789abcde");
        assert_eq!(short_id(&rows[0].run_id, &rows[..1]), "r_0123456789ab");
    }
}
