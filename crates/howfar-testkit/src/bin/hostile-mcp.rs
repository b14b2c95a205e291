//! A scripted MCP server over stdio: `hostile-mcp MODE [METHOD] [NUMBER]`.
//!
//! `METHOD` is the method whose answer the mode spoils, `NUMBER` the delay of `slow` in milliseconds or the size of
//! `bigline` in bytes. Without a mode it names all of them.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the server speaks over its standard streams"
)]

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use howfar_testkit::hostile::{Mode, Reply, answer};
use serde_json::Value;

/// The delay of `slow` unless told otherwise.
const DELAY: Duration = Duration::from_secs(2);

/// How long `stay` outlives its stdin when nobody signals it.
const STAY_BOUND: Duration = Duration::from_secs(600);

const BANNER: &str = "Example server 1.0.0\nListening for requests. Press Ctrl+C to stop.";

const TRACEBACK: &str = "\
Traceback (most recent call last):
  File \"server.py\", line 3, in <module>
    from settings import TOKEN
ModuleNotFoundError: No module named 'settings'";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(mode) = arguments.first().and_then(|text| Mode::parse(text)) else {
        let known: Vec<&str> = Mode::ALL.iter().map(|mode| mode.as_str()).collect();
        eprintln!("usage: hostile-mcp MODE [METHOD] [NUMBER]\nmodes: {}", known.join(" "));
        return ExitCode::from(2);
    };
    let method = arguments.get(1).map_or(mode.default_method(), String::as_str);
    let number = arguments.get(2).and_then(|text| text.parse().ok());
    match mode {
        Mode::Banner => {
            println!("{BANNER}");
            ExitCode::SUCCESS
        }
        Mode::Exit => {
            eprintln!("{TRACEBACK}");
            ExitCode::FAILURE
        }
        _ => serve(mode, method, number),
    }
}

/// Answers line by line until stdin closes.
fn serve(mode: Mode, method: &str, number: Option<usize>) -> ExitCode {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            eprintln!("received a line that is not JSON");
            continue;
        };
        let Some(name) = message["method"].as_str() else { continue };
        if message.get("id").is_none() {
            eprintln!("received {name}");
            continue;
        }
        match answer(mode, method, number, &message) {
            Reply::Line(line) => {
                if mode == Mode::Noise {
                    send("[info] handling a request".to_owned());
                }
                send(line);
            }
            Reply::Late(line) => {
                let delay = number
                    .and_then(|number| number.try_into().ok())
                    .map_or(DELAY, Duration::from_millis);
                std::thread::spawn(move || {
                    std::thread::sleep(delay);
                    send(line);
                });
            }
            Reply::Silence => {}
            Reply::End => return ExitCode::from(3),
        }
    }
    if mode == Mode::Stay {
        std::thread::sleep(STAY_BOUND);
    }
    ExitCode::SUCCESS
}

/// Writes one line. A client that went away is noticed by the end of stdin, so a failed write is not.
fn send(mut line: String) {
    line.push('\n');
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush());
}
