//! A real browser, driven over the WebDriver protocol: Chromium without a window, through its own driver.
//!
//! A test that needs it lies in a module whose name ends with `browser`. [`Browser::start`] gives `None`, and prints why, where there is no
//! browser; the test then returns. `cargo xtask test` installs it on Debian.

use std::io::{BufRead, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::peers::PEERS_VARIABLE;
use crate::program::{HttpPeer, ProgramSpec};

/// How long one command of the driver may take.
const COMMAND_BOUND: Duration = Duration::from_secs(60);

/// Flags that work as root, without a display and without a network.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// A browser window; it ends with its driver when the value is dropped.
#[derive(Debug)]
pub struct Browser {
    driver: HttpPeer,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// A window with an empty profile.
    ///
    /// # Panics
    ///
    /// When the browser is installed and does not start.
    pub fn start() -> Option<Self> {
        let (Some(driver), Some(browser)) = (on_path("chromedriver"), on_path("chromium")) else {
            println!("skipped: chromium and chromedriver are not installed; run cargo xtask test");
            return None;
        };
        let profile = tempfile::tempdir().expect("the temporary folder is writable");
        let driver =
            HttpPeer::start(|port| ProgramSpec::new(&driver).arg(format!("--port={port}")));
        let folder = format!("--user-data-dir={}", profile.path().display());
        let args: Vec<&str> = FLAGS.iter().copied().chain([folder.as_str()]).collect();
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": browser, "args": args},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let answer = post(driver.address(), "/session", &capabilities);
        let session =
            answer["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {answer}"));
        let browser = Self { session: session.to_owned(), driver, _profile: profile };
        // The page of a new tab asks for parts of itself; nobody wants to hear of them.
        browser.open("about:blank");
        browser.requests();
        Some(browser)
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
    }

    /// Opens a file.
    pub fn open_file(&self, path: &Path, fragment: &str) {
        self.open(&format!("file://{}{fragment}", path.display()));
    }

    /// Runs the body of a function on the page and gives what it returns; a promise is waited for. The page's own policy
    /// does not apply to it.
    pub fn run(&self, body: &str) -> Value {
        self.command("execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// Sets the size of what is seen of a page, in CSS pixels.
    pub fn size(&self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Whether the reader prefers `light` or `dark`, and whether the page is on `screen` or in `print`.
    pub fn media(&self, scheme: &str, medium: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.devtools(
            "Emulation.setEmulatedMedia",
            &json!({"media": medium, "features": features}),
        );
    }

    /// What the page and the browser wrote to the console since the last question.
    pub fn console(&self) -> Vec<String> {
        let entries = self.command("se/log", &json!({"type": "browser"}));
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// The addresses that were requested since the last question, in order.
    pub fn requests(&self) -> Vec<String> {
        let entries = self.command("se/log", &json!({"type": "performance"}));
        let messages = entries
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|entry| serde_json::from_str::<Value>(entry["message"].as_str()?).ok());
        let sent = messages.filter(|log| log["message"]["method"] == "Network.requestWillBeSent");
        let url =
            |log: Value| log["message"]["params"]["request"]["url"].as_str().map(str::to_owned);
        sent.filter_map(url).collect()
    }

    /// Saves a picture of the whole page as a PNG file.
    ///
    /// # Panics
    ///
    /// When the file cannot be written.
    pub fn picture(&self, path: &Path) {
        let whole = json!({"format": "png", "captureBeyondViewport": true});
        let command = json!({ "cmd": "Page.captureScreenshot", "params": whole });
        let answer = self.command("goog/cdp/execute", &command);
        let text = answer["data"].as_str().expect("a picture comes as text");
        std::fs::write(path, bytes_of_base64(text)).expect("the folder of pictures is writable");
    }

    /// What axe-core finds with an impact of `serious` or `critical`: rule, help, and the first places. `None`, with a
    /// line that says why, where axe-core is not set up.
    pub fn serious_findings(&self) -> Option<Vec<String>> {
        let folder = std::env::var_os(PEERS_VARIABLE).map(PathBuf::from);
        let file = folder.map(|folder| folder.join("node/node_modules/axe-core/axe.min.js"));
        let Some(axe) = file.and_then(|file| std::fs::read_to_string(file).ok()) else {
            println!("skipped: axe-core is not set up; run cargo xtask test");
            return None;
        };
        let found =
            self.run(&format!("{axe}; return axe.run().then(result => result.violations);"));
        let serious = |rule: &&Value| rule["impact"] == "serious" || rule["impact"] == "critical";
        let words = |rule: &Value| {
            let places: Vec<_> = rule["nodes"].as_array().into_iter().flatten().take(3).collect();
            format!("{}: {} {}", rule["id"], rule["help"], json!(places))
        };
        let found = found.as_array().expect("axe-core gives a list");
        Some(found.iter().filter(serious).map(words).collect())
    }

    fn devtools(&self, method: &str, params: &Value) {
        self.command("goog/cdp/execute", &json!({ "cmd": method, "params": params }));
    }

    fn command(&self, command: &str, body: &Value) -> Value {
        post(self.driver.address(), &format!("/session/{}/{command}", self.session), body)
    }
}

impl Drop for Browser {
    /// Ends the browser, which is not in the process group of its driver.
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        // The driver may have ended already; there is nothing left to end then.
        let _ = request(self.driver.address(), "DELETE", &path, "");
    }
}

/// The bytes that a base64 text spells; padding and anything else that is no digit counts for nothing.
fn bytes_of_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|byte| ALPHABET.iter().position(|known| *known == byte));
    let digits: Vec<u32> = digits.map(|digit| digit as u32).collect();
    let bytes_of = |chunk: &[u32]| {
        let group =
            chunk.iter().fold(0, |group, digit| group << 6 | digit) << (6 * (4 - chunk.len()));
        group.to_be_bytes()[1..chunk.len()].to_vec()
    };
    digits.chunks(4).flat_map(bytes_of).collect()
}

/// A program in a folder of `PATH`.
fn on_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Sends one command and gives its value.
fn post(address: SocketAddr, path: &str, body: &Value) -> Value {
    let answer = request(address, "POST", path, &body.to_string())
        .unwrap_or_else(|error| panic!("the driver did not answer {path}: {error}"));
    let mut answer: Value = serde_json::from_str(&answer)
        .unwrap_or_else(|error| panic!("{path} was not answered with JSON: {error}: {answer}"));
    let value = answer["value"].take();
    assert!(value.get("error").is_none(), "{path}: {value}");
    value
}

/// One exchange over a connection of its own; gives the body of the answer.
fn request(address: SocketAddr, method: &str, path: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(COMMAND_BOUND))?;
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes())?;
    read_answer(&mut BufReader::new(stream))
}

/// The body of an answer, by its length: the browser inherits the connection, so that it does not end with the answer.
fn read_answer(stream: &mut impl BufRead) -> std::io::Result<String> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    String::from_utf8(body).map_err(std::io::Error::other)
}
