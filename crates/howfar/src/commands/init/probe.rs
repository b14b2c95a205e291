//! Asking a server: its tools, and what comes of calling one with example arguments.

use std::path::Path;
use std::time::Duration;

use howfar_core::predicate::schema::CompiledSchema;
use howfar_mcp::{CallAnswer, CallOptions, Catalog, Connection, ServerBinding, ToolEntry};
use howfar_suite::starter::{
    ExampleHints, Standing, StarterTool, Tried, example_arguments, rank_tools,
};
use serde_json::{Map, Value};

use crate::commands::live::redacted;

/// How many cases a suite gets that nobody asked for by name.
const DEFAULT_CASES: usize = 5;

/// How many calls are tried to find them.
const MAX_TRIES: usize = 12;

/// How long a tried call may take.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// How many violations of a schema are named.
const VIOLATIONS_SHOWN: usize = 3;

/// One tool with its example call.
pub(super) struct Candidate {
    /// The tool's position in the list of tools.
    pub(super) at: usize,
    pub(super) arguments: Map<String, Value>,
    /// Why the arguments cannot be checked against the schema, or do not fit it.
    pub(super) misfit: Option<String>,
    pub(super) tried: Tried,
}

/// A connected server that can be asked.
pub(super) struct Probe<'a> {
    pub(super) connection: &'a Connection,
    pub(super) tools: &'a [StarterTool],
    /// A folder that the server was started with.
    pub(super) folder: Option<String>,
    /// Whether tools may be called that do not declare themselves read-only.
    pub(super) try_all: bool,
    pub(super) secrets: &'a [String],
}

/// The usable tools of a listing.
pub(super) fn starter_tools(catalog: &Catalog) -> Vec<StarterTool> {
    catalog.tools.iter().map(starter_tool).collect()
}

fn starter_tool(entry: &ToolEntry) -> StarterTool {
    let hint = |name: &str| entry.annotations.as_ref()?.get(name)?.as_bool();
    StarterTool {
        name: entry.name.clone(),
        description: entry.description.clone(),
        input_schema: entry.input_schema.clone(),
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
    }
}

/// The last argument of the server's command that is a folder.
pub(super) fn folder_of(binding: &ServerBinding) -> Option<String> {
    match binding {
        ServerBinding::Stdio(stdio) => {
            let is_folder = |arg: &&String| Path::new(arg.as_str()).is_dir();
            stdio.args.iter().rev().find(is_folder).cloned()
        }
        ServerBinding::Http(_) => None,
    }
}

impl Probe<'_> {
    /// Example calls for the tools at these positions.
    pub(super) async fn named(&self, positions: &[usize]) -> Vec<Candidate> {
        let mut found = Vec::new();
        for at in positions {
            found.push(self.candidate(*at).await);
        }
        found
    }

    /// Example calls of tools that look safe, until five answered well or twelve were tried.
    pub(super) async fn chosen(&self) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for at in rank_tools(self.tools) {
            let answered = found.iter().filter(|it| quality(&it.tried) == Some(0)).count();
            let tries =
                found.iter().filter(|it| !matches!(it.tried, Tried::NotTried { .. })).count();
            if answered == DEFAULT_CASES || tries == MAX_TRIES {
                break;
            }
            found.push(self.candidate(at).await);
        }
        found
    }

    async fn candidate(&self, at: usize) -> Candidate {
        let tool = &self.tools[at];
        let hints = ExampleHints { folder: self.folder.clone(), sql: speaks_of_sql(tool) };
        let arguments = example_arguments(&tool.input_schema, &hints);
        let misfit = misfit(&tool.input_schema, &arguments);
        let tried = if self.try_all || tool.standing() == Standing::ReadOnly {
            self.try_call(tool, &arguments).await
        } else {
            Tried::NotTried { why: "the tool does not declare itself read-only".to_owned() }
        };
        Candidate { at, arguments, misfit, tried }
    }

    async fn try_call(&self, tool: &StarterTool, arguments: &Map<String, Value>) -> Tried {
        let options = CallOptions { timeout: CALL_LIMIT };
        let outcome = self.connection.call_tool(&tool.name, arguments, options).await;
        let said = |text: &str| redacted(text, self.secrets);
        match outcome.answer {
            CallAnswer::Result(result) if !result.defects().is_empty() => {
                let defects = result.defects().join("; ");
                Tried::CallFailed { said: said(&format!("the result is malformed: {defects}")) }
            }
            CallAnswer::Result(result) if result.is_error() => {
                Tried::ToolError { said: said(&result.texts().join(" ")) }
            }
            CallAnswer::Result(result) => {
                let has_text = result.texts().iter().any(|text| !text.trim().is_empty());
                Tried::Answered { has_text }
            }
            CallAnswer::Error(error) => Tried::CallFailed {
                said: said(&format!("{} (code {})", error.message, error.code)),
            },
            CallAnswer::Malformed { reason, .. } => Tried::CallFailed { said: said(&reason) },
            CallAnswer::Transport(failure) => Tried::NoAnswer { said: said(&failure.to_string()) },
            CallAnswer::Timeout { limit, .. } => {
                Tried::NoAnswer { said: format!("within {} s", limit.as_secs()) }
            }
        }
    }
}

/// Up to five cases of what was tried: those that answer well before those that were not tried, and those before the
/// ones that answered with an error. A call without an answer makes no case.
///
/// # Errors
///
/// Everything back when no case is left.
pub(super) fn best(mut found: Vec<Candidate>) -> Result<Vec<Candidate>, Vec<Candidate>> {
    let mut order: Vec<usize> =
        (0..found.len()).filter(|at| quality(&found[*at].tried).is_some()).collect();
    if order.is_empty() {
        return Err(found);
    }
    order.sort_by_key(|at| quality(&found[*at].tried));
    order.truncate(DEFAULT_CASES);
    let mut at = 0..;
    found.retain(|_| at.next().is_some_and(|at| order.contains(&at)));
    Ok(found)
}

/// What is known of a call beyond that it was tried.
pub(super) fn said(tried: &Tried) -> &str {
    match tried {
        Tried::Answered { .. } => "",
        Tried::NotTried { why: said }
        | Tried::ToolError { said }
        | Tried::CallFailed { said }
        | Tried::NoAnswer { said } => said,
    }
}

/// How good a case the tried call makes, best first; `None` for one that is not written unasked.
const fn quality(tried: &Tried) -> Option<u8> {
    match tried {
        Tried::Answered { .. } => Some(0),
        Tried::NotTried { .. } => Some(1),
        Tried::ToolError { .. } | Tried::CallFailed { .. } => Some(2),
        Tried::NoAnswer { .. } => None,
    }
}

fn misfit(schema: &Map<String, Value>, arguments: &Map<String, Value>) -> Option<String> {
    let found = CompiledSchema::new(&Value::Object(schema.clone()))
        .and_then(|schema| schema.violations(&Value::Object(arguments.clone())));
    let violations = match found {
        Ok(violations) => violations,
        Err(error) => return Some(format!("the tool's schema cannot be used: {error}")),
    };
    if violations.is_empty() {
        return None;
    }
    let told = violations.iter().take(VIOLATIONS_SHOWN);
    let told: Vec<_> = told.map(|it| format!("at {}: {}", it.at, it.message)).collect();
    Some(format!("the example arguments do not fit the tool's schema, {}", told.join(" ")))
}

fn speaks_of_sql(tool: &StarterTool) -> bool {
    let described = tool.description.as_deref().unwrap_or_default();
    let text = format!("{} {described}", tool.name).to_ascii_lowercase();
    text.contains("sql") || text.contains("select ") || text.contains("select query")
}
