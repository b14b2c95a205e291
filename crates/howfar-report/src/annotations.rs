//! Annotations of a GitHub Actions job: one line per case, in the form of workflow commands (suite and runner, D8).
//!
//! Only a measured failure is an error. What was not measured is a notice: it never turns a page red.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use howfar_wire::report::{CaseReport, RunReport};
use howfar_wire::vocabulary::CaseVerdict;

use crate::places::first_failed_places;
use crate::tally::{Tally, configuration};
use crate::text::{clip, sanitize};

/// How many annotations of one kind a step shows.
const MAX_OF_A_KIND: usize = 10;

/// The most characters of one foreign text.
const MAX_CHARACTERS: usize = 200;

/// Where the cases of a run stand in the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CasePlaces {
    /// The suite file, from the root of the repository.
    pub file: String,
    /// The line of each case by its id, from 1; a case that is not here gets the file alone.
    pub lines: BTreeMap<String, usize>,
}

/// Writes one workflow command per case that failed or was not measured; what is beyond the ten of a kind that GitHub
/// shows is counted in the last one. `places` is absent when the suite file is not known.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_annotations(
    report: &RunReport,
    places: Option<&CasePlaces>,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    for (kind, verdicts) in KINDS {
        let of_kind = |case: &&CaseReport| verdicts.contains(&case.details.verdict);
        let cases: Vec<&CaseReport> = report.cases.iter().filter(of_kind).collect();
        let shown = if cases.len() > MAX_OF_A_KIND { MAX_OF_A_KIND - 1 } else { cases.len() };
        for case in &cases[..shown] {
            annotate(report, case, places, kind, out)?;
        }
        if let left @ 1.. = cases.len() - shown {
            let message = format!("{left} more cases: the summary of this job lists them");
            command(kind, &[("title", "howfar")], &message, out)?;
        }
    }
    Ok(())
}

/// The commands, and the verdicts of the cases that they speak of.
const KINDS: [(&str, &[CaseVerdict]); 2] = [
    ("error", &[CaseVerdict::Failed]),
    ("notice", &[CaseVerdict::Inconclusive, CaseVerdict::NotRun]),
];

fn annotate(
    report: &RunReport,
    case: &CaseReport,
    places: Option<&CasePlaces>,
    kind: &str,
    out: &mut dyn Write,
) -> fmt::Result {
    let line = places.and_then(|places| places.lines.get(&case.id)).map(usize::to_string);
    let title = format!("{}: {}", foreign(&case.id), foreign(&case.title));
    let mut properties = Vec::new();
    properties.extend(places.map(|places| ("file", places.file.as_str())));
    properties.extend(line.iter().map(|line| ("line", line.as_str())));
    properties.push(("title", &title));
    command(kind, &properties, &message(report, case), out)
}

fn message(report: &RunReport, case: &CaseReport) -> String {
    let tally = Tally::of_case(case, configuration(report, case));
    let mut lines = vec![match case.details.verdict {
        CaseVerdict::Passed | CaseVerdict::Failed => tally.passed_of_gradeable(),
        CaseVerdict::Inconclusive => format!("not measured: {}", tally.passed_of_gradeable()),
        CaseVerdict::NotRun => "not measured: not run".to_owned(),
    }];
    lines.extend(first_failed_places(case).iter().map(ToString::to_string));
    lines.extend(case.error.iter().map(|error| format!("first error: {}", foreign(error))));
    lines.join("\n")
}

fn foreign(text: &str) -> String {
    sanitize(&clip(text, MAX_CHARACTERS)).into_owned()
}

/// `::kind file=…,line=…::message`.
fn command(
    kind: &str,
    properties: &[(&str, &str)],
    message: &str,
    out: &mut dyn Write,
) -> fmt::Result {
    let pair = |(key, value): &(&str, &str)| format!("{key}={}", property(value));
    let properties: Vec<String> = properties.iter().map(pair).collect();
    writeln!(out, "::{kind} {}::{}", properties.join(","), data(message))
}

/// A message as a command carries it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property's value as a command carries it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use howfar_wire::report::TrialReport;
    use howfar_wire::vocabulary::{FailureCategory, IterationStatus, Stage, StageReason};

    use super::*;
    use crate::fixture::{broke, case, held, report, unmeasured};

    fn annotations(cases: Vec<CaseReport>, places: Option<&CasePlaces>) -> String {
        let mut out = String::new();
        render_annotations(&report(cases), places, &mut out).expect("a string takes text");
        out
    }

    fn wrong_tool() -> TrialReport {
        broke(Stage::Selection, StageReason::MissingToolCall, FailureCategory::Selection)
    }

    #[test]
    fn a_measured_failure_is_an_error_at_its_line() {
        let places = CasePlaces {
            file: "evals/a,b.yaml".to_owned(),
            lines: [("b".to_owned(), 12)].into_iter().collect(),
        };
        let cases = vec![case("a", "Finds", vec![held()]), case("b", "Books", vec![wrong_tool()])];
        assert_eq!(
            annotations(cases, Some(&places)),
            "::error file=evals/a%2Cb.yaml,line=12,title=b%3A Books::0 of 1 gradeable trial passed%0Atrial 1: first \
             failed link Selection, because an expected tool call was never made; next: review tool selection and \
             the tool catalog\n"
        );
    }

    #[test]
    fn what_was_not_measured_is_never_an_error() {
        let outage = unmeasured(IterationStatus::Failed, StageReason::ProviderError);
        let text =
            annotations(vec![case("c", "Cancels", vec![outage]), case("d", "D", vec![])], None);
        assert_eq!(
            text,
            "::notice title=c%3A Cancels::not measured: no gradeable trial\n\
             ::notice title=d%3A D::not measured: not run\n"
        );
    }

    #[test]
    fn hostile_text_stays_inside_its_command() {
        let title = "100 %\n::error::x,file=/etc:1 \u{1b}[31m##[error]";
        let text = annotations(vec![case("b", title, vec![wrong_tool()])], None);
        assert_eq!(text.lines().count(), 1, "{text}");
        let expected =
            "title=b%3A 100 %25\\n%3A%3Aerror%3A%3Ax%2Cfile=/etc%3A1 \\u{1b}[31m#\\u{23}[error]::";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn more_than_a_step_shows_are_counted() {
        let cases = (0..12).map(|at| case(&format!("c{at}"), "C", vec![wrong_tool()])).collect();
        let text = annotations(cases, None);
        assert_eq!(text.lines().count(), 10, "{text}");
        assert!(
            text.ends_with("title=howfar::3 more cases: the summary of this job lists them\n"),
            "{text}"
        );
    }
}
