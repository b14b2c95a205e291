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

    let gated = ask(&home, &["compare", "--gate-regressions", "--format", "human"]);
    assert_eq!(gated.code, Some(1), "{}", gated.stdout);
    assert!(gated.stdout.contains("exit 1: a gate does not hold"), "{}", gated.stdout);

    let junit = ask(&home, &["compare", "--gate-regressions", "--reporter", "junit-xml"]);
    assert!(junit.stdout.contains("name=\"gate\""), "{}", junit.stdout);
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
    assert_eq!(code(&["--min-pass-rate-percent", ""]), Some(2));
    assert_eq!(code(&["--min-scorer-pass-rate", "nobody=50"]), Some(2));
    assert_eq!(code(&["--max-total-tokens", "5"]), Some(5));
}
