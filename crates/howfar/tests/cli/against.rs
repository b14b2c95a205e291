//! `howfar check FILE --against CONFIG`: a suite held against the servers that it names.

use howfar_testkit::home::Output;
use howfar_testkit::hostile::{self, Mode};
use serde_json::Value;

use crate::support::{Bench, howfar};

/// One case that says everything right, for the scripted server with the tools `echo` and `add`.
const RIGHT: &str = "\
  - id: c_one
    title: One
    steps:
      - { id: p, kind: prompt, prompt: say hello }
      - { id: r, kind: assert, assertion: { type: toolCalledWith, toolName: echo, args: { args: { text: any } } } }
      - { id: t, kind: toolCall, serverName: server, toolName: echo, arguments: { text: hello } }
    assertions: [ { type: toolNeverCalled, toolName: add } ]
";

fn check(cases: &str, mode: Mode, args: &[&str]) -> Output {
    let bench = Bench::new(&[("server", hostile::command(mode))], "scripted/script", cases);
    check_in(&bench, args)
}

fn check_in(bench: &Bench, args: &[&str]) -> Output {
    let all = ["check", "suite.yaml", "--against", ".mcp.json"];
    bench.home.invoke(howfar()).args(all.into_iter().chain(args.iter().copied())).run()
}

/// Code and pointer of each finding.
fn found(output: &Output, list: &str) -> Vec<String> {
    let document = output.json();
    let findings = document["against"][list].as_array().cloned().unwrap_or_default();
    let line = |it: &Value| format!("{} {}", it["code"], it["pointer"]).replace('"', "");
    findings.iter().map(line).collect()
}

#[test]
fn a_suite_that_fits_its_server_exits_0() {
    let output = check(RIGHT, Mode::Ok, &[]);
    assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
    assert_eq!(output.json()["against"]["servers"][0]["tools"], 2);
    assert_eq!(found(&output, "findings"), Vec::<String>::new());
}

#[test]
fn every_disagreement_comes_at_once_with_its_place() {
    let cases = "\
  - id: c_one
    title: One
    steps:
      - { id: p, kind: prompt, prompt: say hello }
      - { id: r, kind: assert, assertion: { type: toolCalledWith, toolName: ehco, args: { args: {} } } }
      - { id: s, kind: assert, assertion: { type: toolCalledWith, toolName: echo, args: { args: { text: 5 } } } }
      - { id: t, kind: toolCall, serverName: server, toolName: echo, arguments: {} }
      - { id: u, kind: toolCall, serverName: servr, toolName: echo, arguments: {} }
    assertions: [ { type: toolNeverCalled, toolName: wipe } ]
";
    let output = check(cases, Mode::Ok, &[]);
    assert_eq!(output.code, Some(1), "{}{}", output.stdout, output.stderr);
    assert_eq!(
        found(&output, "findings"),
        [
            "TOOL_UNKNOWN cases[0].steps[1].assertion.toolName",
            "ARGUMENTS_MISMATCH cases[0].steps[2].assertion.args.args",
            "ARGUMENTS_MISMATCH cases[0].steps[3].arguments",
            "SERVER_UNKNOWN cases[0].steps[4].serverName",
        ]
    );
    assert_eq!(found(&output, "warnings"), ["TOOL_UNKNOWN cases[0].assertions[0].toolName"]);
    let document = output.json();
    let first = &document["against"]["findings"][0];
    assert!(first["message"].to_string().contains("did you mean \\\"echo\\\"?"), "{first}");
    assert_eq!(first["location"]["line"], 12, "{first}");
}

#[test]
fn a_name_that_nobody_needs_fails_only_when_strict() {
    let cases = RIGHT.replace("toolName: add", "toolName: ad");
    assert_eq!(check(&cases, Mode::Ok, &[]).code, Some(0));
    assert_eq!(check(&cases, Mode::Ok, &["--strict"]).code, Some(1));
}

#[test]
fn a_server_that_the_configuration_does_not_know_is_a_finding() {
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", RIGHT);
    bench.home.write(".mcp.json", r#"{"mcpServers":{"servers":{"command":"x"}}}"#);
    let output = check_in(&bench, &[]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert_eq!(found(&output, "findings"), ["SERVER_UNKNOWN target.servers[0].name"]);
    assert!(output.stdout.contains("did you mean"), "{}", output.stdout);
}

#[test]
fn a_server_that_cannot_be_listed_exits_4_and_blames_no_name() {
    let output = check(RIGHT, Mode::Exit, &[]);
    assert_eq!(output.code, Some(4), "{}", output.stdout);
    assert_eq!(found(&output, "findings"), Vec::<String>::new());
    let error = output.json()["against"]["servers"][0]["error"].to_string();
    assert!(error.contains("exited with code 1"), "{error}");
}

#[test]
fn a_configuration_that_is_not_there_exits_4() {
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", RIGHT);
    let args = ["check", "suite.yaml", "--against", "nowhere.json"];
    let output = bench.home.invoke(howfar()).args(args).run();
    assert_eq!(output.code, Some(4));
    assert!(output.stderr.contains("nowhere.json"), "{}", output.stderr);
}

#[test]
fn a_person_reads_the_line_of_the_file_and_what_the_servers_said() {
    let cases = RIGHT.replace("toolName: echo, args", "toolName: ecko, args");
    let output = check(&cases, Mode::Ok, &["--format", "human"]);
    assert_eq!(output.code, Some(1));
    for part in ["TOOL_UNKNOWN", "toolName: ecko", "server: 2 tools", "nothing was called"] {
        assert!(output.stdout.contains(part), "no {part} in\n{}", output.stdout);
    }
}

#[test]
fn an_unusable_schema_is_a_warning_about_the_server() {
    let cases =
        RIGHT.replace("toolName: echo, arguments: { text: hello }", "toolName: add, arguments: {}");
    let output = check(&cases, Mode::InvalidSchema, &[]);
    assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
    assert_eq!(found(&output, "warnings"), ["ARGUMENTS_UNCHECKED cases[0].steps[2].arguments"]);
}
