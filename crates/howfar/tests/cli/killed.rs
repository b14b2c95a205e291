//! A run whose process is killed loses no finished trial, and ends as an undisturbed one does.
//!
//! `HOWFAR_KILLS`, `HOWFAR_KILL_TRIALS` and `HOWFAR_KILL_SEED` make the same test larger: `cargo xtask kill-test`.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use howfar_testkit::home::Output;
use howfar_testkit::hostile::{self, Mode};
use serde_json::Value;

use crate::support::{Bench, howfar};

const SCRIPT: &str = "scripts: [ { turns: [ { say: done, delayMs: 10 } ] } ]";

/// The most trials of one case.
const CASE_TRIALS: u64 = 100;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A suite of this many trials; every other case fails.
fn bench(trials: u64) -> Bench {
    let case = |at: u64| {
        let iterations = CASE_TRIALS.min(trials - at * CASE_TRIALS).div_ceil(2);
        let pair = [("c_holds", "done", iterations), ("c_breaks", "never", iterations)];
        pair.map(|(id, needle, iterations)| {
            format!(
                "  - id: {id}_{at}\n    title: {id} {at}\n    iterations: {iterations}\n    \
                 steps: [ {{ id: p, kind: prompt, prompt: go }} ]\n    \
                 assertions: [ {{ type: responseContains, needle: {needle} }} ]\n"
            )
        })
        .concat()
    };
    let cases: String = (0..trials.div_ceil(CASE_TRIALS)).map(case).collect();
    Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", &cases).script(SCRIPT)
}

fn howfar_with(bench: &Bench, args: &[&str]) -> Output {
    bench.home.invoke(howfar()).args(args.iter().copied()).run()
}

fn start(bench: &Bench, args: &[&str]) -> Child {
    Command::new(howfar())
        .args(args)
        .current_dir(bench.home.work())
        .env_clear()
        .env("HOME", bench.home.home())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

/// The trials that the store holds of the newest run, as (case, trial).
fn finished(bench: &Bench) -> BTreeSet<(String, u64)> {
    let report = howfar_with(bench, &["show", "--format", "json"]).json();
    let cases = report["cases"].as_array().cloned().unwrap_or_default();
    let trials = |case: &Value| {
        let id = case["id"].as_str().unwrap_or_default().to_owned();
        let rows = case["details"]["iterations"].as_array().cloned().unwrap_or_default();
        rows.into_iter().map(move |row| (id.clone(), row["iterationNumber"].as_u64().unwrap_or(0)))
    };
    cases.iter().flat_map(trials).collect()
}

/// Waits, within a bound, until the store holds more trials than `count`.
fn wait_for_more(bench: &Bench, count: u64) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        let list = howfar_with(bench, &["list", "--limit", "1"]);
        let stored = list.code == Some(0) && {
            let stored = list.json()["runs"][0]["storedTrials"].as_u64();
            stored.is_some_and(|stored| stored > count)
        };
        if stored {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no trial after the first {count} within the bound");
}

/// Keys whose values differ between any two runs: ids of the run and times.
const TIMES: &[&str] = &[
    "runId",
    "startedAt",
    "durationMs",
    "createdAt",
    "updatedAt",
    "now",
    "startMs",
    "endMs",
    "latency",
    "latencyMs",
    "runCompletedAt",
    "sourceMaxUpdatedAt",
    "durationsMs",
];

/// The document without times, as text: everything else has to be equal byte for byte.
fn timeless(value: &Value) -> String {
    strip(value).to_string()
}

fn strip(value: &Value) -> Value {
    match value {
        Value::Object(object) => object
            .iter()
            .filter(|(key, _)| !TIMES.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), strip(value)))
            .collect(),
        Value::Array(items) => items.iter().map(strip).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// Everything that a finished run leaves: its report, every derived document and all evidence, each without the
/// run's id and times.
fn documents(bench: &Bench, report: &Output) -> Vec<(&'static str, String)> {
    let report = report.json();
    let id = report["metadata"]["runId"].as_str().expect("a report has the id of its run");
    let stored = howfar_with(bench, &["show", id, "--format", "json"]);
    let all = howfar_with(bench, &["derive", "--run", id, "--all"]);
    let evidence = howfar_with(bench, &["export", id, "--format", "evidence"]);
    let timeless = |value: &Value| timeless(value).replace(id, "RUN");
    let line = |line: &str| timeless(&serde_json::from_str(line).expect("a line is a document"));
    let lines: Vec<String> = evidence.stdout.lines().map(line).collect();
    vec![
        ("the report", timeless(&report)),
        ("the stored report", timeless(&stored.json())),
        ("all derived documents", timeless(&all.json())),
        ("the evidence", lines.join("\n")),
    ]
}

/// Two runs left the same; says where they differ first.
fn assert_same(left: &[(&'static str, String)], right: &[(&'static str, String)]) {
    for ((name, left), (_, right)) in left.iter().zip(right) {
        let differs = left.bytes().zip(right.bytes()).position(|(left, right)| left != right);
        let at = differs.or((left.len() != right.len()).then_some(left.len().min(right.len())));
        let near = |text: &str, at: usize| {
            let bytes = &text.as_bytes()[at.saturating_sub(200).min(text.len())..];
            String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned()
        };
        if let Some(at) = at {
            panic!("{name} differ at byte {at}:\n{}\n{}", near(left, at), near(right, at));
        }
    }
}

/// The next number of a small generator, for the moments of the kills.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn a_killed_run_loses_nothing_and_ends_as_an_undisturbed_one() {
    let trials = setting("HOWFAR_KILL_TRIALS", 60);
    let kills = setting("HOWFAR_KILLS", 5);
    let mut seed = setting("HOWFAR_KILL_SEED", 7).max(1);
    let bench = bench(trials);
    let mut arguments = vec!["run", "suite.yaml", "--concurrency", "3"];
    let mut before = BTreeSet::new();
    for kill in 0..kills {
        let mut child = start(&bench, &arguments);
        let room = (trials / (kills + 1)).max(2);
        wait_for_more(&bench, before.len() as u64 + next(&mut seed) % room);
        std::thread::sleep(Duration::from_micros(next(&mut seed) % 20_000));
        child.kill().expect("the process is ours");
        child.wait().expect("it ends");
        let now = finished(&bench);
        assert!(now.is_superset(&before), "kill {kill} lost {:?}", before.difference(&now));
        let list = howfar_with(&bench, &["list"]).json();
        assert_eq!(list["runs"][0]["verdict"], "notEstablished", "kill {kill}");
        assert_eq!(list["runs"].as_array().map(Vec::len), Some(1), "a resumed run is one run");
        before = now;
        arguments = vec!["run", "--resume", "latest"];
    }
    let resumed = howfar_with(&bench, &["run", "--resume", "latest", "--format", "json"]);
    let undisturbed = bench.run(&["--concurrency", "3", "--format", "json"]);
    assert_eq!(resumed.code, Some(1), "{}", resumed.stderr);
    assert_same(&documents(&bench, &resumed), &documents(&bench, &undisturbed));
    assert_eq!(howfar_with(&bench, &["list", "--check"]).code, Some(0));
}

#[test]
fn an_interrupted_run_is_finished_by_resuming_it() {
    let bench = bench(20);
    let mut child = start(&bench, &["run", "suite.yaml"]);
    wait_for_more(&bench, 2);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the process runs");
    child.wait().expect("it ends");
    let list = howfar_with(&bench, &["list"]).json();
    assert_eq!(list["runs"][0]["termination"], "aborted");
    let resumed = howfar_with(&bench, &["run", "--resume", "latest", "--format", "json"]);
    assert_eq!(resumed.code, Some(1), "{}", resumed.stderr);
    let shown = howfar_with(&bench, &["show", "--format", "json"]);
    assert_eq!(shown.stdout, resumed.stdout);
    assert_eq!(shown.json()["metadata"]["population"]["executedIterations"], 20);
}

#[test]
fn a_changed_suite_is_another_run() {
    let bench = bench(60);
    let mut child = start(&bench, &["run", "suite.yaml"]);
    wait_for_more(&bench, 0);
    child.kill().expect("the process is ours");
    child.wait().expect("it ends");
    let changed = bench.home.read("suite.yaml").replace("needle: never", "needle: always");
    bench.home.write("suite.yaml", &changed);
    let output = howfar_with(&bench, &["run", "--resume", "latest"]);
    assert_eq!(output.code, Some(2), "{}", output.stdout);
    assert!(output.stderr.contains("the suite file has changed"), "{}", output.stderr);
}

#[test]
fn a_changed_script_is_another_run() {
    let bench = bench(60);
    let mut child = start(&bench, &["run", "suite.yaml"]);
    wait_for_more(&bench, 0);
    child.kill().expect("the process is ours");
    child.wait().expect("it ends");
    bench.home.write("script.script.yaml", &SCRIPT.replace("done", "finished"));
    let output = howfar_with(&bench, &["run", "--resume", "latest"]);
    assert_eq!(output.code, Some(2), "{}", output.stdout);
    let words = "the scripts of the scripted models differ from those of the run";
    assert!(output.stderr.contains(words), "{}", output.stderr);
}

#[test]
fn the_page_of_a_resumed_run_has_the_messages_of_every_part() {
    let bench = bench(60);
    let mut child = start(&bench, &["run", "suite.yaml"]);
    wait_for_more(&bench, 2);
    child.kill().expect("the process is ours");
    child.wait().expect("it ends");
    let page = howfar_with(&bench, &["run", "--resume", "latest", "--reporter", "html"]);
    assert_eq!(page.code, Some(1), "{}", page.stderr);
    let exported = howfar_with(&bench, &["export", "latest", "--as", "html"]);
    assert_eq!(page.stdout, exported.stdout);
}

#[test]
fn a_finished_run_has_nothing_to_resume() {
    let bench = bench(2);
    let _run = bench.run(&[]);
    let output = howfar_with(&bench, &["run", "--resume", "latest"]);
    assert_eq!(output.code, Some(2), "{}", output.stdout);
    assert!(output.stderr.contains("no trial is missing"), "{}", output.stderr);
}
