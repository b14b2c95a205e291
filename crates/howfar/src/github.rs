//! What a job of GitHub Actions is told besides: the summary page and annotations (suite and runner, section D8).
//!
//! Annotations go to stderr, because stdout carries exactly one document and the runner reads both.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use howfar_report::{Artifact, CasePlaces, render_annotations};
use howfar_suite::{SuiteParse, locate_paths, parse_suite_bytes, source_hash};
use howfar_wire::finding::PathSegment;
use howfar_wire::report::RunReport;

use crate::output;

/// A job as its environment describes it; everything is absent outside of one.
#[derive(Debug, Default)]
pub(crate) struct Job {
    /// The file that the summary page is made from.
    summary: Option<PathBuf>,
    /// Whether annotations are read.
    annotates: bool,
    /// The root of the repository.
    workspace: Option<PathBuf>,
    /// The page of the workflow run, which lists its artifacts.
    page: Option<String>,
}

impl Job {
    /// The job that this process runs in.
    pub(crate) fn of_environment() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let page = || {
            let server = variable("GITHUB_SERVER_URL")?;
            let repository = variable("GITHUB_REPOSITORY")?;
            Some(format!("{server}/{repository}/actions/runs/{}", variable("GITHUB_RUN_ID")?))
        };
        Self {
            summary: variable("GITHUB_STEP_SUMMARY").map(PathBuf::from),
            annotates: variable("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
            workspace: variable("GITHUB_WORKSPACE").map(PathBuf::from),
            page: page(),
        }
    }

    /// Appends Markdown to the summary page, if there is one. `markdown` is asked only then. A summary that cannot be
    /// written is a warning: it changes no result.
    pub(crate) fn summarize(&self, markdown: impl FnOnce() -> String) {
        let Some(path) = &self.summary else { return };
        if let Err(error) = append(path, &markdown()) {
            let path = path.display();
            output::say(&format!(
                "warning: the job summary could not be written to {path}: {error}"
            ));
        }
    }

    /// Annotates the cases of a run, if the job reads annotations. `suite` is the file of the run, where it is known.
    pub(crate) fn annotate(&self, report: &RunReport, suite: Option<&Path>) {
        if !self.annotates {
            return;
        }
        let places = suite.and_then(|suite| self.places(report, suite));
        let mut text = String::new();
        render_annotations(report, places.as_ref(), &mut text)
            .expect("writing into a String cannot fail");
        if !text.is_empty() {
            output::say(text.trim_end());
        }
    }

    /// Where a report that was written to `out` can be found.
    pub(crate) fn artifact(&self, out: &Path) -> Artifact {
        let name = out.file_name().unwrap_or(out.as_os_str()).to_string_lossy().into_owned();
        Artifact { name, url: self.page.clone() }
    }

    /// The lines of the cases; absent when the file is not the one that ran, or lies outside of the repository.
    fn places(&self, report: &RunReport, suite: &Path) -> Option<CasePlaces> {
        let bytes = std::fs::read(suite).ok()?;
        if source_hash(&bytes) != report.metadata.suite.source_hash {
            return None;
        }
        let suite = std::fs::canonicalize(suite).ok()?;
        let root = std::fs::canonicalize(self.workspace.as_ref()?).ok()?;
        let file = suite.strip_prefix(root).ok()?.to_str()?.to_owned();
        Some(CasePlaces { file, lines: case_lines(&bytes)? })
    }
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    // A blank line ends whatever an earlier step of the job left open.
    file.write_all(format!("\n{text}").as_bytes())
}

/// The line of each case of a suite file by its id.
fn case_lines(bytes: &[u8]) -> Option<std::collections::BTreeMap<String, usize>> {
    let parsed = parse_suite_bytes(bytes).ok()?;
    let SuiteParse::Valid { suite, warnings: _ } = parsed else { return None };
    let ids: Vec<String> = suite.file().cases.iter().map(|case| case.id.0.clone()).collect();
    let path = |at| [PathSegment::Name("cases".to_owned()), PathSegment::Index(at)];
    let paths: Vec<_> = (0..ids.len()).map(path).collect();
    let text = std::str::from_utf8(bytes).ok()?;
    let places = locate_paths(text, paths.iter().map(<[PathSegment; 2]>::as_slice));
    let line = |(id, place): (String, Option<howfar_wire::finding::Location>)| {
        place.map(|place| (id, place.line))
    };
    Some(ids.into_iter().zip(places).filter_map(line).collect())
}
