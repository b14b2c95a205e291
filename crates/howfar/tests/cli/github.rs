//! What a job of GitHub Actions gets: a summary page, annotations, and documents without a doubt about their stream.

use howfar_testkit::home::Output;
use howfar_testkit::hostile::Mode;

use crate::html::bench;
use crate::support::{Bench, howfar};

/// `howfar run` as a step of a job whose repository is the bench.
fn step(bench: &Bench, args: &[&str]) -> Output {
    let root = bench.home.work().display().to_string();
    bench
        .home
        .invoke(howfar())
        .args(["run", "suite.yaml"].iter().chain(args).copied())
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_WORKSPACE", &root)
        .env("GITHUB_STEP_SUMMARY", &format!("{root}/summary.md"))
        .env("GITHUB_SERVER_URL", "https://github.example")
        .env("GITHUB_REPOSITORY", "owner/shop")
        .env("GITHUB_RUN_ID", "7")
        .run()
}

#[test]
fn a_failing_case_is_an_error_at_its_line_and_stdout_is_one_document() {
    let bench = bench(Mode::Ok);
    let output = step(&bench, &["--reporter", "junit-xml"]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let annotation = "::error file=suite.yaml,line=8,title=c_echo%3A Echo::0 of 2 gradeable trials passed%0Atrials 1 and 2";
    assert!(output.stderr.contains(annotation), "{}", output.stderr);
    assert!(output.stdout.starts_with("<?xml") && !output.stdout.contains("::error"));
}

#[test]
fn every_step_appends_its_summary() {
    let bench = bench(Mode::Ok);
    let _first = step(&bench, &[]);
    let _second = step(&bench, &["--reporter", "html", "--out", "report.html"]);
    let summary = bench.home.read("summary.md");
    assert_eq!(summary.matches("## ✗ FAILED: `Test`").count(), 2, "{summary}");
    let link = "report: `report.html` among the [artifacts of this job's run](https://github.example/owner/shop/actions/runs/7)";
    assert!(summary.contains(link), "{summary}");
}

#[test]
fn a_server_that_is_down_is_a_notice_and_never_an_error() {
    let output = step(&bench(Mode::Exit), &[]);
    assert_eq!(output.code, Some(4), "{}", output.stderr);
    assert!(output.stderr.contains("::notice file=suite.yaml,line=8"), "{}", output.stderr);
    assert!(!output.stderr.contains("::error"), "{}", output.stderr);
}

#[test]
fn a_summary_that_cannot_be_written_is_a_warning() {
    let bench = bench(Mode::Ok);
    bench.home.write("summary.md/here.txt", "a folder stands where the file should be");
    let output = step(&bench, &[]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert!(
        output.stderr.contains("warning: the job summary could not be written"),
        "{}",
        output.stderr
    );
}

#[test]
fn outside_of_a_job_nothing_is_annotated() {
    let bench = bench(Mode::Ok);
    let output = bench.run(&[]);
    assert!(!output.stderr.contains("::"), "{}", output.stderr);
}

#[test]
fn a_stored_run_gives_its_summary_and_its_traces() {
    let bench = bench(Mode::Ok);
    let printed = bench.run(&["--reporter", "markdown"]).stdout;
    let export = |args: &[&str]| {
        let all = ["export", "latest"].iter().chain(args).copied();
        bench.home.invoke(howfar()).args(all).run()
    };
    assert_eq!(export(&["--as", "markdown"]).stdout, printed);
    let silent = export(&["--as", "otlp"]);
    let spans = &silent.json()["resourceSpans"][0]["scopeSpans"][0]["spans"];
    assert_eq!(spans[0]["name"], "trial c_echo 1", "{}", silent.stdout);
    assert!(!silent.stdout.contains("say hello"), "{}", silent.stdout);
    assert!(export(&["--as", "otlp", "--content"]).stdout.contains("say hello"));
    assert_eq!(export(&["--as", "json", "--content"]).code, Some(2));
}
