//! `--record` and `--replay`: the same run again, with nobody there to ask.

use howfar_testkit::home::Output;
use howfar_testkit::hostile::{self, Mode};
use howfar_testkit::program::ProgramSpec;
use serde_json::Value;

use crate::support::{Bench, howfar};

const ECHO: &str = "\
  - id: c_echo
    title: Echo
    iterations: 2
    steps:
      - { id: p, kind: prompt, prompt: say hello }
      - { id: r, kind: assert, assertion: { type: toolCalledWith, toolName: echo, args: { args: {} } } }
    assertions: [ { type: responseContains, needle: done } ]
";

const ECHO_SCRIPT: &str = "\
scripts:
  - turns:
      - call: { tool: echo, arguments: { text: hello } }
      - say: done
";

fn bench(server: ProgramSpec) -> Bench {
    Bench::new(&[("server", server)], "scripted/script", ECHO).script(ECHO_SCRIPT)
}

/// Records a run, takes its servers and its script away, and replays it.
fn recorded_and_replayed(bench: &Bench, args: &[&str]) -> (Output, Output) {
    let record = [&["--record", "tape"], args].concat();
    let recorded = bench.run(&record);
    for gone in [".mcp.json", "script.script.yaml"] {
        std::fs::remove_file(bench.home.work().join(gone)).expect("the bench has written it");
    }
    let replayed = bench.run(&[&["--replay", "tape"], args].concat());
    (recorded, replayed)
}

/// The report without ids, times, and the word that it was replayed.
fn timeless(report: &Value) -> Value {
    match report {
        Value::Object(object) => {
            let kept = object.iter().filter(|(name, _)| !is_time(name));
            Value::Object(kept.map(|(name, value)| (name.clone(), timeless(value))).collect())
        }
        Value::Array(items) => items.iter().map(timeless).collect(),
        other => other.clone(),
    }
}

fn is_time(name: &str) -> bool {
    let words = [
        "Ms",
        "startedAt",
        "createdAt",
        "updatedAt",
        "runId",
        "replayedFrom",
        "latency",
        "Latency",
    ];
    words.iter().any(|word| name.ends_with(word) || name.starts_with(word))
}

/// Asserts that a replay says what its recording said.
fn check(server: ProgramSpec) {
    let what = format!("{server:?}");
    check_bench(&what, &bench(server), &[]);
}

fn check_bench(what: &str, bench: &Bench, args: &[&str]) {
    let (recorded, replayed) = recorded_and_replayed(bench, args);
    assert_eq!(recorded.code, replayed.code, "{what}: {}", replayed.stderr);
    let (before, after) = (timeless(&recorded.json()), timeless(&replayed.json()));
    assert_eq!(howfar_testkit::json::difference(&before, &after), None, "{what}");
}

#[test]
fn a_good_server_is_replayed_without_it() {
    check(hostile::command(Mode::Ok));
    check(hostile::command(Mode::Paged));
}

#[test]
fn a_failing_server_fails_alike() {
    check(ProgramSpec::new("no-such-program-anywhere"));
    for mode in [Mode::Exit, Mode::Banner, Mode::InitErr, Mode::InitNew, Mode::ListNull] {
        check(hostile::command(mode));
    }
}

#[test]
fn hostile_answers_are_read_alike() {
    for mode in [
        Mode::Crash,
        Mode::Noise,
        Mode::StrSchema,
        Mode::Dup,
        Mode::Loop,
        Mode::NotJson,
        Mode::ErrNoMsg,
        Mode::Hologram,
        Mode::Ticket,
        Mode::StrId,
        Mode::Deep,
    ] {
        check(hostile::command(mode));
    }
}

#[test]
fn a_server_over_http_fails_alike() {
    let peer = hostile::http();
    for path in ["/list401", "/init401", "/init500", "/html", "/ok"] {
        let url = peer.url(path);
        let bench = Bench::over_http(&url, "scripted/script", ECHO).script(ECHO_SCRIPT);
        check_bench(path, &bench, &[]);
    }
}

#[test]
fn trials_at_once_each_get_their_own_answers() {
    let bench = bench(hostile::command(Mode::Ticket));
    check_bench("ticket", &bench, &["--concurrency", "2"]);
}

#[test]
fn a_trial_whose_clock_fired_is_timed_out_again() {
    let bench = bench(hostile::command(Mode::Hang));
    check_bench("hang", &bench, &["--iteration-timeout", "300"]);
}

#[test]
fn a_judge_is_replayed_too() {
    let bench = bench(hostile::command(Mode::Ok));
    let judge = "validity: {}, judge: { role: gating, autoRun: true, model: scripted/judge }";
    let suite = bench.home.read("suite.yaml").replace("validity: {}", judge);
    let suite = suite.replace("title: Echo", "title: Echo\n    expectedOutput: done");
    bench.home.write("suite.yaml", &suite);
    bench.home.write("judge.script.yaml", &howfar_testkit::judge::scoring(0.9));
    let (recorded, replayed) = recorded_and_replayed(&bench, &[]);
    assert_eq!((recorded.code, replayed.code), (Some(0), Some(0)), "{}", replayed.stderr);
    assert!(bench.home.read("tape/cassette.jsonl").contains("judge scripted/judge"));
    let (before, after) = (timeless(&recorded.json()), timeless(&replayed.json()));
    assert_eq!(howfar_testkit::json::difference(&before, &after), None);
}

#[test]
fn the_demo_is_replayed_with_the_same_rows_in_junit() {
    let home = howfar_testkit::home::Home::new();
    let written = home.invoke(howfar()).args(["demo", "--write", "shop"]).run();
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let server = format!("\"{}\" demo-server", howfar().display());
    let junit = |more: &[&str]| {
        let all = [&["run", "shop/shop.suite.yaml", "--reporter", "junit-xml"], more].concat();
        home.invoke(howfar()).args(all).run()
    };
    let recorded = junit(&["--command", &server, "--record", "tape"]);
    let replayed = junit(&["--replay", "tape"]);
    assert_eq!((recorded.code, replayed.code), (Some(1), Some(1)), "{}", replayed.stderr);
    let rows = |output: &Output| {
        let rows = output.stdout.lines().filter(|line| line.contains("<testcase"));
        let name = |line: &str| line.split(" time=").next().unwrap_or_default().to_owned();
        rows.map(name).collect::<Vec<_>>()
    };
    assert_eq!(rows(&recorded), rows(&replayed));
    let failures = |output: &Output| output.stdout.matches("<failure").count();
    assert_eq!(failures(&recorded), failures(&replayed));
    assert!(replayed.stdout.contains("replayedFrom"), "{}", replayed.stdout);
}

#[test]
fn a_request_without_a_recording_stops_the_run_and_measures_nothing() {
    let bench = bench(hostile::command(Mode::Ok));
    assert_eq!(bench.run(&["--record", "tape"]).code, Some(0));
    let changed = bench.home.read("suite.yaml").replace("say hello", "say good-bye");
    bench.home.write("suite.yaml", &changed);
    let output = bench.run(&["--replay", "tape"]);
    assert_eq!((output.code, output.stdout.as_str()), (Some(4), ""), "{}", output.stderr);
    for part in [
        "respond of model \"scripted/script\" in trial 1 of case \"c_echo\" has no recording",
        "/messages/0/user was \"say hello\" and is \"say good-bye\"",
        "the suite file has changed since it was recorded",
        "--record DIR",
    ] {
        assert!(output.stderr.contains(part), "no {part:?} in {}", output.stderr);
    }
}

#[test]
fn a_call_without_a_recording_is_no_failure_of_the_server() {
    let bench = bench(hostile::command(Mode::Ok));
    assert_eq!(bench.run(&["--record", "tape"]).code, Some(0));
    let text = bench.home.read("tape/cassette.jsonl");
    let without = text.lines().filter(|line| !line.contains("\"method\":\"tools/call\""));
    bench.home.write("tape/cassette.jsonl", &(without.collect::<Vec<_>>().join("\n") + "\n"));
    let output = bench.run(&["--replay", "tape"]);
    assert_eq!((output.code, output.stdout.as_str()), (Some(4), ""), "{}", output.stderr);
    assert!(output.stderr.contains("tools/call of server \"server\""), "{}", output.stderr);
}

#[test]
fn a_cassette_that_was_cut_off_says_so() {
    let bench = bench(hostile::command(Mode::Ok));
    assert_eq!(bench.run(&["--record", "tape"]).code, Some(0));
    let text = bench.home.read("tape/cassette.jsonl");
    let end = text.rfind("{\"line\":\"end\"").expect("the recording was complete");
    bench.home.write("tape/cassette.jsonl", &format!("{}{{\"line\":\"exch", &text[..end]));
    let output = bench.run(&["--replay", "tape"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let warnings = output.json()["metadata"]["warnings"].to_string();
    assert!(warnings.contains("its recording was cut off"), "{warnings}");
}

#[test]
fn nothing_is_overwritten_and_both_flags_are_a_mistake() {
    let bench = bench(hostile::command(Mode::Ok));
    assert_eq!(bench.run(&["--record", "tape"]).code, Some(0));
    let again = bench.run(&["--record", "tape"]);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    assert!(again.stderr.contains("the folder is not empty"), "{}", again.stderr);
    assert_eq!(bench.run(&["--record", "new", "--replay", "tape"]).code, Some(2));
}

#[test]
fn secrets_are_taken_out_and_the_file_is_the_owners() {
    let server = hostile::command(Mode::Ok).env("API_TOKEN", "hello-token-77");
    let script = ECHO_SCRIPT.replace("text: hello", "text: hello-token-77");
    let bench = Bench::new(&[("server", server)], "scripted/script", ECHO).script(&script);
    let (recorded, replayed) = recorded_and_replayed(&bench, &[]);
    assert_eq!((recorded.code, replayed.code), (Some(0), Some(0)), "{}", replayed.stderr);
    let text = bench.home.read("tape/cassette.jsonl");
    let path = bench.home.work().join("tape/cassette.jsonl");
    assert!(!text.contains("hello-token-77") && text.contains("[REDACTED]"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_newer_cassette_is_refused() {
    let bench = bench(hostile::command(Mode::Ok));
    assert_eq!(bench.run(&["--record", "tape"]).code, Some(0));
    let text = bench.home.read("tape/cassette.jsonl");
    bench.home.write("tape/cassette.jsonl", &text.replacen("\"version\":1", "\"version\":99", 1));
    let output = bench.run(&["--replay", "tape"]);
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("it has version 99"), "{}", output.stderr);
}

#[test]
fn a_replayed_run_is_not_finished_by_asking() {
    let bench = bench(hostile::command(Mode::Ok));
    assert_eq!(bench.run(&["--record", "tape"]).code, Some(0));
    let text = bench.home.read("tape/cassette.jsonl");
    let without = text.lines().filter(|line| !line.contains("\"method\":\"tools/call\""));
    bench.home.write("tape/cassette.jsonl", &(without.collect::<Vec<_>>().join("\n") + "\n"));
    assert_eq!(bench.run(&["--replay", "tape"]).code, Some(4));
    let output = bench.run(&["--resume", "latest"]);
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("was replayed and cannot be resumed"), "{}", output.stderr);
}
