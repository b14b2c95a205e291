//! Servers that break a rule: the chain says where, and nothing of it reads as a failure of the model.

use howfar_testkit::hostile::{self, Mode};
use howfar_testkit::program::ProgramSpec;
use serde_json::Value;

use crate::support::{Bench, only_trial, stage};

const ECHO: &str = "\
  - id: c_echo
    title: Echo
    steps:
      - { id: p, kind: prompt, prompt: say hello }
      - { id: r, kind: assert, assertion: { type: toolCalledWith, toolName: echo, args: { args: {} } } }
    assertions: [ { type: responseContains, needle: done } ]
";

const ECHO_SCRIPT: &str = "\
scripts:
  - turns:
      - call: { tool: echo, arguments: { text: hello } }
      - say: done
";

fn report(mode: Mode, args: &[&str]) -> (Option<i32>, Value, String) {
    let bench = Bench::new(&[("server", hostile::command(mode))], "scripted/script", ECHO)
        .script(ECHO_SCRIPT);
    let output = bench.run(args);
    (output.code, output.json(), output.stderr)
}

fn issues(report: &Value) -> String {
    report["metadata"]["issues"].to_string()
}

#[test]
fn a_good_server_passes() {
    let (code, report, stderr) = report(Mode::Ok, &[]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(report["verdict"], "passed");
}

#[test]
fn a_banner_is_quoted_when_the_connection_fails() {
    let (code, report, _) = report(Mode::Banner, &[]);
    assert_eq!(code, Some(4));
    assert_eq!(report["metadata"]["execution"]["servers"][0]["connection"], "failed");
    let error = report["metadata"]["execution"]["servers"][0]["error"].to_string();
    assert!(error.contains("standard output") && error.contains("began with"), "{error}");
}

#[test]
fn noise_before_json_is_a_finding_and_the_run_goes_on() {
    let (code, report, stderr) = report(Mode::Noise, &[]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(issues(&report).contains("CATALOG_FINDING"), "{}", issues(&report));
}

#[test]
fn a_result_without_an_id_is_a_finding_and_the_run_goes_on() {
    let (code, report, stderr) = report(Mode::NullId, &[]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(issues(&report).contains("does not carry the request's id"), "{}", issues(&report));
}

#[test]
fn a_result_that_is_too_deep_is_not_called_invalid_json() {
    let (_, report, _) = report(Mode::Deep, &[]);
    let trial = only_trial(&report).to_string();
    assert!(trial.contains("nests deeper than 127 levels"), "{trial}");
    assert_eq!(stage(only_trial(&report), 3).0, "failed");
}

#[test]
fn a_process_that_dies_quotes_its_standard_error() {
    let (code, report, _) = report(Mode::Exit, &[]);
    assert_eq!(code, Some(4));
    assert_eq!(stage(only_trial(&report), 0), ("failed", "connectFailed"));
    let error = report["metadata"]["execution"]["servers"][0]["error"].to_string();
    assert!(error.contains("Traceback"), "{error}");
}

#[test]
fn a_command_that_does_not_exist_is_one_clear_message() {
    let missing = ProgramSpec::new("no-such-program-anywhere");
    let bench = Bench::new(&[("server", missing)], "scripted/script", ECHO).script(ECHO_SCRIPT);
    let output = bench.run(&["--format", "human"]);
    assert_eq!(output.code, Some(4));
    assert!(output.stdout.contains("no-such-program-anywhere"), "{}", output.stdout);
    assert!(output.stdout.contains("was not found"), "{}", output.stdout);
}

#[test]
fn a_server_that_never_answers_ends_with_the_setup_clock() {
    let server = hostile::command(Mode::Hang).arg("initialize");
    let bench = Bench::new(&[("server", server)], "scripted/script", ECHO).script(ECHO_SCRIPT);
    let output = bench.run(&["--setup-timeout", "1500"]);
    assert_eq!(output.code, Some(4));
    let report = output.json();
    let error = report["metadata"]["execution"]["servers"][0]["error"].to_string();
    assert!(error.contains("1.5 s") && error.contains("setup timeout"), "{error}");
}

#[test]
fn a_call_that_never_ends_is_cut_by_the_trials_clock_which_is_named() {
    let bench = Bench::new(&[("server", hostile::command(Mode::Hang))], "scripted/script", ECHO)
        .script(ECHO_SCRIPT);
    let output = bench.run(&["--iteration-timeout", "700"]);
    let report = output.json();
    let trial = only_trial(&report);
    assert_eq!((output.code, trial["status"].as_str()), (Some(5), Some("timed_out")));
    assert_eq!(trial["error"], "the trial did not end within 0.7 s (iteration timeout)");
    assert_eq!(stage(trial, 3), ("notMeasured", "lifecycleStopped"));
}

#[test]
fn a_listing_that_answers_401_fails_discovery_with_the_status_in_the_row() {
    let peer = hostile::http();
    let bench =
        Bench::over_http(&peer.url("/list401"), "scripted/script", ECHO).script(ECHO_SCRIPT);
    let output = bench.run(&[]);
    assert_eq!(output.code, Some(4), "{}", output.stderr);
    let report = output.json();
    let trial = only_trial(&report);
    assert_eq!(stage(trial, 0), ("passed", "observed"));
    assert_eq!(stage(trial, 1), ("failed", "toolsListFailed"));
    assert_eq!(stage(trial, 2), ("notReached", "earlierStageFailed"));
    assert!(
        trial["stageResults"][1]["evidence"]["predicateReasons"][0].to_string().contains("401")
    );
}

#[test]
fn a_cursor_that_repeats_for_ever_leaves_the_unique_tools() {
    let (code, report, stderr) = report(Mode::Loop, &[]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(issues(&report).contains("cursor"), "{}", issues(&report));
}

#[test]
fn a_tool_with_a_text_for_a_schema_is_set_aside_by_name() {
    let (code, report, stderr) = report(Mode::StrSchema, &[]);
    assert_eq!(code, Some(0), "{stderr}");
    let server = &report["metadata"]["execution"]["servers"][0];
    assert_eq!(server["quarantined"].as_array().map(Vec::len), Some(1), "{server}");
}

#[test]
fn an_empty_server_is_a_setup_finding_and_never_a_selection_failure() {
    let servers =
        [("good", hostile::command(Mode::Ok)), ("empty", hostile::command(Mode::NoTools))];
    let cases = ECHO.replace("toolName: echo", "toolName: only_there");
    let bench = Bench::new(&servers, "scripted/script", &cases).script(ECHO_SCRIPT);
    let output = bench.run(&[]);
    let report = output.json();
    assert_eq!(output.code, Some(4), "{}", output.stderr);
    assert!(
        issues(&report).contains("\\\"empty\\\" advertises no usable tool"),
        "{}",
        issues(&report)
    );
    assert_eq!(only_trial(&report)["firstFailedStage"], "discovery");
}

#[test]
fn a_check_that_needs_a_tool_of_an_empty_server_is_no_selection_failure() {
    let servers =
        [("good", hostile::command(Mode::Ok)), ("empty", hostile::command(Mode::NoTools))];
    for kind in ["toolCalledAtLeastOnce", "firstToolWas"] {
        let check = format!("{{ type: {kind}, toolName: only_there }}");
        let cases = ECHO.replace("{ type: responseContains, needle: done }", &check);
        let output = Bench::new(&servers, "scripted/script", &cases).script(ECHO_SCRIPT).run(&[]);
        assert_eq!(output.code, Some(4), "{kind}: {}", output.stderr);
        assert_eq!(only_trial(&output.json())["firstFailedStage"], "discovery", "{kind}");
    }
}
