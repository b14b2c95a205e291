//! Stored runs of the demo compared and gated: the case, the link that moved, the interval, the exit codes.

use howfar_testkit::home::{Home, Output};

use crate::support::howfar;

/// A home with the demo's suite and runs of it, one per list of further arguments.
fn shop(runs: &[&[&str]]) -> Home {
    let home = Home::new();
    assert_eq!(home.invoke(howfar()).args(["demo", "--write", "shop"]).run().code, Some(0));
    for arguments in runs {
        run(&home, arguments);
    }
    home
}

fn run(home: &Home, arguments: &[&str]) {
    let mut server = format!("{} demo-server", howfar().display());
    if arguments == DESCRIBED {
        server.push_str(" --describe 'find_order=Query orders.'");
    }
    let mut all = vec!["run", "shop/shop.suite.yaml", "--quiet", "--command", &server];
    all.extend(arguments.iter().filter(|word| **word != "described"));
    assert_eq!(home.invoke(howfar()).args(all).run().code, Some(1));
}

const DESCRIBED: &[&str] = &["described"];

fn ask(home: &Home, arguments: &[&str]) -> Output {
    home.invoke(howfar()).args(arguments.iter().copied()).run()
}

#[test]
fn a_changed_description_names_the_case_the_link_and_the_interval() {
    let home = shop(&[&[], DESCRIBED]);
    let told = ask(&home, &["compare", "--format", "human"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let text = told.stdout;
    assert!(text.contains("✗ regressed: c_delivery_day"), "{text}");
    let moved = "selection: 6 of 6 trials passed → 0 of 6; difference −100 points, 95 % interval";
    assert!(text.contains(moved), "{text}");
    assert!(text.contains("nowhere → selection in 6 of 6 trials"), "{text}");
    let differ = "The tools that the model saw differ: find_order (description)";
    assert!(text.contains(differ), "{text}");
    assert!(text.contains("evidence: howfar trace r_"), "{text}");
    assert!(text.contains("review tool selection and the tool catalog"), "{text}");

    let gated = ask(&home, &["compare", "--gate-regressions", "--format", "human"]);
    assert_eq!(gated.code, Some(1), "{}", gated.stdout);
    assert!(gated.stdout.contains("exit 1: a gate does not hold"), "{}", gated.stdout);

    let junit = ask(&home, &["compare", "--gate-regressions", "--reporter", "junit-xml"]);
    assert!(junit.stdout.contains("name=\"gate\""), "{}", junit.stdout);
    assert!(junit.stdout.contains("passRateRegression failed: the pass rate"), "{}", junit.stdout);
    assert_eq!(junit.stdout.matches("<failure").count(), 2, "{}", junit.stdout);

    let narrow = home.invoke(howfar()).args(["compare", "--format", "human"]).env("COLUMNS", "60");
    let widest = narrow.run().stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(70), "{widest:?}");
}

#[test]
fn runs_of_other_cases_are_refused_by_name() {
    let home = shop(&[&[], &["--case", "c_refund"]]);
    let told = ask(&home, &["compare", "--gate-regressions", "--format", "human"]);
    assert_eq!(told.code, Some(5), "{}", told.stdout);
    let first = told.stdout.lines().next();
    assert_eq!(first, Some("? The runs may not be compared:"));
    assert!(told.stdout.contains("differentCaseSetIdentity"), "{}", told.stdout);
    assert!(!told.stdout.contains("95 % interval"), "{}", told.stdout);
    let document: serde_json::Value =
        serde_json::from_str(&ask(&home, &["compare"]).stdout).expect("one JSON document");
    assert_eq!(document["kind"], "run-compare");
    assert_eq!(document["passed"], false);
}

#[test]
fn a_job_gets_the_comparison_and_the_gates_on_its_summary() {
    let home = shop(&[&[], DESCRIBED]);
    let summary = home.work().join("summary.md").display().to_string();
    let compare = (["compare", "--gate-regressions"], Some(1));
    for (command, code) in [compare, (["gate", "--no-gating-score-errors"], Some(0))] {
        let step = home.invoke(howfar()).args(command);
        assert_eq!(step.env("GITHUB_STEP_SUMMARY", &summary).run().code, code, "{command:?}");
    }
    let text = home.read("summary.md");
    assert!(text.contains("regressed") && text.contains("passRateRegression"), "{text}");
    assert!(text.contains("noGatingScoreErrors"), "{text}");
}

#[test]
fn the_same_server_twice_is_no_regression() {
    let home = shop(&[&[], &[]]);
    let gated = ask(&home, &["compare", "--gate-regressions", "--gate-deterministic-regressions"]);
    assert_eq!(gated.code, Some(0), "{}", gated.stdout);
}

#[test]
fn a_first_run_has_nothing_to_compare_with() {
    let home = shop(&[&[]]);
    let told = ask(&home, &["compare", "--format", "json"]);
    assert_eq!(told.code, Some(5), "{}", told.stderr);
    assert!(told.stdout.contains("baseline_not_found"), "{}", told.stdout);
}

#[test]
fn gates_of_one_run_end_by_the_table() {
    let home = shop(&[&[]]);
    let code = |arguments: &[&str]| {
        let all: Vec<_> = ["gate"].iter().chain(arguments).copied().collect();
        ask(&home, &all).code
    };
    assert_eq!(code(&["--min-pass-rate-percent", "20", "--no-gating-score-errors"]), Some(0));
    assert_eq!(code(&["--min-pass-rate-percent", "21"]), Some(1));
    assert_eq!(code(&["--min-scorer-pass-rate", "nobody=50"]), Some(2));
    assert_eq!(code(&["--min-scorer-pass-rate", "tool-match=10"]), Some(0));
    assert_eq!(code(&["--min-mean-score", "tool-match=0.99"]), Some(1));
    assert_eq!(code(&["--max-p95-latency-ms", "600000"]), Some(0));
    assert_eq!(code(&["--max-total-tokens", "5"]), Some(5));
    // Usage stands over a failure, a failure over what is not decided.
    assert_eq!(code(&["--min-pass-rate-percent", "21", "--max-total-tokens", "5"]), Some(1));
    let unknown = "--min-scorer-pass-rate=nobody=50";
    assert_eq!(code(&["--min-pass-rate-percent", "21", unknown]), Some(2));
}

/// No store is there: what is wrong with the words alone is said before one is opened.
fn refused(arguments: &[&str]) -> String {
    let output = ask(&Home::new(), arguments);
    assert_eq!(output.code, Some(2), "{arguments:?}: {}", output.stderr);
    assert_eq!(output.stdout, "", "{arguments:?}");
    output.stderr
}

#[test]
fn a_blank_value_is_a_usage_error_of_every_gate() {
    for (command, flag) in [
        ("gate", "--min-pass-rate-percent"),
        ("gate", "--min-scorer-pass-rate"),
        ("gate", "--min-mean-score"),
        ("gate", "--max-total-tokens"),
        ("gate", "--max-p95-latency-ms"),
        ("compare", "--max-p95-latency-increase-ms"),
        ("compare", "--max-cost-increase-percent"),
    ] {
        for blank in ["", " "] {
            let told = refused(&[command, flag, blank]);
            assert!(told.contains(flag), "{told}");
        }
    }
    for tuning in ["--min-sample-size", "--min-effect-size-percent"] {
        assert!(refused(&["compare", "--gate-regressions", tuning, ""]).contains(tuning));
    }
}

#[test]
fn a_value_out_of_its_range_is_a_usage_error() {
    refused(&["gate", "--min-pass-rate-percent", "100.5"]);
    refused(&["gate", "--min-pass-rate-percent", "-1"]);
    refused(&["gate", "--min-mean-score", "tool-match=1.5"]);
    refused(&["gate", "--min-scorer-pass-rate", "=50"]);
    refused(&["gate", "--wait-timeout", "5"]);
    refused(&["compare", "--max-cost-increase-percent", "-5"]);
    refused(&["compare", "--gate-regressions", "--min-sample-size", "2.5"]);
    refused(&["compare", "a", "b", "--base-run", "c"]);
}

#[test]
fn a_scorer_is_named_once() {
    let twice = ["tool-match=50", "tool-match = 60"].map(|text| ["--min-scorer-pass-rate", text]);
    let told = refused(&[&["gate"][..], &twice.concat()].concat());
    assert!(told.contains("names the scorer \"tool-match\" twice"), "{told}");
}

#[test]
fn a_gate_over_two_runs_is_sent_to_compare() {
    for flag in
        ["--gate-regressions", "--gate-deterministic-regressions", "--max-cost-increase-percent=5"]
    {
        let told = refused(&["gate", flag]);
        assert!(told.contains("howfar compare"), "{told}");
    }
    assert!(refused(&["compare", "--gate-regression"]).contains("--gate-regressions"));
    assert!(refused(&["compare", "--min-sample-size", "9"]).contains("--gate-regressions"));
}

#[test]
fn a_cost_that_nobody_stated_is_never_a_pass() {
    let home = shop(&[&[], &[]]);
    let told = ask(&home, &["compare", "--max-cost-increase-percent", "50", "--format", "human"]);
    assert_eq!(told.code, Some(5), "{}", told.stdout);
    assert!(told.stdout.contains("the cost is not known"), "{}", told.stdout);
    let gate = ["compare", "--max-p95-latency-increase-ms", "600000"];
    assert_eq!(ask(&home, &gate).code, Some(0));
}

#[test]
fn a_named_base_and_a_later_one_give_new_and_removed_cases() {
    let home = shop(&[&["--case", "c_refund"], &["--case", "c_state"]]);
    let listed = ask(&home, &["list", "--format", "json"]).json();
    let base = listed["runs"][1]["runId"].as_str().expect("an id").to_owned();
    let compared =
        ask(&home, &["compare", "latest", "--base-run", &base, "--format", "json"]).json();
    let cases = compared["metadata"]["compare"]["cases"].as_array().cloned().unwrap_or_default();
    let statuses: Vec<_> = cases.iter().filter_map(|case| case["status"].as_str()).collect();
    assert_eq!(statuses, ["new_case", "removed_case"]);
    assert_eq!(compared["metadata"]["compare"]["baseline"]["policy"], "run");
}
