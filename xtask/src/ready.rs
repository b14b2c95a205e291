//! `cargo xtask ready`: every check, the cheap ones first; it stops at the first that does not hold.

use std::path::Path;

use anyhow::{Result, bail};

use crate::step::{Outcome, Summary, cargo, stream};
use crate::{generate, hygiene, in_ci, test};

/// One check: its name, and the work that errs when it does not hold.
type Check = (&'static str, fn(&Path) -> Result<()>);

const CHECKS: &[Check] = &[
    ("fmt", |root| stream(&mut cargo(root, &["fmt", "--all", "--check"]))),
    ("paths", hygiene::no_machine_paths),
    ("dependencies", hygiene::dependencies),
    ("clippy", |root| {
        let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        stream(&mut cargo(root, &arguments))
    }),
    ("docs", |root| {
        let mut command = cargo(root, &["doc", "--workspace", "--no-deps"]);
        stream(command.env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("gen", |root| whole(&generate::check(root)?)),
    ("test", |root| whole(&test::run(root, &[])?)),
];

/// Runs the checks in order.
pub(crate) fn run(root: &Path) -> Result<Summary> {
    let mut summary = Summary::default();
    let mut checks = CHECKS.iter();
    for (name, check) in checks.by_ref() {
        if *summary.group(name, || check(root)) != Outcome::Passed {
            break;
        }
    }
    let rest: Vec<&str> = checks.map(|(name, _)| *name).collect();
    if !rest.is_empty() {
        println!("\nnot run after the failure: {}", rest.join(", "));
    }
    Ok(summary)
}

/// A task of several groups as one check.
fn whole(summary: &Summary) -> Result<()> {
    summary.print();
    if summary.holds(in_ci()) { Ok(()) } else { bail!("not every group passed") }
}
