//! What `howfar init` tells: one document, and the same for a person.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use howfar_mcp::FindingCode;
use howfar_suite::starter::Tried;
use howfar_suite::{AuthoredSuite, coverage, resolve};
use howfar_wire::finding::StageCoverage;
use serde::Serialize;

use super::entry::Variable;
use super::files::{self, ConfigPlan};
use super::source::Origin;
use super::{Asked, left_out};
use crate::cli::InitArgs;

/// How many findings a person is told.
const FINDINGS_SHOWN: usize = 5;

/// Everything that the document is made of.
pub(super) struct Told<'a> {
    pub(super) asked: &'a Asked,
    pub(super) args: &'a InitArgs,
    pub(super) ids: &'a [String],
    pub(super) authored: &'a AuthoredSuite,
    pub(super) config: &'a ConfigPlan,
}

/// The answer of `howfar init`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InitDocument {
    schema_version: u32,
    kind: &'static str,
    server: ServerLine,
    cases: Vec<CaseLine>,
    /// Usable tools without a case.
    left_out: Vec<String>,
    /// The files that were written.
    files: Vec<PathBuf>,
    /// Variables that a run needs.
    variables: Vec<String>,
    coverage: [StageCoverage; 6],
    /// The command to run next.
    next: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ServerLine {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    own_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    transport: &'static str,
    protocol_version: String,
    /// Usable tools.
    tools: usize,
    /// Tools that cannot be used, with the reason.
    quarantined: Vec<String>,
    /// What else is wrong with the listing or on the wire.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CaseLine {
    id: String,
    tool: String,
    /// What came of the example call: `notTried`, `answered`, `toolError`, `callFailed` or `noAnswer`.
    tried: &'static str,
    /// What is known beyond that.
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
}

impl InitDocument {
    pub(super) fn new(told: &Told<'_>, written: &[PathBuf]) -> Self {
        let asked = told.asked;
        let case = |(it, id): (&super::Candidate, &String)| {
            let (tried, said) = words(&it.tried);
            let tool = asked.tools[it.at].name.clone();
            CaseLine { id: id.clone(), tool, tried, said: said.map(str::to_owned) }
        };
        Self {
            schema_version: 1,
            kind: "howfar-init",
            server: server_line(asked),
            cases: asked.candidates.iter().zip(told.ids).map(case).collect(),
            left_out: left_out(asked).into_iter().map(str::to_owned).collect(),
            files: written.to_vec(),
            variables: variables(asked).iter().map(|variable| variable.name.clone()).collect(),
            coverage: coverage(&resolve(told.authored)),
            next: next(told),
        }
    }

    /// The same for a person.
    pub(super) fn human(&self, told: &Told<'_>) -> String {
        let mut out = self.server_text();
        out.push_str("\nCases:\n");
        let width = self.cases.iter().map(|case| case.tool.chars().count()).max().unwrap_or(0);
        for case in &self.cases {
            let _ = writeln!(out, "  {:width$}  {}", clean(&case.tool), clean(&case.words()));
        }
        if !self.left_out.is_empty() {
            let _ = writeln!(out, "  without a case: {}", clean(&self.left_out.join(", ")));
        }
        out.push_str("\nWritten:\n");
        for file in &self.files {
            let _ = writeln!(out, "  {}", file.display());
        }
        out.push_str("\nWhat the cases measure, link by link:\n");
        for stage in &self.coverage {
            let _ = writeln!(out, "  {}", stage.line);
        }
        if matches!(told.config, ConfigPlan::Leave) {
            out.push_str(&leave_text(told));
        }
        for variable in variables(told.asked) {
            let what = format!("the value of {}, which is not written down", variable.given_by);
            let _ = writeln!(out, "\nBefore a run, set {}: {what}.", variable.name);
        }
        let _ = writeln!(out, "\nNext: {}", self.next);
        out
    }

    fn server_text(&self) -> String {
        let server = &self.server;
        let own = [&server.own_name, &server.version].into_iter().flatten();
        let own = own.map(String::as_str).collect::<Vec<_>>().join(" ");
        let own = if own.is_empty() { "a server without a name".to_owned() } else { own };
        let mut out = format!(
            "{}: {} over {}, protocol {}, {} tools\n",
            clean(&server.name),
            clean(&own),
            server.transport,
            clean(&server.protocol_version),
            server.tools
        );
        for entry in &server.quarantined {
            let _ = writeln!(out, "  cannot be used: {}", clean(entry));
        }
        for finding in server.findings.iter().take(FINDINGS_SHOWN) {
            let _ = writeln!(out, "  finding: {}", clean(finding));
        }
        if let Some(more) = server.findings.len().checked_sub(FINDINGS_SHOWN).filter(|n| *n > 0) {
            let _ = writeln!(out, "  and {more} more; --format json has them all");
        }
        out
    }
}

impl CaseLine {
    fn words(&self) -> String {
        let fact = match self.tried {
            "answered" => return "its example call was tried and answered".to_owned(),
            "notTried" => "not tried, a run calls it",
            "toolError" => "its example call answered with an error",
            "callFailed" => "its example call failed",
            _ => "its example call got no answer, so the case is disabled",
        };
        let said = self.said.as_deref().unwrap_or_default();
        let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = said.chars().take(100).collect();
        let rest = if short.len() < said.len() { "…" } else { "" };
        format!("{fact}: {short}{rest}")
    }
}

/// Foreign text as it may reach a terminal.
fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    howfar_report::sanitize(text)
}

fn words(tried: &Tried) -> (&'static str, Option<&str>) {
    match tried {
        Tried::NotTried { why } => ("notTried", Some(why)),
        Tried::Answered { .. } => ("answered", None),
        Tried::ToolError { said } => ("toolError", Some(said)),
        Tried::CallFailed { said } => ("callFailed", Some(said)),
        Tried::NoAnswer { said } => ("noAnswer", Some(said)),
    }
}

fn server_line(asked: &Asked) -> ServerLine {
    let entry = |entry: &howfar_mcp::QuarantinedEntry| {
        format!("{}: {}", entry.name.as_deref().unwrap_or("a tool without a name"), entry.reason)
    };
    ServerLine {
        name: asked.source.bound.name.clone(),
        own_name: asked.info.server_name().map(str::to_owned),
        version: asked.info.server_version().map(str::to_owned),
        transport: asked.info.transport.as_str(),
        protocol_version: asked.info.protocol_version.clone(),
        tools: asked.tools.len(),
        quarantined: asked.catalog.quarantined.iter().map(entry).collect(),
        findings: findings(&asked.catalog),
    }
}

/// The findings that are not about a tool that cannot be used, which is told by itself.
fn findings(catalog: &howfar_mcp::Catalog) -> Vec<String> {
    let others = catalog.findings.iter().filter(|it| it.code != FindingCode::ToolQuarantined);
    others.map(|finding| finding.text.clone()).collect()
}

/// The variables that the written entry refers to.
fn variables(asked: &Asked) -> &[Variable] {
    match &asked.source.origin {
        Origin::Flags(entry) => &entry.variables,
        Origin::File => &[],
    }
}

/// What to do when `.mcp.json` stays as it is and does not reach the server.
fn leave_text(told: &Told<'_>) -> String {
    let Origin::Flags(entry) = &told.asked.source.origin else { return String::new() };
    let document = files::document(&told.asked.source.bound, entry);
    format!(
        "\n.mcp.json exists and is left as it is; to reach the server by its name, add (or let --force add):\n  {document}\n"
    )
}

/// The command that runs the suite from here.
fn next(told: &Told<'_>) -> String {
    let mut words = vec!["howfar".to_owned(), "run".to_owned(), shell(&told.asked.places.suite)];
    if let Some(config) = &told.args.mcp_config {
        words.extend(["--mcp-config".to_owned(), shell(config)]);
    }
    if let (ConfigPlan::Leave, true) = (told.config, variables(told.asked).is_empty()) {
        let flags = [("--command", &told.args.command), ("--url", &told.args.url)];
        for (flag, value) in flags {
            words.extend(value.iter().flat_map(|value| [flag.to_owned(), shell(Path::new(value))]));
        }
    }
    words.join(" ")
}

/// A word as a shell reads it.
fn shell(word: &Path) -> String {
    let word = word.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word;
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
