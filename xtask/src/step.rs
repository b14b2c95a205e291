//! Running one command of a task, and the summary that a task ends with.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// How one group of a task ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything of it ran and held.
    Passed,
    /// Something of it ran and did not hold.
    Failed(String),
    /// It could not run here, for the reason given.
    Skipped(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passed"),
            Self::Failed(reason) => write!(f, "failed: {reason}"),
            Self::Skipped(reason) => write!(f, "skipped: {reason}"),
        }
    }
}

/// The groups of a task in the order in which they ran.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    groups: Vec<(String, Outcome, Duration)>,
}

impl Summary {
    /// Runs one group under its name; an error of it is its failure, so that later groups can still run.
    pub(crate) fn group(&mut self, name: &str, work: impl FnOnce() -> Result<()>) -> &Outcome {
        self.outcome(name, || match work() {
            Ok(()) => Outcome::Passed,
            Err(error) => Outcome::Failed(format!("{error:#}")),
        })
    }

    /// Runs one group that decides itself how it ended.
    pub(crate) fn outcome(&mut self, name: &str, work: impl FnOnce() -> Outcome) -> &Outcome {
        println!("\n== {name}");
        let started = std::time::Instant::now();
        let outcome = work();
        println!("== {name}: {outcome}");
        self.groups.push((name.to_owned(), outcome, started.elapsed()));
        &self.groups.last().expect("a group was pushed in the line above").1
    }

    /// Whether the task as a whole holds; `strict` counts a skipped group as a failure.
    pub(crate) fn holds(&self, strict: bool) -> bool {
        self.groups.iter().all(|(_, outcome, _)| match outcome {
            Outcome::Passed => true,
            Outcome::Failed(_) => false,
            Outcome::Skipped(_) => !strict,
        })
    }

    /// Prints one line per group; nothing when the task had none.
    pub(crate) fn print(&self) {
        let width = self.groups.iter().map(|(name, ..)| name.len()).max();
        let Some(width) = width else { return };
        println!("\nsummary");
        for (name, outcome, took) in &self.groups {
            println!("  {name:width$}  {:>6.1} s  {outcome}", took.as_secs_f64());
        }
    }
}

/// A command of the workspace: it starts in `root`, and its output goes where ours goes.
pub(crate) fn command(root: &Path, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program.as_ref());
    command.current_dir(root).args(arguments).stdin(std::process::Stdio::null());
    command
}

/// The same cargo that started this program.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    command(root, Path::new(&program), arguments)
}

/// Prints the command, runs it with streamed output, and fails when it fails.
pub(crate) fn stream(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", shown(command));
    }
    Ok(())
}

/// Runs the command and gives its standard output; fails with its standard error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` ended with {}\n{}", shown(command), output.status, stderr.trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} prints text", shown(command)))
}

/// The command as one would type it, with the program's bare name.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(outcome: Outcome) -> Summary {
        let mut summary = Summary::default();
        summary.outcome("group", || outcome);
        summary
    }

    #[test]
    fn a_skipped_group_fails_only_where_nobody_looks() {
        let skipped = summary(Outcome::Skipped("no node".to_owned()));
        assert!(skipped.holds(false));
        assert!(!skipped.holds(true));
    }

    #[test]
    fn a_failed_group_fails_everywhere() {
        let failed = summary(Outcome::Failed("1 of 2".to_owned()));
        assert!(!failed.holds(false));
    }

    #[test]
    fn an_error_of_a_group_is_its_failure_with_every_cause() {
        let mut summary = Summary::default();
        let outcome = summary.group("group", || Err(anyhow::anyhow!("inner").context("outer")));
        assert_eq!(outcome, &Outcome::Failed("outer: inner".to_owned()));
    }

    #[test]
    fn a_command_is_shown_without_the_folder_of_its_program() {
        let command = command(Path::new("."), "/some/where/npm", &["ci", "--no-fund"]);
        assert_eq!(shown(&command), "npm ci --no-fund");
    }
}
