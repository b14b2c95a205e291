//! A provider that rejects the key, on a socket that counts its requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use howfar_testkit::hostile::{self, Mode};

use crate::support::{Bench, howfar};

/// Answers every request with 401, and counts them. It ends with the test process.
fn rejecting_provider() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port");
    let address = listener.local_addr().expect("it is bound");
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 0) && line != "\r\n" {
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or(0);
                }
                line.clear();
            }
            let mut body = vec![0; length];
            let _ = reader.read_exact(&mut body);
            counted.fetch_add(1, Ordering::SeqCst);
            let body =
                r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#;
            let answer = format!(
                "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = reader.into_inner().write_all(answer.as_bytes());
        }
    });
    (format!("http://{address}/v1"), count)
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
    let bench = Bench::new(&[("server", hostile::command(Mode::Ok))], "openai/gpt-test", cases);
    let (url, count) = rejecting_provider();
    let output = bench
        .home
        .invoke(howfar())
        .args(["run", "suite.yaml", "--base-url", &url])
        .env("OPENAI_API_KEY", "sk-not-a-key-at-all")
        .run();
    assert_eq!(output.code, Some(3), "{}", output.stderr);
    assert_eq!(count.load(Ordering::SeqCst), 1);
    let report = output.json();
    assert_eq!(report["metadata"]["termination"], "stopped");
    let statuses: Vec<_> = (0..3)
        .map(|at| report["cases"][0]["details"]["iterations"][at]["status"].clone())
        .collect();
    assert_eq!(statuses, ["failed", "skipped", "skipped"]);
    assert!(!output.stdout.contains("sk-not-a-key-at-all"));
}
