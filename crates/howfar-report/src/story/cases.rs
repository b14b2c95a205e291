//! The evidence, case by case: setup failures first, then every trial that did not do what its case asks. Trials of one
//! case with the same story are told once.

use std::fmt;

use howfar_wire::report::{CaseReport, RunReport, TrialReport};

use super::measured::verdict_word;
use super::{StoryOptions, is_healthy, setup, trial};
use crate::layout::{Page, Paragraph, Style};
use crate::tally::{Tally, configuration};
use crate::text::{count, trial_list};

/// How many cases are told in detail.
const MAX_CASES: usize = 12;

/// How many different stories of one case are told.
const MAX_STORIES: usize = 3;

/// How many ids stand in a list.
const MAX_IDS: usize = 8;

pub(super) fn write(
    page: &mut Page<'_>,
    report: &RunReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    page.heading("The evidence")?;
    let any_setup = setup::write(page, report, options)?;
    let limit = if options.verbose { usize::MAX } else { MAX_CASES };
    let told: Vec<_> = report.cases.iter().filter(|case| needs_telling(case, options)).collect();
    if told.is_empty() && !any_setup {
        let words = match (report.passed, super::trials(report).next().is_some()) {
            (true, _) => "every trial did what its case asks, and no link failed",
            (false, true) => "no trial with evidence failed; what did not run is not evidence",
            (false, false) => "none: no trial ran",
        };
        page.put(Paragraph::new(2, 2).text(Style::Plain, words))?;
    }
    for case in told.iter().take(limit) {
        tell(page, report, case, options)?;
    }
    and_more(page, 2, told.len().saturating_sub(limit), "case")
}

/// "… and 3 more cases; the JSON report lists them".
pub(super) fn and_more(page: &mut Page<'_>, indent: usize, left: usize, unit: &str) -> fmt::Result {
    if left == 0 {
        return Ok(());
    }
    let text = format!(
        "… and {}; the JSON report lists them",
        count(left as u64, &format!("more {unit}"))
    );
    page.put(Paragraph::new(indent, indent + 2).text(Style::Faint, text))
}

/// "a, b and 3 more"; absent without ids.
pub(crate) fn id_list(ids: &[&str]) -> Option<String> {
    let shown = ids.get(..MAX_IDS).unwrap_or(ids).join(", ");
    match ids.len() {
        0 => None,
        all if all <= MAX_IDS => Some(shown),
        all => Some(format!("{shown} and {} more", all - MAX_IDS)),
    }
}

fn needs_telling(case: &CaseReport, options: &StoryOptions<'_>) -> bool {
    let trials = &case.details.iterations;
    trials.iter().any(|trial| options.verbose || !is_healthy(trial))
}

/// A case's trials, those with the same story together.
fn tell(
    page: &mut Page<'_>,
    report: &RunReport,
    case: &CaseReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    let (word, style) = verdict_word(case.details.verdict);
    page.put(
        Paragraph::new(2, 8)
            .atom(style, word, 5)
            .atom(Style::Strong, case.id.clone(), 0)
            .text(Style::Plain, format!("· {}", case.title)),
    )?;
    let configured = Tally::of_case(case, configuration(report, case)).configured;
    let stories = stories(page, report, case, options)?;
    let limit = if options.verbose { usize::MAX } else { MAX_STORIES };
    for story in stories.iter().take(limit) {
        let which = format!("{} of {configured}: {}", trial_list(&story.trials), story.what);
        page.put(Paragraph::new(4, 6).text(Style::Strong, which))?;
        page.laid_out(&story.lines)?;
    }
    let left = stories.iter().skip(limit).map(|story| story.trials.len()).sum();
    and_more(page, 4, left, "trial")
}

/// What several trials of a case have in common.
struct Story {
    trials: Vec<u32>,
    what: String,
    lines: String,
}

fn stories(
    page: &Page<'_>,
    report: &RunReport,
    case: &CaseReport,
    options: &StoryOptions<'_>,
) -> Result<Vec<Story>, fmt::Error> {
    let mut stories: Vec<Story> = Vec::new();
    let shown = |trial: &&TrialReport| options.verbose || !is_healthy(trial);
    for trial in case.details.iterations.iter().filter(shown) {
        let mut lines = String::new();
        let told = setup::quoted(report);
        trial::write(&mut Page::new(&mut lines, page.look()), trial, told, options)?;
        let what = trial::what_happened(trial);
        match stories.iter_mut().find(|story| story.what == what && story.lines == lines) {
            Some(same) => same.trials.push(trial.iteration_number),
            None => stories.push(Story { trials: vec![trial.iteration_number], what, lines }),
        }
    }
    Ok(stories)
}
