//! A client of a stdio server that knows lines of JSON and nothing of the protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use howfar_testkit::program::{HttpPeer, ProgramSpec, Running};
use serde_json::{Value, json};

/// How long a line of a real peer may take on a busy machine.
const LINE_BOUND: Duration = Duration::from_secs(60);

/// A started server and what it printed so far.
pub(crate) struct Wire {
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    running: Running,
}

impl Wire {
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running::start(command);
        let stdin = running.child().stdin.take();
        let stdout = running.child().stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                // The test may have ended before the server.
                let _ = sender.send(line);
            }
        });
        Self { stdin, lines, running }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{message}").expect("the server reads");
    }

    /// Sends a request and gives the next line, whatever it is; `None` when the server ended.
    pub(crate) fn exchange(&mut self, id: u64, method: &str, params: &Value) -> Option<String> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.line(LINE_BOUND).expect("the server answers or ends")
    }

    /// The result of a request; other messages that come before it are left out.
    pub(crate) fn result(&mut self, id: u64, method: &str, params: &Value) -> Value {
        let mut line = self.exchange(id, method, params);
        loop {
            let text = line.expect("the server goes on");
            let message: Value = serde_json::from_str(&text).expect("a peer prints JSON");
            if message["id"] == id {
                return message["result"].clone();
            }
            line = self.line(LINE_BOUND).expect("the server answers or ends");
        }
    }

    /// Shakes hands and gives the result of `initialize`.
    pub(crate) fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "wire", "version": "0"},
        });
        let result = self.result(1, "initialize", &params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        result
    }

    /// The next line: an error when none comes within the bound, `None` when the server ended.
    pub(crate) fn line(&self, bound: Duration) -> Result<Option<String>, RecvTimeoutError> {
        match self.lines.recv_timeout(bound) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(RecvTimeoutError::Timeout),
        }
    }

    /// Closes the server's stdin.
    pub(crate) fn close_input(&mut self) {
        drop(self.stdin.take());
    }

    /// Closes the server's stdin and gives its exit code.
    pub(crate) fn finish(mut self) -> Option<i32> {
        self.close_input();
        while self.line(LINE_BOUND).expect("a server ends when its stdin closes").is_some() {}
        self.running.child().wait().expect("a child can be waited for").code()
    }
}

/// Checks how many tools a peer lists; a peer that is not set up has said so.
pub(crate) fn check_tools(spec: Option<ProgramSpec>, expected: usize) {
    let Some(spec) = spec else { return };
    let mut wire = Wire::start(&mut spec.command());
    wire.initialize();
    let tools = wire.result(2, "tools/list", &json!({}));
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(expected), "{tools}");
    assert_eq!(wire.finish(), Some(0));
}

/// Posts JSON and gives the whole answer, head and body.
pub(crate) fn post(peer: &HttpPeer, path: &str, body: &Value) -> String {
    let mut stream = TcpStream::connect(peer.address()).expect("a started peer accepts");
    request(&mut stream, peer, path, body);
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the answer is text");
    answer
}

/// Writes a request that posts JSON.
pub(crate) fn request(stream: &mut TcpStream, peer: &HttpPeer, path: &str, body: &Value) {
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        peer.address(),
        body.len(),
    );
    stream.write_all((head + &body).as_bytes()).expect("a started peer reads");
}
