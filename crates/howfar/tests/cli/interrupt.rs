use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use howfar_testkit::hostile::{self, Mode};
use serde_json::Value;

use crate::support::{Bench, howfar};

const CASES: &str = "\
  - id: c_many
    title: Many
    iterations: 100
    steps: [ { id: p, kind: prompt, prompt: go } ]
    assertions: [ { type: responseContains, needle: done } ]
  - id: c_more
    title: More
    iterations: 100
    steps: [ { id: p, kind: prompt, prompt: go } ]
    assertions: [ { type: responseContains, needle: done } ]
";

const SCRIPT: &str = "scripts: [ { turns: [ { say: done, delayMs: 100 } ] } ]";

/// Waits, within a bound, until the evidence file has lines.
fn wait_for_trials(path: &std::path::Path, count: usize) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(30) {
        let lines =
            std::fs::read_to_string(path).map(|text| text.lines().count()).unwrap_or_default();
        if lines >= count {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no {count} trials within the bound");
}

#[test]
fn an_interrupt_keeps_what_finished_and_exits_5() {
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", CASES)
        .script(SCRIPT);
    let work = bench.home.work();
    let child = Command::new(howfar())
        .args([
            "run",
            "suite.yaml",
            "--out",
            "report.json",
            "--evidence",
            "trials.jsonl",
            "--format",
            "human",
        ])
        .current_dir(work)
        .env_clear()
        .env("HOME", bench.home.home())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    wait_for_trials(&work.join("trials.jsonl"), 3);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the process runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(5));
    let story = String::from_utf8_lossy(&output.stdout);
    assert!(story.contains("PARTIAL"), "{story}");
    let report: Value = serde_json::from_str(&bench.home.read("report.json")).expect("a report");
    assert_eq!(report["verdict"], "notEstablished");
    assert_eq!(report["metadata"]["termination"], "aborted");
    let executed = report["metadata"]["population"]["executedIterations"].as_u64();
    assert!(executed.is_some_and(|executed| (3..200).contains(&executed)), "{executed:?}");
}
