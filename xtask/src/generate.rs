//! `cargo xtask gen`: the reference pages that the `howfar` program prints about itself.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::step::{self, Summary, capture, cargo};

/// One generated page: its path below the workspace root, and what makes its text.
struct Page {
    path: &'static str,
    text: fn(&Path) -> Result<String>,
}

const PAGES: &[Page] = &[
    Page { path: "docs/reference/commands.md", text: commands },
    Page {
        path: "docs/reference/glossary.md",
        text: |root| printed(root, &["explain", "--format", "markdown"]),
    },
    Page { path: "docs/reference/schemas.json", text: |root| pretty(root, &["schema", "--all"]) },
    Page { path: "docs/reference/openapi.json", text: |root| pretty(root, &["schema", "openapi"]) },
];

/// Writes every page.
pub(crate) fn write(root: &Path) -> Result<Summary> {
    each_page(root, |path, text| {
        let folder = path.parent().context("a page lies in a folder")?;
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
    })
}

/// Says which pages differ from what the program prints now.
pub(crate) fn check(root: &Path) -> Result<Summary> {
    each_page(root, |path, text| {
        let stored = std::fs::read_to_string(path).unwrap_or_default();
        if stored == text {
            Ok(())
        } else {
            bail!("stale: run cargo xtask gen and commit the page")
        }
    })
}

fn each_page(root: &Path, then: impl Fn(&Path, &str) -> Result<()>) -> Result<Summary> {
    step::stream(&mut cargo(root, &["build", "--quiet", "--package", "howfar"]))?;
    let mut summary = Summary::default();
    for page in PAGES {
        summary.group(page.path, || then(&root.join(page.path), &(page.text)(root)?));
    }
    Ok(summary)
}

/// What `howfar` prints with these arguments.
fn printed(root: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = cargo(root, &["run", "--quiet", "--package", "howfar", "--"]);
    let text = capture(command.args(arguments).env("COLUMNS", "100"))?;
    ensure!(!text.trim().is_empty(), "howfar {} printed nothing", arguments.join(" "));
    Ok(text)
}

/// One JSON document that `howfar` prints, one member per line, so that a change is a readable difference.
fn pretty(root: &Path, arguments: &[&str]) -> Result<String> {
    let document: serde_json::Value = serde_json::from_str(&printed(root, arguments)?)?;
    Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
}

/// The help of every command that `howfar --help` lists.
fn commands(root: &Path) -> Result<String> {
    let overview = printed(root, &["--help"])?;
    let mut page = format!(
        "# Commands\n\nGenerated from `--help`.\n\n```text\n{}\n```\n",
        overview.trim_end()
    );
    let listed = overview.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in listed.take_while(|line| line.starts_with("  ")) {
        let Some(name) = line.split_whitespace().next().filter(|name| *name != "help") else {
            continue;
        };
        let help = printed(root, &[name, "--help"])?;
        page.push_str(&format!("\n## howfar {name}\n\n```text\n{}\n```\n", help.trim_end()));
    }
    Ok(page)
}
