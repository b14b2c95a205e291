//! The rows of a trial's scorecard that its graders write (suite and runner, sections F1 and F2).

use howfar_wire::matching::CaseMatch;
use howfar_wire::predicate::PredicateRow;
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role, ScorecardRow};
use howfar_wire::vocabulary::{Grader, Vocabulary as _};

use super::{GradeContext, Grades};
use crate::case::{CaseCheck, PlannedCase};

/// What every grader of the trial found, in authored order. Reasons may quote what a server sent, so secrets go.
pub(super) fn checks(context: GradeContext<'_>, grades: &Grades) -> Vec<ScorecardRow> {
    let case = context.case;
    let mut rows = Vec::new();
    if case.has_route() {
        rows.extend(route_rows(case, grades.route.found.as_ref()));
    }
    rows.extend(grades.argument_faults.iter().map(fault_row));
    let checked = case.checks.iter().zip(&grades.rows);
    rows.extend(checked.map(|(check, row)| check_row(check, row.as_ref())));
    for row in &mut rows {
        row.reason = context.redactor.text(&row.reason);
    }
    rows
}

/// The matcher's two rows: which tools were called, and how the expected ones were.
fn route_rows(case: &PlannedCase, found: Option<&CaseMatch>) -> Vec<ScorecardRow> {
    let Some(found) = found else {
        let reason = "the trial never came to a turn";
        return vec![route_row(
            Grader::ToolCallsMatch,
            CheckOutcome::NotMeasured,
            reason.to_owned(),
        )];
    };
    let names = |calls: &[howfar_wire::transcript::ToolCall]| {
        calls.iter().map(|call| call.tool_name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if case.is_negative_test {
        let called = names(&found.unexpected);
        let (outcome, reason) = if called.is_empty() {
            (CheckOutcome::Passed, "no tool was called".to_owned())
        } else {
            (CheckOutcome::Failed, format!("no tool may be called, and {called} was"))
        };
        return vec![route_row(Grader::ToolCallsMatch, outcome, reason)];
    }
    let missing = names(&found.missing);
    let matched = if missing.is_empty() {
        (CheckOutcome::Passed, "every expected tool was called".to_owned())
    } else {
        (CheckOutcome::Failed, format!("missing {missing}"))
    };
    let mismatches: Vec<_> =
        found.argument_mismatches.iter().map(|mismatch| mismatch.tool_name.as_str()).collect();
    let compared = found.expected_tool_calls.len() > found.missing.len();
    let arguments = match (mismatches.is_empty(), compared) {
        (false, _) => {
            (CheckOutcome::Failed, format!("argument mismatch on {}", mismatches.join(", ")))
        }
        (true, true) => (CheckOutcome::Passed, "the arguments are as expected".to_owned()),
        (true, false) => (CheckOutcome::NotMeasured, "no expected call was made".to_owned()),
    };
    vec![
        route_row(Grader::ToolCallsMatch, matched.0, matched.1),
        route_row(Grader::ToolCallsArguments, arguments.0, arguments.1),
    ]
}

fn route_row(grader: Grader, outcome: CheckOutcome, reason: String) -> ScorecardRow {
    ScorecardRow {
        stage: grader.stage(),
        check: grader.as_str().to_owned(),
        provenance: Provenance::Route,
        step: None,
        role: Some(Role::Required),
        outcome,
        reason,
        expected: None,
        actual: None,
    }
}

/// A call whose arguments were no object fails the trial, whatever the case expects.
fn fault_row(row: &PredicateRow) -> ScorecardRow {
    route_row(Grader::ToolCallsArguments, CheckOutcome::Failed, row.reason.clone())
}

fn check_row(check: &CaseCheck, row: Option<&PredicateRow>) -> ScorecardRow {
    let (outcome, reason) = match row {
        None => (CheckOutcome::NotMeasured, "the trial ended before this check".to_owned()),
        Some(row) if row.is_error() => (CheckOutcome::Error, row.reason.clone()),
        Some(row) if row.passed => (CheckOutcome::Passed, row.reason.clone()),
        Some(row) => (CheckOutcome::Failed, row.reason.clone()),
    };
    ScorecardRow {
        stage: check.kind.stage(),
        check: check.kind.as_str().to_owned(),
        provenance: check.provenance,
        step: check.step,
        role: Some(if check.is_required() { Role::Required } else { Role::Advisory }),
        outcome,
        reason,
        expected: None,
        actual: None,
    }
}
