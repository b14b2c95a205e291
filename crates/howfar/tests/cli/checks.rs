//! The checks that a run applies: where they are filed, what they decide, and what they never show.

use howfar_testkit::hostile::{self, Mode};
use serde_json::{Value, json};

use crate::support::{Bench, howfar, only_trial, stage};

/// A suite of two lines: a prompt, and nothing that is asserted.
const BARE: &str =
    "  - id: c_one\n    title: One\n    steps: [ { id: p, kind: prompt, prompt: go } ]\n";

const ECHO_SCRIPT: &str = "\
scripts:
  - turns:
      - call: { tool: echo, arguments: { text: hello } }
      - say: done
";

/// The fifteen checks that stand in every list of a suite, in contract order, by link and kind.
const STANDARD: [(&str, &str, &str); 15] = [
    ("discovery.description", "discovery", "toolDescriptionsPresent"),
    ("discovery.annotations", "discovery", "toolAnnotationsPresent"),
    ("discovery.collisions", "discovery", "toolNamesUnique"),
    ("discovery.deprecated", "discovery", "noDeprecatedToolExposed"),
    ("call.schema", "discovery", "toolInputSchemasWellFormed"),
    ("response.schema", "discovery", "toolOutputSchemasPresent"),
    ("selection.hops", "selection", "toolCallCountUnder"),
    ("call.parameters", "call", "argumentsMatchToolSchema"),
    ("call.repeated", "call", "noRepeatedIdenticalCall"),
    ("response.performance", "response", "toolLatencyUnder"),
    ("response.size", "response", "toolResultSizeUnder"),
    ("response.errors", "response", "noToolErrors"),
    ("response.recovery", "response", "toolErrorNamesInput"),
    ("response.pagination", "response", "fullPageHasContinuation"),
    ("userValue.turns", "userValue", "turnCountUnder"),
];

fn bench(mode: Mode, cases: &str) -> Bench {
    Bench::new(&[("server", hostile::command(mode))], "scripted/script", cases).script(ECHO_SCRIPT)
}

/// Link and check of the scorecard's rows of this provenance.
fn rows(report: &Value, provenance: &str) -> Vec<(String, String)> {
    let rows = only_trial(report)["scorecard"]["rows"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.filter(|row| row["provenance"] == provenance)
        .map(|row| (text(&row["stage"]), text(&row["check"])))
        .collect()
}

#[test]
fn two_lines_report_on_all_six_links() {
    let output = bench(Mode::Ok, BARE).run(&[]);
    let report = output.json();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let suite = STANDARD.map(|(_, link, kind)| (link.to_owned(), kind.to_owned()));
    assert_eq!(rows(&report, "suite"), suite);
    let built_in: Vec<_> = rows(&report, "builtIn").into_iter().map(|row| row.0).collect();
    assert_eq!(built_in, ["connection", "discovery"]);
    let advisory = |row: &Value| row["provenance"] != "suite" || row["role"] == "advisory";
    let scorecard = &only_trial(&report)["scorecard"];
    assert!(scorecard["rows"].as_array().into_iter().flatten().all(advisory));
    assert_eq!((&scorecard["requiredTotal"], &scorecard["advisory"]), (&json!(0), &json!(15)));
}

#[test]
fn each_standard_check_can_be_suppressed_alone() {
    let ids = STANDARD.map(|(id, _, _)| id);
    for (at, id) in ids.into_iter().enumerate().step_by(7) {
        let cases = format!("{BARE}    suppressedSuiteStandardCheckIds: [ {id} ]\n");
        let kept = rows(&bench(Mode::Ok, &cases).run(&[]).json(), "suite");
        let mut expected: Vec<_> = STANDARD.iter().map(|row| row.2).collect();
        expected.remove(at);
        assert_eq!(kept.iter().map(|row| &row.1).collect::<Vec<_>>(), expected, "{id}");
    }
    let cases = format!("{BARE}    suppressedSuiteStandardCheckIds: [ {} ]\n", ids.join(", "));
    let report = bench(Mode::Ok, &cases).run(&[]).json();
    assert_eq!(rows(&report, "suite"), []);
    assert_eq!(rows(&report, "builtIn").len(), 2);
}

#[test]
fn a_check_of_the_runner_or_of_a_judge_cannot_be_suppressed() {
    for id in ["connection.success", "discovery.toolsList", "userValue.outcome"] {
        let cases = format!("{BARE}    suppressedSuiteStandardCheckIds: [ {id} ]\n");
        let output = bench(Mode::Ok, &cases).run(&[]);
        assert_eq!(output.code, Some(2), "{id}");
        assert!(output.stderr.contains(id), "{}", output.stderr);
    }
}

#[test]
fn the_summary_of_a_scorecard_counts_required_rows_alone() {
    let suppressed: Vec<_> = STANDARD.iter().map(|row| row.0).skip(1).collect();
    let cases = format!(
        "{BARE}    suppressedSuiteStandardCheckIds: [ {} ]\n\
         \x20   assertions: [ {{ type: responseContains, needle: done }}, {{ type: noToolErrors }} ]\n",
        suppressed.join(", ")
    );
    let bench = bench(Mode::Ok, &cases);
    assert_eq!(bench.run(&[]).code, Some(0));
    let args = ["show", "latest", "--verbose", "--format", "human"];
    let story = bench.home.invoke(howfar()).args(args).run().stdout;
    assert!(story.contains("2 of 2 required passed · 1 advisory"), "{story}");
}

#[test]
fn a_catalog_that_was_not_listed_to_its_end_is_no_pass() {
    for kind in [
        "toolDescriptionsPresent",
        "toolAnnotationsPresent",
        "toolNamesUnique",
        "toolInputSchemasWellFormed",
        "toolOutputSchemasPresent",
    ] {
        let cases = format!("{BARE}    assertions: [ {{ type: {kind} }} ]\n");
        let output = bench(Mode::Loop, &cases).run(&[]);
        let report = output.json();
        let trial = only_trial(&report);
        assert_eq!((output.code, &trial["evaluatorError"]), (Some(5), &json!(true)), "{kind}");
        let reasons = &report["metadata"]["decision"]["reasons"];
        assert_eq!(reasons[0], "noGradeableTrials", "{kind}");
        assert_eq!(stage(trial, 1), ("passed", "observed"), "{kind}");
    }
}

#[test]
fn an_observation_decides_nothing_and_is_refused_as_required() {
    let script = "\
scripts:
  - turns:
      - call: { tool: echo, arguments: { text: hello } }
      - call: { tool: echo, arguments: { text: hello } }
      - say: Shall I go on?
";
    let observed = "{ type: noRepeatedIdenticalCall, role: advisory }, { type: noEndingQuestion, role: advisory }";
    let cases = format!("{BARE}    assertions: [ {observed} ]\n");
    let output = bench(Mode::Ok, &cases).script(script).run(&[]);
    let report = output.json();
    assert_eq!((output.code, &report["verdict"]), (Some(0), &json!("passed")));
    assert_eq!(only_trial(&report).get("firstFailedStage"), None);
    let output = bench(Mode::Ok, &cases.replace(", role: advisory", "")).run(&[]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("cannot gate; set role: \"advisory\""), "{}", output.stderr);
}

#[test]
fn a_secret_that_a_server_echoes_reaches_nothing_that_is_kept() {
    let secret = "tok-3f9a77c1d2e4";
    let script = format!(
        "scripts:\n  - turns:\n      - call: {{ tool: echo, arguments: {{ text: \"key {secret}\" }} }}\n      - say: \"your key is {secret}\"\n"
    );
    let checks = "{ type: responseContains, needle: nowhere }, { type: toolResultContains, needle: nowhere }";
    let cases = format!("{BARE}    assertions: [ {checks} ]\n");
    let server = hostile::command(Mode::Ok).env("ECHO_TOKEN", secret);
    let bench = Bench::new(&[("server", server)], "scripted/script", &cases).script(&script);
    let output = bench.run(&["--evidence", "trials.jsonl"]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let stored = |format: &str| {
        let args = ["export", "latest", "--format", format];
        bench.home.invoke(howfar()).args(args).run().stdout
    };
    let kept = [
        output.stdout.clone(),
        output.stderr.clone(),
        bench.home.read("trials.jsonl"),
        stored("html"),
        stored("junit"),
    ];
    assert!(kept.iter().all(|text| !text.contains(secret)));
    assert!(kept[0].contains("[REDACTED]") && kept[2].contains("[REDACTED]"));
}

#[test]
fn friction_enters_no_verdict_no_row_and_no_category() {
    let repeated = |call: &str| {
        let script = format!("scripts:\n  - turns:\n{}      - say: done\n", call.repeat(5));
        let report = bench(Mode::Ok, BARE).script(&script).run(&[]).json();
        let decision = report["metadata"]["decision"].clone();
        let trial = only_trial(&report).clone();
        (decision, trial, report["friction"]["run"].clone())
    };
    let (same, trial, friction) =
        repeated("      - call: { tool: echo, arguments: { text: hello } }\n");
    let (other, _, quiet) = repeated(
        "      - call: { tool: echo, arguments: { text: hello } }\n      - call: { tool: add, arguments: { a: 1, b: 2 } }\n",
    );
    assert_eq!(
        (&friction["measuredTrialCount"], &quiet["measuredTrialCount"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(friction["rates"]["identicalRetry"]["numerator"], 1);
    assert_eq!(quiet["rates"]["identicalRetry"]["numerator"], 0);
    assert_eq!(same, other);
    assert_eq!(trial.get("failureCategory"), None);
    let states = (0..6).map(|at| stage(&trial, at).0.to_owned()).collect::<Vec<_>>();
    assert!(!states.contains(&"failed".to_owned()), "{states:?}");
}

#[test]
fn a_step_that_needs_a_widget_is_refused_with_the_reason() {
    let click =
        "{ id: i, kind: interact, toolName: echo, action: { kind: click, target: { text: Go } } }";
    let seen =
        "{ id: w, kind: assert, assertion: { kind: textVisible, toolName: echo, text: Go } }";
    for (step, reason) in [(click, "interactStep"), (seen, "widgetAssertion")] {
        let cases = BARE.replace("prompt: go }", &format!("prompt: go }}, {step}"));
        let output = bench(Mode::Ok, &cases).run(&[]);
        assert_eq!(output.code, Some(2), "{}", output.stderr);
        assert_eq!(output.json()["refusal"]["problems"][0]["reason"], reason);
    }
}
