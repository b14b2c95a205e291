//! Files, folders and entries that are wrong: each is one clear message with what to do next.

use howfar_testkit::home::Output;
use howfar_testkit::hostile::{self, Mode};
use howfar_testkit::program::ProgramSpec;

use crate::support::{Bench, howfar};

const ONE: &str = "  - id: c_one\n    title: One\n    steps: [ { id: p, kind: prompt, prompt: go } ]\n    \
                   assertions: [ { type: responseContains, needle: done } ]\n";

const SCRIPT: &str = "scripts: [ { turns: [ { say: done } ] } ]";

fn bench() -> Bench {
    Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", ONE).script(SCRIPT)
}

fn howfar_with(bench: &Bench, args: &[&str]) -> Output {
    bench.home.invoke(howfar()).args(args.iter().copied()).run()
}

/// Wants this exit code and these words on stderr.
fn check(output: &Output, code: i32, words: &[&str]) {
    assert_eq!(output.code, Some(code), "{}", output.stderr);
    for word in words {
        assert!(output.stderr.contains(word), "no {word:?} in: {}", output.stderr);
    }
}

/// Runs with this entry of the only server, and gives what the report says of it.
fn with_entry(entry: &str) -> String {
    let bench = bench();
    bench.home.write(".mcp.json", &format!(r#"{{"mcpServers": {{"server": {entry}}}}}"#));
    let output = bench.run(&["--no-store"]);
    assert_eq!(output.code, Some(4), "{}", output.stderr);
    output.json()["metadata"]["execution"]["servers"][0]["error"].to_string()
}

#[test]
fn a_folder_is_no_store() {
    let bench = bench();
    let output = howfar_with(&bench, &["list", "--store", "."]);
    check(&output, 2, &["is a folder", "--store PATH"]);
}

#[test]
fn a_run_that_cannot_be_stored_says_what_to_do_and_reports_all_the_same() {
    let output = bench().run(&["--store", "."]);
    check(&output, 4, &["not stored", "is a folder", "--no-store"]);
    assert_eq!(output.json()["verdict"], "passed");
}

#[test]
fn a_damaged_store_says_what_to_do() {
    let bench = bench();
    let _stored = bench.run(&["--store", "runs.db"]);
    let path = bench.home.work().join("runs.db");
    let mut bytes = std::fs::read(&path).expect("the run is stored");
    bytes[8192..].fill(0xa5);
    std::fs::write(&path, bytes).expect("the file is ours");
    let output = howfar_with(&bench, &["list", "--store", "runs.db"]);
    check(&output, 4, &["malformed", "restore a copy"]);
}

#[test]
fn a_report_has_somewhere_to_go_before_anything_runs() {
    let bench = bench();
    check(&bench.run(&["--out", "."]), 2, &["this is a folder"]);
    check(&bench.run(&["--out", "missing/report.json"]), 2, &["no such folder"]);
    let _stored = bench.run(&["--store", "runs.db"]);
    let export = ["export", "--store", "runs.db", "--out", "missing/report.json"];
    check(&howfar_with(&bench, &export), 2, &["no such folder"]);
}

#[test]
fn a_configuration_that_cannot_be_read_is_the_only_problem() {
    let bench = bench();
    bench.home.write(".mcp.json", "{");
    let output = bench.run(&["--format", "human"]);
    check(&output, 4, &[".mcp.json: not valid JSON"]);
    assert!(!output.stderr.contains("no binding"), "{}", output.stderr);
}

#[test]
fn a_name_that_is_spelled_otherwise_is_shown() {
    let bench = bench();
    bench.home.write(".mcp.json", r#"{"mcpServers": {"servr": {"command": "x"}}}"#);
    check(&bench.run(&[]), 4, &[r#"looked in .mcp.json, which has "servr""#]);
}

#[test]
fn arguments_in_the_command_are_told_and_not_shown() {
    let error = with_entry(r#"{"command": "no-such-program --token abc/s3cret"}"#);
    assert!(error.contains("no-such-program") && error.contains("as \\\"args\\\""), "{error}");
    assert!(!error.contains("s3cret"), "{error}");
}

#[test]
fn a_missing_working_directory_is_not_taken_for_a_missing_command() {
    let error = with_entry(r#"{"command": "true", "cwd": "missing"}"#);
    assert!(error.contains("working directory (cwd)"), "{error}");
}

#[test]
fn init_tells_a_silent_server_from_tools_that_may_not_be_called() {
    for (mode, code, words) in [
        (Mode::Crash, 4, ["no call was answered", "echo: no answer"]),
        (Mode::NoTools, 4, ["lists no tool", "error"]),
    ] {
        let bench = Bench::new(&[("server", hostile::command(mode))], "scripted/script", ONE);
        check(&howfar_with(&bench, &["init", "--server", "server"]), code, &words);
    }
}

#[test]
fn init_tells_that_a_listing_was_cut() {
    let bench = Bench::new(&[("server", hostile::command(Mode::Loop))], "scripted/script", ONE);
    let told = howfar_with(&bench, &["init", "--server", "server", "--format", "human"]);
    assert!(told.stdout.contains("finding: the cursor"), "{}\n{}", told.stdout, told.stderr);
}

#[test]
fn a_script_is_refused_in_the_authors_words() {
    for (text, words) in [
        ("", "the file is empty; it needs `scripts`"),
        ("scripts: x", "expected a list"),
        ("scripts: [ { turns: [ { call: echo } ] } ]", "expected an object of named fields"),
        ("scripts: []\nscripts: []", "duplicate mapping key: scripts\n"),
        ("scripts: []\n---\nscripts: []", "multiple YAML documents detected\n"),
    ] {
        check(&bench().script(text).run(&[]), 2, &[words]);
    }
}

#[test]
fn an_address_that_cannot_be_asked_names_where_it_is_from() {
    let missing = ProgramSpec::new("no-such-program-anywhere");
    let bench = Bench::new(&[("server", missing)], "openai-compatible/x", ONE);
    check(&bench.run(&["--base-url", "nowhere"]), 2, &["not an absolute http", "--base-url"]);
    check(&bench.run(&[]), 2, &["pass --base-url URL"]);
}
