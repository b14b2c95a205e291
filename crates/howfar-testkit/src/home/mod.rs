//! Running a program as a stranger would: in an empty home, with a clean environment and a bound on its time.

mod redaction;

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::Value;

pub use redaction::redact;

use crate::program::kill_group;

/// How long a program may take unless told otherwise: a peer on Python needs ten seconds to start on a busy machine.
const TIME_BOUND: Duration = Duration::from_secs(60);

/// The inherited variables: where programs lie, and where a coverage build writes.
const INHERITED: &[&str] = &["PATH", "LLVM_PROFILE_FILE"];

/// A temporary home folder and a working directory beside it; both are removed with the value.
#[derive(Debug)]
pub struct Home {
    home: PathBuf,
    work: PathBuf,
    /// Removes both folders when it is dropped.
    _root: tempfile::TempDir,
}

impl Home {
    /// An empty home and an empty working directory.
    ///
    /// # Panics
    ///
    /// When the temporary folder cannot be written.
    #[expect(clippy::new_without_default, reason = "making folders is no default value")]
    pub fn new() -> Self {
        let root = tempfile::tempdir().expect("the temporary folder is writable");
        // Programs print the real path, which differs where the temporary folder is a link.
        let real = root.path().canonicalize().expect("a folder that was just made has a path");
        let (home, work) = (real.join("home"), real.join("work"));
        for folder in [&home, &work] {
            std::fs::create_dir(folder).expect("the temporary folder is writable");
        }
        Self { home, work, _root: root }
    }

    /// The home folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The working directory of what runs here.
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// Writes a file below the working directory, with its folders, and gives its absolute path.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("the temporary folder is writable");
        }
        std::fs::write(&path, text).expect("the temporary folder is writable");
        path
    }

    /// The text of a file below the working directory.
    ///
    /// # Panics
    ///
    /// When it cannot be read: the test expects it.
    pub fn read(&self, name: &str) -> String {
        let path = self.work.join(name);
        std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
    }

    /// An invocation of the program, started by [`Invocation::run`]. A test of a program of its own crate gives
    /// `env!("CARGO_BIN_EXE_howfar")`.
    pub fn invoke(&self, program: impl Into<PathBuf>) -> Invocation<'_> {
        Invocation {
            home: self,
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            stdin: String::new(),
            bound: TIME_BOUND,
        }
    }

    /// Text with everything replaced that differs between two runs; see [`redact`]. The working directory becomes
    /// `[work]`, the home `[home]`.
    pub fn redact(&self, text: &str) -> String {
        let text = text.replace(&*self.work.to_string_lossy(), "[work]");
        redact(&text.replace(&*self.home.to_string_lossy(), "[home]"))
    }

    /// Exit code, stdout and stderr as one redacted text, for an inline snapshot.
    pub fn snapshot(&self, output: &Output) -> String {
        let code = output.code.map_or_else(|| "none".to_owned(), |code| code.to_string());
        let Output { stdout, stderr, .. } = output;
        self.redact(&format!(
            "exit code: {code}\n--- stdout ---\n{stdout}\n--- stderr ---\n{stderr}"
        ))
    }
}

/// A program that will run in a [`Home`], with nothing of the developer's environment but `PATH`.
#[derive(Debug)]
#[must_use = "an invocation does nothing until it runs"]
pub struct Invocation<'home> {
    home: &'home Home,
    program: PathBuf,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    stdin: String,
    bound: Duration,
}

impl Invocation<'_> {
    /// Adds arguments.
    pub fn args<'a>(mut self, args: impl IntoIterator<Item = &'a str>) -> Self {
        self.args.extend(args.into_iter().map(str::to_owned));
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets what the program reads from stdin; nothing unless set.
    pub fn stdin(mut self, text: &str) -> Self {
        text.clone_into(&mut self.stdin);
        self
    }

    /// Sets the time after which the program and what it started are killed and the test fails.
    pub fn within(mut self, bound: Duration) -> Self {
        self.bound = bound;
        self
    }

    /// Runs the program to its end.
    ///
    /// # Panics
    ///
    /// When it cannot be started, or does not end and close its pipes within the bound.
    pub fn run(self) -> Output {
        let mut command = self.command();
        let mut child = command.spawn().unwrap_or_else(|error| {
            panic!("cannot start {}: {error}", self.program.display());
        });
        let leader = child.id();
        let stdin = child.stdin.take();
        let text = self.stdin;
        std::thread::spawn(move || {
            // A program need not read its input.
            stdin.map(|mut stdin| stdin.write_all(text.as_bytes()))
        });
        let (sender, ended) = channel();
        std::thread::spawn(move || sender.send(child.wait_with_output()));
        let Ok(output) = ended.recv_timeout(self.bound) else {
            kill_group(leader);
            panic!(
                "{} {:?} did not end within {:?}",
                self.program.display(),
                self.args,
                self.bound
            );
        };
        let output = output.expect("a child can be waited for");
        Output {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(&self.home.work).process_group(0).env_clear();
        for name in INHERITED {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("HOME", &self.home.home).env("TZ", "UTC").env("LANG", "C.UTF-8");
        command.env("NO_COLOR", "1").envs(&self.env);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// What a program printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a result that nobody checks tests nothing"]
pub struct Output {
    /// Everything on stdout; bytes that are not UTF-8 are replaced.
    pub stdout: String,
    /// Everything on stderr; bytes that are not UTF-8 are replaced.
    pub stderr: String,
    /// The exit code; `None` when a signal ended the program.
    pub code: Option<i32>,
}

impl Output {
    /// Stdout as one JSON document.
    ///
    /// # Panics
    ///
    /// When it is not; the message carries both outputs.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("stdout is not one JSON document: {error}\n{self:#?}"))
    }
}
