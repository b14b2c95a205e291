//! `cargo xtask gen`: the reference pages that the `howfar` program prints about itself.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::step::{self, Summary, capture, cargo};

/// One generated page: its path below the workspace root, and the arguments of `howfar` that print it.
struct Page {
    path: &'static str,
    arguments: &'static [&'static str],
}

const PAGES: &[Page] = &[
    Page { path: "docs/reference/glossary.md", arguments: &["explain", "--format", "markdown"] },
    Page { path: "docs/reference/schemas.json", arguments: &["schema", "--all"] },
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
        summary.group(page.path, || then(&root.join(page.path), &print_page(root, page)?));
    }
    Ok(summary)
}

fn print_page(root: &Path, page: &Page) -> Result<String> {
    let mut command = cargo(root, &["run", "--quiet", "--package", "howfar", "--"]);
    let text = capture(command.args(page.arguments))?;
    ensure!(!text.trim().is_empty(), "howfar {} printed nothing", page.arguments.join(" "));
    Ok(text)
}
