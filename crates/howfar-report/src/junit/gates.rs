//! JUnit XML of comparisons and gates (suite and runner, section D7; run-documents 9.5).
//!
//! A case fails only when it regressed. A gate that is not decided is an `<error>`: a command that does not end with 0
//! always has a red row, and a `<failure>` still stands for a measured failure alone.

use std::fmt;

use howfar_wire::compare::{Classification, CompareReport, CompareRow};
use howfar_wire::gate::{GateStatus, GateVerdict, GatedVerdict, RunGate};
use howfar_wire::vocabulary::Vocabulary as _;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{JunitError, class_name, legal, milliseconds};
use crate::text::sanitize;

/// Writes a comparison as JUnit XML: one test case per case, and a last one for the gates. `human` becomes `system-out`.
///
/// # Errors
///
/// [`JunitError`] when the document cannot be serialized or `out` takes no more text.
pub fn render_compare_junit(
    report: &CompareReport,
    human: &str,
    out: &mut dyn fmt::Write,
) -> Result<(), JunitError> {
    let document = &report.metadata.compare;
    let mut suite = TestSuite::new(&report.kind);
    suite.set_time(milliseconds(report.duration_ms));
    let blockers: Vec<_> =
        report.metadata.parity_blockers.iter().map(|blocker| blocker.as_str()).collect();
    for (name, value) in [
        ("verdict", report.verdict.as_str()),
        ("baseRun", document.base_run.id.as_str()),
        ("compareRun", document.compare_run.id.as_str()),
        ("parityBlockers", &blockers.join(" ")),
        ("unit", "case"),
    ] {
        suite.add_property((name, sanitize(value).as_ref()));
    }
    for row in &report.cases {
        suite.add_test_case(compare_case(&report.kind, report.verdict, row));
    }
    write(suite, human, out)
}

/// Writes the gates of a run as JUnit XML: one test case per gate. `human` becomes `system-out`.
///
/// # Errors
///
/// [`JunitError`] when the document cannot be serialized or `out` takes no more text.
pub fn render_gate_junit(
    gate: &RunGate,
    human: &str,
    out: &mut dyn fmt::Write,
) -> Result<(), JunitError> {
    let mut suite = TestSuite::new(&gate.kind);
    for (name, value) in [
        ("verdict", gate.verdict.as_str()),
        ("run", gate.run_id.as_str()),
        ("runVerdict", gate.run_verdict.as_str()),
        ("suite", gate.suite_id.as_str()),
        ("unit", "gate"),
    ] {
        suite.add_property((name, sanitize(value).as_ref()));
    }
    for verdict in &gate.gates.verdicts {
        let mut case = TestCase::new(sanitize(&verdict.gate).as_ref(), gate_status(verdict));
        case.set_classname(class_name(&gate.kind, "gate"));
        suite.add_test_case(case);
    }
    write(suite, human, out)
}

fn write(mut suite: TestSuite, human: &str, out: &mut dyn fmt::Write) -> Result<(), JunitError> {
    suite.set_system_out(legal(human));
    let mut document = Report::new(suite.name.as_str());
    document.add_test_suite(suite);
    Ok(out.write_str(&document.to_string()?)?)
}

fn compare_case(kind: &str, verdict: GatedVerdict, row: &CompareRow) -> TestCase {
    let status = match (row.passed, row.classification) {
        (false, Classification::Breaking) => red(NonSuccessKind::Failure, row, "measuredFailure"),
        (false, Classification::NonBreaking | Classification::Informational) => {
            red(NonSuccessKind::Error, row, verdict.as_str())
        }
        (true, Classification::Breaking | Classification::NonBreaking) => TestCaseStatus::success(),
        (true, Classification::Informational) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("informational: {}", row.category));
            status
        }
    };
    let name = row.title.as_deref().unwrap_or(&row.id);
    let mut case = TestCase::new(sanitize(name).as_ref(), status);
    case.set_classname(class_name(kind, &row.category));
    case
}

fn red(kind: NonSuccessKind, row: &CompareRow, name: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    status.set_message(sanitize(row.error.as_deref().unwrap_or(&row.category)).into_owned());
    status
}

fn gate_status(verdict: &GateVerdict) -> TestCaseStatus {
    let (kind, name) = match verdict.status {
        GateStatus::Passed => return TestCaseStatus::success(),
        GateStatus::Waived => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(sanitize(&verdict.message).into_owned());
            return status;
        }
        GateStatus::Failed => (NonSuccessKind::Failure, "measuredFailure"),
        GateStatus::NonGateable | GateStatus::UsageError => {
            (NonSuccessKind::Error, verdict.status.as_str())
        }
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    status.set_message(sanitize(&verdict.message).into_owned());
    status
}
