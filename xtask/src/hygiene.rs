//! What holds of the repository as a whole: whose code is inside, and that its text speaks of no machine.

use std::path::Path;

use anyhow::{Result, bail};

use crate::step::{capture, cargo, command};

/// Crates that compute and nothing else, and what their dependency trees must not hold: no runtime, no HTTP client, no
/// database.
const PURE_CRATES: &[&str] = &["howfar-wire", "howfar-suite", "howfar-core", "howfar-report"];
const IMPURE_PACKAGES: &[&str] = &["tokio", "reqwest", "hyper", "sqlx", "rusqlite"];

/// Packages that must not be in the workspace at all: there is one TLS stack, and its C build is small.
const REFUSED_PACKAGES: &[&str] = &["aws-lc-sys"];

/// First folders of absolute paths that exist on one developer's machine only.
const MACHINE_FOLDERS: &[&str] = &["home", "Users", "root", "work", "farm"];

/// Checks the dependency trees of the workspace and of the pure crates.
pub(crate) fn dependencies(root: &Path) -> Result<()> {
    let mut findings = Vec::new();
    let all = packages_of(root, &["--workspace"])?;
    findings.extend(held(&all, REFUSED_PACKAGES).map(|name| format!("the workspace holds {name}")));
    for pure in PURE_CRATES {
        let tree = packages_of(root, &["--package", pure, "--edges", "normal", "--all-features"])?;
        findings.extend(
            held(&tree, IMPURE_PACKAGES).map(|name| format!("{pure} is pure, but holds {name}")),
        );
    }
    none_of(&findings)
}

/// Checks that no committed text holds an absolute path of a machine.
pub(crate) fn no_machine_paths(root: &Path) -> Result<()> {
    let listed = capture(&mut command(
        root,
        "git",
        &["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    ))?;
    let mut findings = Vec::new();
    for file in listed.split('\0').filter(|file| !file.is_empty()) {
        // A file that is listed but gone, or that is not text, holds no text to check.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let hits = text.lines().enumerate().filter(|(_, line)| names_machine_path(line));
        findings.extend(hits.map(|(at, line)| format!("{file}:{}: {}", at + 1, line.trim())));
    }
    none_of(&findings)
}

/// The names of the packages in one dependency tree.
fn packages_of(root: &Path, selection: &[&str]) -> Result<Vec<String>> {
    let mut tree = cargo(root, &["tree", "--prefix", "none", "--format", "{p}"]);
    let text = capture(tree.args(selection))?;
    Ok(text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

fn held<'a>(tree: &'a [String], names: &'a [&str]) -> impl Iterator<Item = &'a str> {
    names.iter().copied().filter(|name| tree.iter().any(|package| package == name))
}

/// Whether the line holds `/FOLDER/` at the start of a path, as opposed to inside a longer path or an address.
fn names_machine_path(line: &str) -> bool {
    let starts_path = |at: usize| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric() && !"/._-~*}>$".contains(before))
    };
    MACHINE_FOLDERS.iter().any(|folder| {
        let prefix = format!("/{folder}/");
        line.match_indices(&prefix).any(|(at, _)| starts_path(at))
    })
}

fn none_of(findings: &[String]) -> Result<()> {
    if findings.is_empty() { Ok(()) } else { bail!("{}", findings.join("\n  ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folder: &str, around: (&str, &str), expected: bool) {
        let line = format!("{}/{folder}/someone/file{}", around.0, around.1);
        assert_eq!(names_machine_path(&line), expected, "{line}");
    }

    #[test]
    fn an_absolute_path_of_a_machine_is_found_wherever_it_starts() {
        check("home", ("", ""), true);
        check("Users", ("see \"", "\""), true);
        check("work", ("--store=", ""), true);
    }

    #[test]
    fn a_folder_inside_a_path_or_an_address_is_not_one() {
        check("home", ("https://example.com", ""), false);
        check("work", ("crates", ""), false);
        check("root", ("..", ""), false);
    }

    #[test]
    fn a_package_is_held_by_its_whole_name() {
        let tree = ["tokio-util".to_owned(), "hyper".to_owned()];
        assert_eq!(held(&tree, IMPURE_PACKAGES).collect::<Vec<_>>(), ["hyper"]);
    }
}
