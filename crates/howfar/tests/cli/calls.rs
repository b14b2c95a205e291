//! What the model does with its tools: several calls at once, broken arguments, tools that are not allowed or not there.

use howfar_testkit::hostile::{self, Mode};
use serde_json::Value;

use crate::support::{Bench, only_trial, stage};

fn run(cases: &str, script: &str) -> (Option<i32>, Value) {
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", cases);
    let output = bench.script(script).run(&[]);
    (output.code, output.json())
}

#[test]
fn parallel_calls_of_one_turn_are_all_recorded_and_matched() {
    let cases = "\
  - id: c_two
    title: Two at once
    steps:
      - { id: p, kind: prompt, prompt: go }
      - { id: a, kind: assert, assertion: { type: toolCalledWith, toolName: echo, args: { args: { text: one } } } }
      - { id: b, kind: assert, assertion: { type: toolCalledWith, toolName: echo, args: { args: { text: two } } } }
";
    let script = "\
scripts:
  - turns:
      - calls:
          - { tool: echo, arguments: { text: one } }
          - { tool: echo, arguments: { text: two } }
      - say: done
";
    let (code, report) = run(cases, script);
    assert_eq!(code, Some(0), "{report}");
    let trial = only_trial(&report);
    assert_eq!(trial["toolCalls"].as_array().map(Vec::len), Some(2));
    assert_eq!(trial["turns"][0]["missing"], Value::Array(Vec::new()));
}

#[test]
fn arguments_that_are_no_json_fail_their_trial_only() {
    let cases = "\
  - id: c_call
    title: Calls
    iterations: 3
    steps: [ { id: p, kind: prompt, prompt: go } ]
    assertions: [ { type: responseContains, needle: done } ]
";
    let script = "\
scripts:
  - when: { trials: [2] }
    turns:
      - call: { tool: echo, argumentsText: '{\"text\": ' }
      - say: done
  - turns:
      - call: { tool: echo, arguments: { text: hi } }
      - say: done
";
    let (code, report) = run(cases, script);
    assert_eq!(code, Some(1), "{report}");
    let trials = &report["cases"][0]["details"]["iterations"];
    let verdicts: Vec<_> = (0..3).map(|at| trials[at]["taskVerdict"].clone()).collect();
    assert_eq!(verdicts, ["passed", "failed", "passed"]);
    assert_eq!(stage(&trials[1], 3), ("failed", "argumentMismatch"));
    assert_eq!(trials[1]["failureCategory"], "arguments");
    assert_eq!(trials[1]["toolCalls"][0]["rawArguments"], "{\"text\": ");
}

#[test]
fn a_json_text_in_place_of_an_object_is_named_in_the_row() {
    let cases = "\
  - id: c_call
    title: Calls
    steps: [ { id: p, kind: prompt, prompt: go } ]
";
    let script = "\
scripts:
  - turns:
      - call: { tool: echo, argumentsText: '\"{\\\"text\\\": 1}\"' }
      - say: done
";
    let (_, report) = run(cases, script);
    let row = &only_trial(&report)["stageResults"][3];
    assert_eq!(row["state"], "failed");
    let reason = row["evidence"]["predicateReasons"][0].to_string();
    assert!(reason.contains("a JSON string instead of an object"), "{reason}");
}

#[test]
fn a_denied_tool_is_never_called_and_no_tool_error() {
    let bench = Bench::new(
        &[("server", hostile::command(Mode::Ok))],
        "scripted/script",
        "  - id: c_call\n    title: Calls\n    steps: [ { id: p, kind: prompt, prompt: go } ]\n\
         \x20   assertions: [ { type: noToolErrors }, { type: toolNeverCalled, toolName: echo } ]\n",
    );
    let suite = bench
        .home
        .read("suite.yaml")
        .replace("validity: {}", "validity: {}, toolPolicy: { mode: default, deny: [echo] }");
    bench.home.write("suite.yaml", &suite);
    let script = "scripts: [ { turns: [ { call: { tool: echo, arguments: { text: hi } } }, { say: done } ] } ]";
    let output = bench.script(script).run(&[]);
    let report = output.json();
    assert_eq!(output.code, Some(0), "{report}");
    let blocks = &report["metadata"]["toolPolicy"]["blocks"];
    assert_eq!(
        (blocks[0]["toolName"].as_str(), blocks[0]["reason"].as_str()),
        (Some("echo"), Some("denyList"))
    );
}

#[test]
fn a_denied_name_that_matches_no_tool_refuses_the_run() {
    let bench = Bench::new(
        &[("server", hostile::command(Mode::Ok))],
        "scripted/script",
        "  - id: c_call\n    title: Calls\n    steps: [ { id: p, kind: prompt, prompt: go } ]\n",
    );
    let suite = bench
        .home
        .read("suite.yaml")
        .replace("validity: {}", "validity: {}, toolPolicy: { mode: default, deny: [eccho] }");
    bench.home.write("suite.yaml", &suite);
    let output = bench.script("scripts: [ { turns: [ { say: done } ] } ]").run(&[]);
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("eccho"), "{}", output.stderr);
}

#[test]
fn a_tool_that_no_server_has_breaks_the_call_and_the_trial_goes_on() {
    let cases = "\
  - id: c_call
    title: Calls
    steps: [ { id: p, kind: prompt, prompt: go } ]
    assertions: [ { type: responseContains, needle: done } ]
";
    let script =
        "scripts: [ { turns: [ { call: { tool: nowhere, arguments: {} } }, { say: done } ] } ]";
    let (code, report) = run(cases, script);
    assert_eq!(code, Some(0), "{report}");
    let error = only_trial(&report)["toolCalls"][0]["error"].to_string();
    assert!(
        error.contains("no server advertises a tool named") && error.contains("echo"),
        "{error}"
    );
}

#[test]
fn junit_has_a_failure_only_for_a_measured_failure() {
    let cases = "\
  - id: c_good
    title: Good
    steps: [ { id: p, kind: prompt, prompt: good } ]
    assertions: [ { type: responseContains, needle: done } ]
  - id: c_bad
    title: Bad
    steps: [ { id: p, kind: prompt, prompt: bad } ]
    assertions: [ { type: responseContains, needle: done } ]
  - id: c_down
    title: Down
    steps: [ { id: p, kind: prompt, prompt: down } ]
    assertions: [ { type: responseContains, needle: done } ]
";
    let script = "\
scripts:
  - { when: { user: good }, turns: [ { say: done } ] }
  - { when: { user: bad }, turns: [ { say: sorry } ] }
  - { when: { user: down }, turns: [ { error: unavailable } ] }
";
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", cases)
        .script(script);
    let output = bench.run(&["--reporter", "junit", "--quiet"]);
    let report = quick_junit::Report::deserialize_from_str(&output.stdout).expect("JUnit XML");
    assert_eq!((report.tests, report.failures), (3, 1));
    assert!(output.stdout.contains("<skipped"), "{}", output.stdout);
    assert_eq!(output.code, Some(5), "{}", output.stderr);
}
