//! The project's own commands: `cargo xtask <task>`.
//!
//! `test` sets up what the tests need and runs them, `vectors` runs the conformance tests alone, `kill-test` runs the
//! test of killed runs at its full size, `gen` writes the generated reference pages, `ready` runs every check in the
//! order of the stages. What each check means lies in the module of its name; running commands and the closing summary
//! lie in [`step`].

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to the developer")]

mod generate;
mod hygiene;
mod peers;
mod ready;
mod step;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::step::Summary;

const USAGE: &str = "\
usage: cargo xtask <task>

  test [-- ARGS]   set up the test peers and run the tests; ARGS go to `cargo test` and replace its groups
  vectors          run the conformance tests alone
  kill-test        kill a run of 500 trials twenty times and resume it to the end
  gen [--check]    write docs/reference, or say which of its pages are stale
  ready            every check: format, lints, docs, reference pages, dependencies, paths, tests";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one task; `false` when a check of it did not hold.
fn run(arguments: &[String]) -> Result<bool> {
    let root = workspace_root()?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let summary = match words.as_slice() {
        ["test"] => test::run(&root, &[])?,
        ["test", "--", rest @ ..] => test::run(&root, rest)?,
        ["vectors"] => test::run_vectors(&root)?,
        ["kill-test"] => test::run_kills(&root)?,
        ["gen"] => generate::write(&root)?,
        ["gen", "--check"] => generate::check(&root)?,
        ["ready"] => ready::run(&root)?,
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Summary::default()
        }
        [unknown, ..] => anyhow::bail!("cannot run {unknown:?} with these arguments\n\n{USAGE}"),
    };
    summary.print();
    Ok(summary.holds(in_ci()))
}

/// The folder that holds the workspace's `Cargo.toml`.
fn workspace_root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(manifest.parent().context("xtask lies in a folder of the workspace")?.to_owned())
}

/// Whether the checks run unattended: there, a group that could not run is a failure.
fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}
