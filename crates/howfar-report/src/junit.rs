//! JUnit XML: one test case per case of the suite (suite and runner, section D7).
//!
//! `<failure>` stands only for a measured failure. A case that was not measured well enough, or did not run, is
//! `<skipped>`: an outage of a provider never turns a pipeline red.

mod gates;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use howfar_wire::report::{CaseReport, RunMetadata, RunReport};
use howfar_wire::vocabulary::{CaseVerdict, Vocabulary as _};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::places::first_failed_places;
use crate::tally::{Tally, configuration};
use crate::text::{percent, sanitize};
pub use gates::{render_compare_junit, render_gate_junit};

/// Why JUnit XML could not be written.
#[derive(Debug, thiserror::Error)]
pub enum JunitError {
    /// The XML writer refused the document.
    #[error("cannot serialize the JUnit document")]
    Serialize(#[from] quick_junit::SerializeError),
    /// The target took no more text.
    #[error("cannot write the JUnit document")]
    Write(#[from] fmt::Error),
}

/// Writes a run as JUnit XML. `human` is the story of the same run, without colours; it becomes `system-out`.
///
/// Counts are cases; times are seconds with three decimals. Characters that XML 1.0 forbids never reach the document.
///
/// # Errors
///
/// [`JunitError`] when the document cannot be serialized or `out` takes no more text.
pub fn render_junit(
    report: &RunReport,
    human: &str,
    out: &mut dyn fmt::Write,
) -> Result<(), JunitError> {
    let time = milliseconds(report.duration_ms);
    let mut suite = TestSuite::new(&report.kind);
    suite.set_time(time);
    for (name, value) in properties(report) {
        suite.add_property((name, sanitize(&value).as_ref()));
    }
    for case in &report.cases {
        suite.add_test_case(test_case(report, case));
    }
    suite.set_system_out(legal(human));
    let mut document = Report::new(&report.kind);
    document.set_time(time);
    document.add_test_suite(suite);
    Ok(out.write_str(&document.to_string()?)?)
}

/// What a reader of the document needs to judge the counts.
fn properties(report: &RunReport) -> Vec<(&'static str, String)> {
    let metadata = &report.metadata;
    let execution = &metadata.execution;
    let mut properties = vec![
        ("execution", execution.mode.clone()),
        ("engine", execution.engine.clone()),
        ("host", "none".to_owned()),
        ("scripted", execution.scripted.to_string()),
        ("verdictAuthority", metadata.verdict_authority.clone()),
        ("verdict", metadata.verdict.as_str().to_owned()),
        ("termination", metadata.termination.as_str().to_owned()),
        ("complete", metadata.complete.to_string()),
        ("unit", metadata.population.unit.clone()),
        ("suite", metadata.suite.id.clone()),
        ("suiteSourceHash", metadata.suite.source_hash.clone()),
        ("judge", judge_property(metadata)),
        ("upload", if metadata.upload.requested { "on" } else { "off" }.to_owned()),
    ];
    let replayed = execution.replayed_from.as_ref();
    properties.extend(replayed.map(|folder| ("replayedFrom", folder.clone())));
    properties
}

/// Which judges graded: role and model of each, once; `none` without any.
fn judge_property(metadata: &RunMetadata) -> String {
    let asked = metadata.cases.iter().filter_map(|case| case.judge.as_ref());
    let asked = asked.filter(|judge| judge.skip_reason.is_none());
    let judges: BTreeSet<String> = asked
        .map(|judge| {
            let model = judge.model.as_deref().unwrap_or("no model");
            format!("{} {}", judge.role.as_str(), sanitize(model))
        })
        .collect();
    match judges.is_empty() {
        true => "none".to_owned(),
        false => judges.into_iter().collect::<Vec<_>>().join(", "),
    }
}

fn test_case(report: &RunReport, case: &CaseReport) -> TestCase {
    let tally = Tally::of_case(case, configuration(report, case));
    let counts = format!("{}; {} configured", tally.passed_of_gradeable(), tally.configured);
    let status = match case.details.verdict {
        CaseVerdict::Passed => TestCaseStatus::success(),
        CaseVerdict::Failed => measured_failure(report, case, &counts),
        CaseVerdict::Inconclusive => not_measured(format!("inconclusive: {counts}"), case),
        CaseVerdict::NotRun => not_measured("not run".to_owned(), case),
    };
    let mut test_case = TestCase::new(sanitize(&case.title).as_ref(), status);
    test_case.set_classname(class_name(&report.kind, &case.category));
    test_case.set_time(milliseconds(case.duration_ms));
    test_case
}

/// `howfar.<kind>.<category>` with other characters than `[a-zA-Z0-9_.-]` as `-`.
fn class_name(kind: &str, category: &str) -> String {
    let name = format!("howfar.{kind}.{category}");
    let allowed = |character: char| character.is_ascii_alphanumeric() || "_.-".contains(character);
    name.chars().map(|character| if allowed(character) { character } else { '-' }).collect()
}

fn measured_failure(report: &RunReport, case: &CaseReport, counts: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let threshold = configuration(report, case)
        .map(|known| format!("; needs {}", percent(known.pass_threshold)))
        .unwrap_or_default();
    status.set_message(format!("{counts}{threshold}"));
    status.set_type("measuredFailure");
    status.set_description(failed_trials(case));
    status
}

/// One line per place where the chain broke first, with the trials that broke there.
fn failed_trials(case: &CaseReport) -> String {
    let places = first_failed_places(case);
    places.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn not_measured(words: String, case: &CaseReport) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(match &case.error {
        Some(error) => format!("{words}; first error: {}", sanitize(error)),
        None => words,
    });
    status
}

/// Lines of our own text with everything else made visible.
fn legal(text: &str) -> String {
    text.lines().map(sanitize).collect::<Vec<_>>().join("\n")
}

/// Milliseconds as a duration; zero for what is no duration.
fn milliseconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value / 1000.0).unwrap_or_default()
}

#[cfg(test)]
mod tests;
