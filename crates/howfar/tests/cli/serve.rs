use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};

use howfar_testkit::home::Home;
use howfar_testkit::program::Running;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::howfar;

/// A dashboard over a store that does not exist yet.
struct Served {
    running: Running,
    address: SocketAddr,
    told: Value,
}

impl Served {
    fn start(home: &Home) -> Self {
        let mut command = Command::new(howfar());
        command.args(["serve", "--port", "0", "--format", "json", "--store", "runs.db"]);
        command.current_dir(home.work()).env_clear().env("HOME", home.home());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running::start(&mut command);
        let stdout = running.child().stdout.take().expect("stdout is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it is");
        let told: Value = serde_json::from_str(&line).expect("one line of JSON");
        let url = told["url"].as_str().unwrap_or_default();
        let address = url.trim_start_matches("http://").trim_end_matches('/');
        Self { running, address: address.parse().expect("an address"), told }
    }

    /// The whole response to a request that names this host.
    fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it answers in text");
        response
    }
}

#[test]
fn a_served_store_answers_its_own_host_alone() {
    let home = Home::new();
    let served = Served::start(&home);
    assert_eq!(served.told["kind"], "serving");
    let ours = served.address.to_string();
    let response = served.get("/api/v1/runs", &ours);
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    assert!(response.contains("\"totalRuns\":0"), "{response}");
    for path in ["/", "/healthz", "/api/v1/runs"] {
        let response = served.get(path, "evil.example");
        assert!(response.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{path}: {response}");
    }
}

#[test]
fn a_server_ends_cleanly_with_a_stream_open() {
    let home = Home::new();
    let mut served = Served::start(&home);
    let mut stream = TcpStream::connect(served.address).expect("it listens");
    let request = format!("GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut first = [0; 12];
    stream.read_exact(&mut first).expect("it answers");
    assert_eq!(&first, b"HTTP/1.1 200");
    let child = served.running.child();
    kill_process(Pid::from_child(child), Signal::INT).expect("the process runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn what_cannot_be_served_is_said() {
    let home = Home::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = taken.local_addr().expect("it has an address").port().to_string();
    let output = home.invoke(howfar()).args(["serve", "--port", &port]).run();
    assert_eq!(output.code, Some(4), "{}", output.stderr);
    assert!(output.stderr.contains("in use") && output.stderr.contains("--port 0"));
    let output = home.invoke(howfar()).args(["serve", "--bind", "0.0.0.0"]).run();
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("HOWFAR_TOKEN"), "{}", output.stderr);
    home.write("runs.db", &"notes ".repeat(1000));
    let output = home.invoke(howfar()).args(["serve", "--store", "runs.db"]).run();
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("not a howfar store"), "{}", output.stderr);
}
