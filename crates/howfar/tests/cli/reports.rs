//! Small inputs from public reports, each with the right value.

use howfar_testkit::hostile::{self, Mode};
use serde_json::{Value, json};

use crate::support::{Bench, only_trial, stage};

fn run(mode: Mode, checks: &str, script: &str) -> (Option<i32>, Value) {
    let cases = format!(
        "  - id: c_one\n    title: One\n\
         \x20   steps: [ {{ id: p, kind: prompt, prompt: go }} ]\n    assertions: [ {checks} ]\n"
    );
    let bench = Bench::new(&[("server", hostile::command(mode))], "scripted/script", &cases);
    let output = bench.script(script).run(&[]);
    (output.code, output.json())
}

/// The signals of the only trial, by kind, with how often each was seen. They report: the trial passes.
fn signals(mode: Mode, script: &str) -> Vec<(String, usize)> {
    let (code, report) = run(mode, "{ type: noToolErrors }", script);
    assert_eq!((code, &report["verdict"]), (Some(0), &json!("passed")), "{report}");
    let friction = &report["friction"]["run"];
    assert_eq!((&friction["measuredTrialCount"], &friction["trialCount"]), (&json!(1), &json!(1)));
    let document = &report["cases"][0]["details"]["iterations"][0]["friction"];
    let mut counts: Vec<(String, usize)> = Vec::new();
    for signal in document["signals"].as_array().into_iter().flatten() {
        let kind = signal["kind"].as_str().unwrap_or_default().to_owned();
        match counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts
}

fn calls(arguments: impl Iterator<Item = String>) -> String {
    let turns: String = arguments
        .map(|arguments| format!("      - call: {{ tool: echo, arguments: {arguments} }}\n"))
        .collect();
    format!("scripts:\n  - turns:\n{turns}      - say: done\n")
}

#[test]
fn five_identical_calls_are_identical_retries() {
    let script = calls((0..5).map(|_| "{ text: same }".to_owned()));
    assert_eq!(signals(Mode::Ok, &script), [("identicalRetry".to_owned(), 4)]);
}

#[test]
fn five_empty_calls_with_other_results_are_identical_retries_too() {
    let script = calls((0..5).map(|_| "{}".to_owned()));
    assert_eq!(signals(Mode::Ticket, &script), [("identicalRetry".to_owned(), 4)]);
}

#[test]
fn ten_changed_filters_are_changed_retries() {
    let script = calls((0..10).map(|at| format!("{{ text: \"filter {at}\" }}")));
    assert_eq!(signals(Mode::Ok, &script), [("changedRetry".to_owned(), 9)]);
}

#[test]
fn three_cursor_pages_are_pages_and_no_retry() {
    let script = calls((0..3).map(|at| format!("{{ text: list, cursor: \"page {at}\" }}")));
    assert_eq!(signals(Mode::Ok, &script), [("paginationContinuation".to_owned(), 2)]);
}

/// What a check of the result against the declared `outputSchema` says, and what the response's row says.
fn schema_row(mode: Mode) -> (String, String, String) {
    let schema = "{ type: object, properties: { sum: { type: number } }, required: [sum] }";
    let check = format!("{{ type: toolResultMatchesSchema, schema: {schema} }}");
    let script = "\
scripts:
  - turns:
      - call: { tool: add, arguments: { a: 2, b: 3 } }
      - say: done
";
    let (_, report) = run(mode, &check, script);
    let trial = only_trial(&report);
    let rows = trial["scorecard"]["rows"].as_array().into_iter().flatten();
    let mut rows = rows.filter(|row| row["check"] == "toolResultMatchesSchema");
    let row = rows.next().expect("the check has a row");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&row["outcome"]), text(&row["reason"]), stage(trial, 4).1.to_owned())
}

fn check_schema_row(mode: Mode, outcome: &str, reason: &str, response: &str) {
    let row = schema_row(mode);
    assert_eq!((&*row.0, &*row.1, &*row.2), (outcome, reason, response));
}

#[test]
fn an_output_schema_without_structured_content_has_a_row_of_its_own() {
    let reason = "1/1 result(s) did not match: \"add\" result was not JSON";
    check_schema_row(Mode::TextOnly, "failed", reason, "predicateFailed");
}

#[test]
fn structured_content_of_another_type_names_the_place() {
    let reason = "1/1 result(s) did not match: \"add\" at #/sum: Instance type \"string\" is invalid. \
                  Expected \"number\".";
    check_schema_row(Mode::WrongType, "failed", reason, "predicateFailed");
}

#[test]
fn an_error_of_another_shape_is_a_tool_error_first() {
    let reason = "1/1 result(s) did not match: \"add\" at #: Instance does not have required property \
                  \"sum\".";
    check_schema_row(Mode::ErrShape, "failed", reason, "toolError");
}

#[test]
fn empty_content_beside_structured_content_holds() {
    let reason = "1 result(s) from any tool match the authored schema";
    check_schema_row(Mode::EmptyContent, "passed", reason, "observed");
}
