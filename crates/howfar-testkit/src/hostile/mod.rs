//! Scripted MCP servers that do one thing wrong each, over stdio and over HTTP.
//!
//! They are programs of this crate, written by hand on lines of JSON, so that they can break every rule of the protocol.
//! Cargo tells only this crate's own tests where its programs lie; [`command`] and [`http`] therefore build them once per
//! test process, with the same cargo, profile and target folder as the running test, and need no setting.

mod answer;
mod mode;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub use answer::{LOUD, Reply, answer};
pub use mode::Mode;

use crate::program::{HttpPeer, ProgramSpec};

/// The scripted stdio server in one mode.
///
/// Modes that spoil one answer take the method of that answer as a further argument, [`Mode::Slow`] the delay in
/// milliseconds and [`Mode::BigLine`] the size in bytes after it:
///
/// ```no_run
/// use howfar_testkit::hostile::{self, Mode};
/// let never_lists = hostile::command(Mode::Hang).arg("tools/list");
/// let late_by_a_second = hostile::command(Mode::Slow).arg("tools/call").arg("1000");
/// ```
///
/// It names every notification that it receives on stderr (`received notifications/cancelled`), and ends with exit code
/// 0 when its stdin closes.
///
/// # Panics
///
/// When the program cannot be built.
pub fn command(mode: Mode) -> ProgramSpec {
    program("hostile-mcp").arg(mode.as_str())
}

/// The scripted HTTP server, started. Its endpoints speak streamable HTTP and are chosen by path:
///
/// | Path | What it does |
/// | --- | --- |
/// | `/list401` | everything is fine until `tools/list`, which gets HTTP 401 with a bearer challenge |
/// | `/init401` | `initialize` gets HTTP 401 with a bearer challenge |
/// | `/init500` | `initialize` gets HTTP 500 with a text body |
/// | `/html` | every request gets HTTP 200 with a web page |
/// | `/hang` | no request is ever answered |
/// | `/MODE` | the answers of that [`Mode`], for example `/ok`; modes of a process (`banner`, `exit`, `noise`) are good |
///
/// # Panics
///
/// When the program cannot be built or does not start.
pub fn http() -> HttpPeer {
    let spec = program("hostile-http");
    HttpPeer::start(|port| spec.clone().arg(port.to_string()))
}

/// One of the programs of this crate, built if it is not.
fn program(name: &str) -> ProgramSpec {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    ProgramSpec::new(FOLDER.get_or_init(build).join(name))
}

/// Builds the programs and gives the folder that they lie in: `TARGET/PROFILE`, where the running test lies in
/// `TARGET/PROFILE/deps`.
fn build() -> PathBuf {
    let test = std::env::current_exe().expect("a running program has a path");
    let folder = test.ancestors().nth(2).expect("a test program lies in TARGET/PROFILE/deps");
    let target = folder.parent().expect("a profile's folder lies in the target folder");
    // The folder of the profile `dev` has another name, every other folder has the name of its profile.
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(["build", "--quiet", "--package", "howfar-testkit", "--bins", "--profile", profile])
        .arg("--target-dir")
        .arg(target)
        .output()
        .expect("cargo runs, because it started this test");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the scripted servers do not build:\n{stderr}");
    folder.to_owned()
}
