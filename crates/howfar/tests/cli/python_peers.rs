//! Two Python servers, and a model server whose arguments are broken.

use howfar_testkit::peers;

use crate::support::{Bench, only_trial, stage};

#[test]
fn the_time_server_passes() {
    let Some(server) = peers::python("time") else { return };
    let cases = "\
  - id: c_time
    title: Converts a time
    steps:
      - { id: p, kind: prompt, prompt: what is noon UTC in UTC }
      - id: r
        kind: assert
        assertion: { type: toolCalledWith, toolName: convert_time, args: { args: { time: \"12:00\" } } }
    assertions: [ { type: noToolErrors }, { type: responseContains, needle: noon } ]
";
    let script = "\
scripts:
  - turns:
      - call: { tool: convert_time, arguments: { source_timezone: UTC, time: \"12:00\", target_timezone: UTC } }
      - say: It is noon.
";
    let output = Bench::new(&[("time", server)], "scripted/script", cases).script(script).run(&[]);
    assert_eq!(output.code, Some(0), "{}{}", output.stderr, output.stdout);
}

#[test]
fn the_sqlite_server_passes_without_a_model() {
    let Some(server) = peers::python("sqlite") else { return };
    let cases = "\
  - id: c_table
    title: Makes a table
    steps:
      - id: make
        kind: toolCall
        serverName: db
        toolName: create_table
        arguments: { query: CREATE TABLE t (a INTEGER) }
      - { id: list, kind: toolCall, serverName: db, toolName: list_tables, arguments: {} }
      - { id: a, kind: assert, assertion: { type: toolResultContains, needle: \"'t'\", toolName: list_tables } }
";
    let bench = Bench::new(&[], "scripted/none", cases);
    let file = bench.home.work().join("test.db");
    let server = server.arg("--db-path").arg_path(&file);
    let bench = Bench::new(&[("db", server)], "scripted/none", cases);
    let output = bench.run(&[]);
    assert_eq!(output.code, Some(0), "{}{}", output.stderr, output.stdout);
    let report = output.json();
    assert_eq!(stage(only_trial(&report), 2), ("notApplicable", "notAuthored"));
}

#[test]
fn an_unknown_argument_is_a_tool_error_at_the_response() {
    let Some(server) = peers::python("time") else { return };
    let cases = "\
  - id: c_time
    title: Converts a time
    steps: [ { id: p, kind: prompt, prompt: convert } ]
    assertions: [ { type: noToolErrors }, { type: toolCalledAtLeastOnce, toolName: convert_time } ]
";
    let script = "scripts: [ { turns: [ { call: { tool: convert_time, arguments: { time: noon } } }, { say: sorry } ] } ]";
    let output = Bench::new(&[("time", server)], "scripted/script", cases).script(script).run(&[]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let report = output.json();
    assert_eq!(stage(only_trial(&report), 4), ("failed", "toolError"));
}
