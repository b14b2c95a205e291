//! Runs that are kept: listed, shown, traced, exported, derived again, pruned.

use howfar_testkit::home::Output;
use howfar_testkit::hostile::{self, Mode};
use serde_json::Value;

use crate::support::{Bench, howfar};

const CASES: &str = "\
  - id: c_one
    title: One
    iterations: 2
    steps: [ { id: p, kind: prompt, prompt: go } ]
    assertions: [ { type: responseContains, needle: done } ]
";

const SCRIPT: &str = "scripts: [ { turns: [ { say: done } ] } ]";

fn bench() -> Bench {
    Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", CASES).script(SCRIPT)
}

fn howfar_with(bench: &Bench, args: &[&str]) -> Output {
    bench.home.invoke(howfar()).args(args.iter().copied()).run()
}

#[test]
fn show_gives_the_document_that_run_printed() {
    let bench = bench();
    let printed = bench.run(&["--format", "json"]);
    let shown = howfar_with(&bench, &["show", "--format", "json"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert_eq!(shown.stdout, printed.stdout);
}

#[test]
fn the_story_of_a_stored_run_is_the_one_that_was_told() {
    let bench = bench();
    let told = bench.run(&["--format", "human"]);
    let shown = howfar_with(&bench, &["show", "--format", "human"]);
    let without_last =
        |text: &str| text.trim_end().rsplit_once("· more:").map(|it| it.0.to_owned());
    assert_eq!(without_last(&shown.stdout), without_last(&told.stdout));
}

#[test]
fn list_says_what_was_decided_about_each_run() {
    let bench = bench();
    let _first = bench.run(&[]);
    let _second = bench.run(&["--case", "c_one"]);
    let list = howfar_with(&bench, &["list"]).json();
    let runs = list["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["verdict"], "passed");
    assert_eq!((&runs[0]["casesPassed"], &runs[0]["storedTrials"]), (&1.into(), &2.into()));
    assert_eq!(howfar_with(&bench, &["list", "--limit", "1"]).json()["runs"][0], runs[0]);
}

#[test]
fn list_shows_times_in_the_readers_zone_or_in_utc() {
    let bench = bench();
    let _run = bench.run(&[]);
    let list = |args: &[&str]| {
        let all = ["list", "--format", "human"].iter().chain(args).copied();
        bench.home.invoke(howfar()).args(all).env("TZ", "JST-9").run().stdout
    };
    assert!(list(&[]).contains(" JST "), "{}", list(&[]));
    assert!(list(&["--utc"]).contains(" UTC "), "{}", list(&["--utc"]));
}

#[test]
fn an_empty_list_says_what_would_fill_it() {
    let bench = bench();
    let _run = bench.run(&[]);
    let list = howfar_with(&bench, &["list", "--suite", "s_other", "--format", "human"]);
    assert_eq!(list.code, Some(0), "{}", list.stderr);
    assert!(list.stdout.contains("No run of the suite s_other is stored here"), "{}", list.stdout);
}

#[test]
fn a_trial_is_traced_as_text_and_as_json() {
    let bench = bench();
    let _run = bench.run(&[]);
    let text = howfar_with(&bench, &["trace", "latest", "c_one", "2", "--format", "human"]).stdout;
    for part in ["One (c_one) · trial 2", "user       go", "assistant  done", "Step 1 (model step)"]
    {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let document = howfar_with(&bench, &["trace", "latest", "c_one", "2"]).json();
    assert_eq!(document["messages"][0]["content"], "go");
    let missing = howfar_with(&bench, &["trace", "latest", "c_one", "3"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("the case has 2 stored trials, from 1"), "{}", missing.stderr);
}

#[test]
fn exported_evidence_is_what_the_run_wrote() {
    let bench = bench();
    let _run =
        bench.run(&["--evidence", "trials.jsonl", "--reporter", "junit-xml", "--out", "run.xml"]);
    let exported = howfar_with(&bench, &["export", "--format", "evidence"]).stdout;
    assert_eq!(exported, bench.home.read("trials.jsonl"));
    let written = howfar_with(&bench, &["export", "--format", "junit", "--out", "stored.xml"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    assert_eq!(bench.home.read("stored.xml"), bench.home.read("run.xml"));
}

#[test]
fn a_stored_run_derives_again_to_the_same_report() {
    let bench = bench();
    let printed = bench.run(&["--format", "json"]);
    let derived = howfar_with(&bench, &["derive", "--run", "latest"]);
    assert_eq!(derived.code, Some(0), "{}", derived.stderr);
    assert_eq!(derived.stdout, printed.stdout);
}

#[test]
fn pruning_says_first_and_deletes_when_told() {
    let bench = bench();
    let _first = bench.run(&[]);
    let _second = bench.run(&[]);
    let count = || howfar_with(&bench, &["list"]).json()["runs"].as_array().map(Vec::len);
    let said = howfar_with(&bench, &["list", "--prune", "--keep", "1"]);
    assert!(said.stderr.contains("1 run would go"), "{}", said.stderr);
    assert_eq!(count(), Some(2));
    let _deleted = howfar_with(&bench, &["list", "--prune", "--keep", "1", "--yes"]);
    assert_eq!(count(), Some(1));
}

#[test]
fn a_store_that_cannot_be_written_costs_no_report() {
    let bench = bench();
    bench.home.write("broken.db", &"no database ".repeat(1000));
    let output = bench.run(&["--store", "broken.db", "--format", "json"]);
    assert_eq!(output.code, Some(4), "{}", output.stderr);
    let report: Value = output.json();
    assert_eq!(report["verdict"], "passed");
    assert_eq!(report["metadata"]["issues"][0]["code"], "OBSERVER_FAILED");
    assert_eq!(output.stderr.matches("is not a howfar store").count(), 1, "{}", output.stderr);
}

#[test]
fn nothing_is_kept_when_nothing_is_to_be_kept() {
    let bench = bench();
    let output = bench.run(&["--no-store"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let list = howfar_with(&bench, &["list"]);
    assert_eq!(list.code, Some(2));
    assert!(list.stderr.contains("there is no store at"), "{}", list.stderr);
}

#[test]
fn a_name_of_no_run_says_where_the_names_are() {
    let bench = bench();
    let _run = bench.run(&[]);
    let output = howfar_with(&bench, &["show", "r_other"]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("`howfar list` shows the runs"), "{}", output.stderr);
}
