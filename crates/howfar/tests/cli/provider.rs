//! Providers that refuse, on a socket that counts its requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use howfar_testkit::hostile::{self, Mode};
use serde_json::{Value, json};

use crate::support::{Bench, howfar};

/// What the provider answers: the status line and the body.
type Answer = (&'static str, &'static str);

const REJECTED: Answer = (
    "401 Unauthorized",
    r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#,
);

const LIMITED: Answer = (
    "429 Too Many Requests",
    r#"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#,
);

const DONE: Answer =
    ("200 OK", r#"{"choices":[{"message":{"content":"done"},"finish_reason":"stop"}]}"#);

/// A provider on loopback and the number of requests that it saw. It ends with the test process.
struct Provider {
    url: String,
    requests: Arc<AtomicUsize>,
}

impl Provider {
    /// Answers the request with this number, from 1.
    fn start(answer: impl Fn(usize) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port");
        let address = listener.local_addr().expect("it is bound");
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
                serve(stream, answer(number));
            }
        });
        Self { url: format!("http://{address}/v1"), requests }
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Reads one request to its end and answers it.
fn serve(stream: TcpStream, (status, body): Answer) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 0) && line != "\r\n" {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let _ = reader.read_exact(&mut vec![0; length]);
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    // The client may be gone already, which is its right.
    let _ = reader.into_inner().write_all(answer.as_bytes());
}

/// Runs these cases against the provider, one trial after another.
fn run(provider: &Provider, cases: &str) -> (Bench, howfar_testkit::home::Output) {
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "openai/gpt-test", cases);
    let args = ["run", "suite.yaml", "--base-url", &provider.url, "--concurrency", "1"];
    let key = "sk-not-a-key-at-all";
    let output = bench.home.invoke(howfar()).args(args).env("OPENAI_API_KEY", key).run();
    assert!(!output.stdout.contains(key) && !output.stderr.contains(key));
    (bench, output)
}

/// `howfar export latest`, in this format.
fn exported(bench: &Bench, format: &str) -> String {
    let output = bench.home.invoke(howfar()).args(["export", "latest", "--format", format]).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    output.stdout
}

const TWENTY: &str = "\
  - id: c_one
    title: One
    iterations: 20
    steps: [ { id: p, kind: prompt, prompt: go } ]
    assertions: [ { type: responseContains, needle: done } ]
";

/// Twenty trials of which three end with HTTP 429 from the provider.
fn three_of_twenty_limited() -> (Bench, howfar_testkit::home::Output) {
    let provider =
        Provider::start(|number| if [3, 9, 14].contains(&number) { LIMITED } else { DONE });
    let ran = run(&provider, TWENTY);
    // Nothing was asked again on the quiet.
    assert_eq!(provider.requests(), 20);
    ran
}

#[test]
fn three_trials_with_status_429_leave_the_denominator_of_the_decision() {
    let (_, output) = three_of_twenty_limited();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let report = output.json();
    let case = &report["metadata"]["decision"]["cases"][0];
    let rate = json!({
        "state": "measured", "value": 1.0, "numerator": 17, "denominator": 17,
        "exclusions": { "executionFailed": 3 },
    });
    assert_eq!(case["passRate"], rate);
    assert_eq!((&case["eligibleTrials"], &case["failedTrials"]), (&json!(17), &json!(0)));
    let trial = &report["cases"][0]["details"]["iterations"][2];
    assert_eq!((&trial["status"], &trial["refusal"]), (&json!("failed"), &json!("rateLimited")));
    assert!(trial["error"].to_string().contains("HTTP status 429"), "{}", trial["error"]);
    assert_eq!(trial["taskVerdict"], Value::Null);
}

#[test]
fn three_trials_with_status_429_are_told_apart_in_the_analytics() {
    let (_, output) = three_of_twenty_limited();
    let report = output.json();
    let stages = &report["analytics"]["slices"][0]["stages"];
    let user_value = &stages[5];
    assert_eq!((&user_value["measured"], &user_value["passed"]), (&json!(17), &json!(17)));
    assert_eq!(user_value["failed"], 0);
    assert_eq!(user_value["excluded"], json!({ "reachUnknown": 3 }));
    let reasons =
        json!([{ "reason": "providerError", "count": 3 }, { "reason": "observed", "count": 17 }]);
    assert_eq!(user_value["reasons"], reasons);
}

#[test]
fn three_trials_with_status_429_are_named_in_the_story_and_are_no_failure() {
    let (bench, _) = three_of_twenty_limited();
    let story = bench.home.invoke(howfar()).args(["show", "latest", "--format", "human"]).run();
    for words in [
        "17 gradeable · excluded: 3 trials (execution broke)",
        "17 of 17 gradeable trials passed",
        "the model provider failed the call, so this stage was never measured",
        "trials 3, 9 and 14 of 20: execution failed · no link failed",
        "the provider limited the rate",
    ] {
        assert!(story.stdout.contains(words), "{words}: {}", story.stdout);
    }
    // Nothing on the server is indicated, so nobody is sent there.
    assert!(!story.stdout.contains("check the server connection"), "{}", story.stdout);
    let junit = exported(&bench, "junit");
    let report = quick_junit::Report::deserialize_from_str(&junit).expect("JUnit XML");
    assert_eq!((report.tests, report.failures, report.errors), (1, 0, 0));
    assert!(junit.contains("17 of 17 gradeable trials passed"), "{junit}");
}

#[test]
fn a_case_of_which_every_trial_is_limited_is_skipped_in_junit() {
    let provider = Provider::start(|_| LIMITED);
    let (bench, output) = run(&provider, TWENTY);
    assert_eq!(output.code, Some(5), "{}", output.stderr);
    assert_eq!(output.json()["verdict"], "inconclusive");
    let junit = exported(&bench, "junit");
    let report = quick_junit::Report::deserialize_from_str(&junit).expect("JUnit XML");
    assert_eq!((report.tests, report.failures, report.errors), (1, 0, 0));
    assert!(junit.contains("<skipped"), "{junit}");
    assert!(junit.contains("HTTP status 429"), "{junit}");
}

#[test]
fn a_rejected_key_stops_the_run_after_one_call_and_exits_3() {
    let cases = "\
  - id: c_first
    title: First
    iterations: 3
    steps: [ { id: p, kind: prompt, prompt: go } ]
  - id: c_second
    title: Second
    steps: [ { id: p, kind: prompt, prompt: go } ]
";
    let provider = Provider::start(|_| REJECTED);
    let (_, output) = run(&provider, cases);
    assert_eq!(output.code, Some(3), "{}", output.stderr);
    assert_eq!(provider.requests(), 1);
    let report = output.json();
    assert_eq!(report["metadata"]["termination"], "stopped");
    let statuses: Vec<_> = (0..3)
        .map(|at| report["cases"][0]["details"]["iterations"][at]["status"].clone())
        .collect();
    assert_eq!(statuses, ["failed", "skipped", "skipped"]);
}

/// Runs two trials of a scripted model whose required judge asks the provider.
fn run_judged(provider: &Provider) -> howfar_testkit::home::Output {
    let cases = "  - id: c_one\n    title: One\n    iterations: 2\n    steps: [ { id: p, kind: prompt, prompt: go } ]\n";
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "scripted/script", cases)
        .script("scripts: [ { turns: [ { say: done } ] } ]");
    let judge = "validity: {}, judge: { role: gating, autoRun: true, model: openai/gpt-5-test }";
    let suite = bench.home.read("suite.yaml").replace("validity: {}", judge);
    bench.home.write("suite.yaml", &suite);
    let key = "sk-not-a-key-at-all";
    let args = ["run", "suite.yaml", "--base-url", &provider.url];
    let output = bench.home.invoke(howfar()).args(args).env("OPENAI_API_KEY", key).run();
    assert!(!output.stdout.contains(key) && !output.stderr.contains(key));
    output
}

#[test]
fn a_judge_whose_key_is_rejected_over_http_exits_3_and_is_asked_once() {
    let provider = Provider::start(|_| REJECTED);
    let output = run_judged(&provider);
    assert_eq!(output.code, Some(3), "{}", output.stderr);
    assert_eq!(provider.requests(), 1);
}

#[test]
fn a_busy_provider_of_a_judge_is_an_evaluator_error_and_exits_5() {
    let provider = Provider::start(|_| LIMITED);
    let output = run_judged(&provider);
    assert_eq!(output.code, Some(5), "{}", output.stderr);
    assert_eq!(provider.requests(), 2);
    let trial = &output.json()["cases"][0]["details"]["iterations"][0];
    assert_eq!(trial["judge"]["error"]["httpStatus"], 429);
    assert_eq!(trial["evaluatorError"], true);
}
