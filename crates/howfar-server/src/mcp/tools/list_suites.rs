//! `list_suites`: the suite files of the folder, each with the verdict of its last stored run.

use std::path::{Path, PathBuf};

use howfar_store::Store;
use howfar_suite::{SuiteParse, parse_suite_bytes};
use howfar_wire::record::RunListRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::{Answer, LeftOut, page_within};
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use super::super::folder::means_to_be_a_suite;
use crate::read::{Paging, ReadError, RunFilter, runs};

/// Files on one page when nobody asks for a number.
const DEFAULT_FILES: u32 = 50;

/// `list_suites`
pub(in super::super) struct ListSuites;

/// What `list_suites` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// A folder below the folder of this server; without it, the whole folder.
    dir: Option<String>,
    /// At most this many files; 50 without it.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

/// The suite files of a folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct SuiteFiles {
    /// The suite files of this page, by path.
    suites: Vec<SuiteFile>,
    /// How many suite files there are, on all pages.
    total_files: u64,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// One suite file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SuiteFile {
    /// The path below the folder of this server: what validate_suite and run_suite take.
    path: String,
    /// Whether it is a valid suite. validate_suite says what is wrong.
    valid: bool,
    /// How many findings make it invalid.
    findings: u64,
    /// The declared id; absent when the file is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    suite_id: Option<String>,
    /// The name; absent when the file is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// How many cases it has; absent when the file is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<u64>,
    /// How many of them are not disabled; absent when the file is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled_cases: Option<u64>,
    /// The newest stored run of a suite with this id, with its verdict; absent when none is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_run: Option<RunListRow>,
}

impl ModelTool for ListSuites {
    const NAME: &'static str = "list_suites";
    const TITLE: &'static str = "List suite files";
    const DESCRIPTION: &'static str = "List the suite files below the folder of this server: path, id, name, number of \
         cases, and the newest stored run with its verdict. A suite without lastRun was never run here, which is not a \
         failure.";
    type Parameters = Parameters;
    type Document = SuiteFiles;

    fn whole(_: &Parameters) -> String {
        "howfar check FILE".to_owned()
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<SuiteFiles>, ToolFailure> {
        let folder = &call.shared.folder;
        let below = folder.find(parameters.dir.as_deref().unwrap_or("."))?;
        let candidates = folder.candidates(&below).map_err(|error| {
            ToolFailure::parameter("dir", format!("names a folder that cannot be read: {error}"))
        })?;
        let store = call.shared.store().await?;
        let found: Vec<_> = candidates.files.iter().filter_map(|file| suite_file(file)).collect();
        let from = position(parameters.cursor.as_deref())?;
        let ask = |limit| page(&call, &store, &found, from, limit as usize);
        let limit = parameters.limit.unwrap_or(DEFAULT_FILES);
        let items = |page: &SuiteFiles| page.suites.len();
        let (document, mut left_out) = page_within(call.budget, limit, items, ask).await?;
        if candidates.is_cut {
            left_out.push(LeftOut {
                what: "files beyond the first 2000 YAML and JSON files".to_owned(),
                how: "call again with `dir`".to_owned(),
            });
        }
        Ok(Answer { document, left_out })
    }
}

fn position(cursor: Option<&str>) -> Result<usize, ToolFailure> {
    let Some(cursor) = cursor else { return Ok(0) };
    let invalid =
        || ToolFailure::parameter("cursor", "is not one that a page of this list gave out");
    cursor.strip_prefix("files-").and_then(|position| position.parse().ok()).ok_or_else(invalid)
}

async fn page(
    call: &Call<'_>,
    store: &Store,
    found: &[(PathBuf, SuiteParse)],
    from: usize,
    limit: usize,
) -> Result<SuiteFiles, ToolFailure> {
    let mut suites = Vec::new();
    for (path, parse) in found.iter().skip(from).take(limit) {
        let summary = parse.suite().map(|suite| suite.summary());
        let last_run = match &summary {
            Some(summary) => last_run(store, &summary.id).await?,
            None => None,
        };
        suites.push(SuiteFile {
            path: call.shared.folder.name_of(path),
            valid: summary.is_some(),
            findings: parse.findings().len() as u64,
            suite_id: summary.as_ref().map(|summary| summary.id.clone()),
            name: summary.as_ref().map(|summary| summary.name.clone()),
            cases: summary.as_ref().map(|summary| summary.cases as u64),
            enabled_cases: summary.as_ref().map(|summary| summary.enabled_cases as u64),
            last_run,
        });
    }
    let next = from + suites.len();
    Ok(SuiteFiles {
        suites,
        total_files: found.len() as u64,
        next_cursor: (next < found.len()).then(|| format!("files-{next}")),
    })
}

async fn last_run(store: &Store, suite_id: &str) -> Result<Option<RunListRow>, ReadError> {
    let newest = Paging { limit: Some(1), cursor: None, ..Paging::default() };
    let of_suite = RunFilter { suite_id: Some(suite_id.to_owned()), verdict: None };
    Ok(runs(store, &of_suite, &newest).await?.runs.into_iter().next())
}

/// A file that is a suite, or means to be one.
fn suite_file(path: &Path) -> Option<(PathBuf, SuiteParse)> {
    let bytes = std::fs::read(path).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    if !means_to_be_a_suite(text) {
        return None;
    }
    Some((path.to_owned(), parse_suite_bytes(&bytes).ok()?))
}
