use std::path::Path;
use std::process::{Child, Command, Stdio};
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

const ONE: &str =
    "  - id: c_one\n    title: One\n    steps: [ { id: p, kind: prompt, prompt: go } ]\n";

/// A bench whose server ends only when it is signalled, and never answers this method.
fn stubborn(method: &str) -> Bench {
    let server = hostile::command(Mode::Stay).arg(method);
    Bench::new(&[("server", server)], "scripted/script", ONE)
        .script("scripts: [ { turns: [ { say: done } ] } ]")
}

fn start(bench: &Bench, args: &[&str]) -> Child {
    Command::new(howfar())
        .args(args)
        .current_dir(bench.home.work())
        .env_clear()
        .env("HOME", bench.home.home())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// The servers that were started with this home.
#[cfg(target_os = "linux")]
fn servers(home: &Path) -> usize {
    let of_home = |process: &Path| {
        let read = |name: &str| std::fs::read(process.join(name)).unwrap_or_default();
        let (environ, command) = (read("environ"), read("cmdline"));
        let home = format!("HOME={}", home.display());
        String::from_utf8_lossy(&environ).split('\0').any(|variable| variable == home)
            && String::from_utf8_lossy(&command).contains("hostile-mcp")
    };
    let processes = std::fs::read_dir("/proc").expect("Linux has it");
    processes.filter_map(Result::ok).filter(|process| of_home(&process.path())).count()
}

/// Signals the program as soon as its server runs, and gives its exit code; no server may be left.
#[cfg(target_os = "linux")]
fn signalled(bench: &Bench, args: &[&str], signal: rustix::process::Signal) -> Option<i32> {
    let child = start(bench, args);
    let began = Instant::now();
    while servers(bench.home.home()) == 0 {
        assert!(began.elapsed() < Duration::from_secs(30), "no server within the bound");
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, signal).expect("the process runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(servers(bench.home.home()), 0, "{}", String::from_utf8_lossy(&output.stderr));
    output.status.code()
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_closes_leaves_no_server_behind() {
    use rustix::process::Signal;
    for (method, signal) in [("initialize", Signal::HUP), ("tools/list", Signal::TERM)] {
        assert_eq!(
            signalled(&stubborn(method), &["run", "suite.yaml"], signal),
            Some(5),
            "{method}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn commands_that_ask_a_server_end_it_too() {
    use rustix::process::Signal;
    let check = ["check", "suite.yaml", "--against", ".mcp.json"];
    let init = ["init", "--server", "server", "--force"];
    for (args, signal) in [(check.as_slice(), Signal::TERM), (init.as_slice(), Signal::HUP)] {
        assert_eq!(signalled(&stubborn("initialize"), args, signal), Some(5), "{args:?}");
    }
}

#[test]
fn an_interrupt_after_the_last_trial_takes_nothing_from_the_run() {
    let bench = stubborn("tools/call");
    let child = start(&bench, &["run", "suite.yaml", "--evidence", "trials.jsonl"]);
    wait_for_trials(&bench.home.work().join("trials.jsonl"), 1);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the process runs");
    let output = child.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["metadata"]["termination"], "completed");
    assert_ne!(report["verdict"], "notEstablished");
}
