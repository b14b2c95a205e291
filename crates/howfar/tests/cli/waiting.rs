//! `howfar gate --wait` over a run that another process still records. The run's model is a socket that this test holds, so
//! that the run goes on for exactly as long as the test wants.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use howfar_testkit::hostile::{self, Mode};

use crate::support::{Bench, howfar};

const CASE: &str = "\
  - id: c_one
    title: One
    steps: [ { id: p, kind: prompt, prompt: go } ]
    assertions: [ { type: responseContains, needle: done } ]
";

/// A run that waits for its model.
struct Held {
    bench: Bench,
    run: Child,
    request: TcpStream,
}

impl Held {
    /// Starts a run, and takes the request of its only trial without answering it.
    fn start() -> Self {
        let model = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port");
        let url = format!("http://{}/v1", model.local_addr().expect("it is bound"));
        let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "openai/held", CASE);
        let args = ["run", "suite.yaml", "--base-url", &url];
        let run = command(&bench, &args).env("OPENAI_API_KEY", "sk-none").spawn();
        let (request, _) = model.accept().expect("the run asks its model");
        Self { bench, run: run.expect("the binary starts"), request }
    }

    /// Answers, so that the run ends and passes. The bench holds its store.
    fn answer(mut self) -> Bench {
        let body = r#"{"choices":[{"message":{"content":"done"},"finish_reason":"stop"}]}"#;
        let mut lines = BufReader::new(self.request.try_clone().expect("a socket")).lines();
        assert!(lines.any(|line| line.is_ok_and(|line| line.is_empty())), "the request has a head");
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        self.request.write_all(answer.as_bytes()).expect("the run reads its answer");
        assert_eq!(self.run.wait().expect("it ends").code(), Some(0));
        self.bench
    }
}

fn command(bench: &Bench, args: &[&str]) -> Command {
    let mut command = Command::new(howfar());
    command.args(args).current_dir(bench.home.work()).env_clear().env("HOME", bench.home.home());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_gate_waits_for_the_end_of_a_run() {
    let held = Held::start();
    let mut gate = command(&held.bench, &["gate", "--wait", "--min-pass-rate-percent", "100"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut told = BufReader::new(gate.stderr.take().expect("it is piped")).lines();
    let first = told.next().expect("a line").expect("text");
    assert!(first.contains("still runs: waiting for its end"), "{first}");
    let _store = held.answer();
    let rest: Vec<String> = told.map_while(Result::ok).collect();
    assert_eq!(gate.wait().expect("it ends").code(), Some(0), "{rest:?}");
}

#[test]
fn a_run_that_outlasts_the_wait_decides_nothing() {
    let held = Held::start();
    for (args, words) in [
        (&["gate", "--wait", "--wait-timeout", "1"][..], "still runs after 1 ms"),
        (&["gate", "--min-pass-rate-percent", "0"], "--wait waits for its end"),
    ] {
        let output = held.bench.home.invoke(howfar()).args(args.iter().copied()).run();
        assert_eq!(output.code, Some(5), "{args:?}: {}", output.stderr);
        assert!(output.stderr.contains(words), "{args:?}: {}", output.stderr);
        assert_eq!(output.stdout, "", "{args:?}");
    }
    held.answer();
}
