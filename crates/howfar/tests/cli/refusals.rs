//! Mistakes of the user: one clear message, the right exit code, nothing started.

use howfar_testkit::program::ProgramSpec;

use crate::support::Bench;

const ONE_PROMPT: &str =
    "  - id: c_one\n    title: One\n    steps:\n      - { id: p, kind: prompt, prompt: hi }\n";

fn bench(model: &str, cases: &str) -> Bench {
    Bench::new(&[("server", ProgramSpec::new("no-such-program-anywhere"))], model, cases)
}

#[test]
fn a_missing_key_is_named_and_exits_3() {
    let output = bench("openai/gpt-test", ONE_PROMPT).run(&[]);
    assert_eq!(output.code, Some(3), "{}", output.stderr);
    assert!(output.stderr.contains("OPENAI_API_KEY"), "{}", output.stderr);
    assert_eq!(output.json()["refusal"]["code"], "CREDENTIALS_MISSING");
}

#[test]
fn a_missing_script_says_where_it_belongs() {
    let output = bench("scripted/nothing", ONE_PROMPT).run(&[]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("nothing.script.yaml"), "{}", output.stderr);
}

#[test]
fn a_check_that_needs_a_browser_is_refused_by_name() {
    let cases = "  - id: c_one\n    title: One\n    steps:\n      - { id: p, kind: prompt, prompt: hi }\n\
                 \x20   assertions: [ { type: widgetRendered } ]\n";
    let output = bench("scripted/script", cases).run(&[]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("CASE_UNSUPPORTED"), "{}", output.stderr);
    assert!(output.stderr.contains("widgetRendered"), "{}", output.stderr);
}

#[test]
fn an_unknown_case_is_named_with_the_nearest() {
    let output = bench("scripted/script", ONE_PROMPT).run(&["--case", "c_onne"]);
    assert_eq!(output.code, Some(2));
    assert!(
        output.stderr.contains("c_onne") && output.stderr.contains("c_one"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_server_without_binding_exits_4() {
    let bench = bench("scripted/script", ONE_PROMPT);
    std::fs::remove_file(bench.home.work().join(".mcp.json")).expect("it was written");
    let output = bench.script("scripts: [ { turns: [ { say: hi } ] } ]").run(&[]);
    assert_eq!(output.code, Some(4), "{}", output.stderr);
    assert!(output.stderr.contains("SERVER_BINDING_MISSING"), "{}", output.stderr);
}
