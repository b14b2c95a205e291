//! Small inputs from public reports, each with the right value.

use howfar_testkit::hostile::{self, Mode};
use serde_json::Value;

use crate::support::Bench;

fn run(iterations: u32, checks: &str, script: &str) -> (Option<i32>, Value) {
    let cases = format!(
        "  - id: c_one\n    title: One\n    iterations: {iterations}\n\
         \x20   steps: [ {{ id: p, kind: prompt, prompt: go }} ]\n    assertions: [ {checks} ]\n"
    );
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", &cases);
    let output = bench.script(script).run(&[]);
    (output.code, output.json())
}

#[test]
fn three_rate_limits_of_twenty_trials_leave_a_denominator_of_seventeen() {
    let script = "\
scripts:
  - { when: { trials: [3, 9, 14] }, turns: [ { error: rateLimited } ] }
  - { turns: [ { say: done } ] }
";
    let (code, report) = run(20, "{ type: responseContains, needle: done }", script);
    let case = &report["metadata"]["decision"]["cases"][0];
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(
        (case["eligibleTrials"].as_u64(), case["passRate"]["denominator"].as_u64()),
        (Some(17), Some(17))
    );
    assert_eq!(case["passRate"]["exclusions"]["executionFailed"], 3);
    let refused = report["cases"][0]["details"]["iterations"].as_array().into_iter().flatten();
    assert_eq!(refused.filter(|trial| trial["refusal"] == "rateLimited").count(), 3);
}

/// The signals of the only trial, by kind, with how often each was seen.
fn signals(script: &str) -> Vec<(String, usize)> {
    let (_, report) = run(1, "{ type: finalAssistantMessageNonEmpty }", script);
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
    assert_eq!(signals(&script), [("identicalRetry".to_owned(), 4)]);
}

#[test]
fn ten_changed_filters_are_changed_retries() {
    let script = calls((0..10).map(|at| format!("{{ text: \"filter {at}\" }}")));
    assert_eq!(signals(&script), [("changedRetry".to_owned(), 9)]);
}

#[test]
fn three_cursor_pages_are_pages_and_no_retry() {
    let script = calls((0..3).map(|at| format!("{{ text: list, cursor: \"page {at}\" }}")));
    assert_eq!(signals(&script), [("paginationContinuation".to_owned(), 2)]);
}
