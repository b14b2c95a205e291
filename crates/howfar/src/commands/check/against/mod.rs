//! `howfar check --against CONFIG`: the names and arguments of a suite, held against the tools that its servers list.
//! Nothing is called.

mod arguments;
mod references;
mod servers;

use std::path::Path;
use std::time::Duration;

use howfar_suite::{AuthoredSuite, locate_paths, nearest_word};
use howfar_wire::finding::{compare_paths, pointer};
use howfar_wire::live::{LiveCheck, LiveFinding};
use howfar_wire::vocabulary::{ExitCode, LiveFindingCode};

use crate::error::CommandError;
use arguments::check_arguments;
use references::{Reference, Referred, references};
use servers::{Servers, list_servers};

/// Holds a suite against the servers of a configuration file. `text` is the suite's text, for the places.
pub(super) fn check_against(
    suite: &AuthoredSuite,
    text: &str,
    config: &Path,
    setup_timeout: Duration,
) -> Result<LiveCheck, CommandError> {
    let servers = list_servers(&suite.file().target, config, setup_timeout)?;
    let mut found = Found { findings: servers.findings.clone(), warnings: Vec::new() };
    for reference in references(suite) {
        found.check(&reference, &servers);
    }
    for list in [&mut found.findings, &mut found.warnings] {
        list.sort_by(|a, b| {
            compare_paths(&a.path, &b.path).then_with(|| a.message.cmp(&b.message))
        });
        let places = locate_paths(text, list.iter().map(|finding| finding.path.as_slice()));
        for (finding, place) in list.iter_mut().zip(places) {
            finding.location = place;
        }
    }
    let Found { findings, warnings } = found;
    Ok(LiveCheck {
        config: config.display().to_string(),
        servers: servers.reports,
        findings,
        warnings,
    })
}

/// A disagreement is the suite's; a server that cannot be listed is a failed setup.
pub(super) fn exit_code(check: &LiveCheck, strict: bool) -> ExitCode {
    let wrong = !check.findings.is_empty() || (strict && !check.warnings.is_empty());
    let names = if wrong { ExitCode::MeasuredFailure } else { ExitCode::Success };
    let failed = check.servers.iter().any(|server| server.error.is_some());
    names.worse(if failed { ExitCode::Setup } else { ExitCode::Success })
}

/// A finding without its place in the text.
fn finding(
    code: LiveFindingCode,
    path: &[howfar_wire::finding::PathSegment],
    message: String,
) -> LiveFinding {
    let (path, pointer) = (path.to_vec(), pointer(path));
    LiveFinding { code, path, pointer, message, location: None }
}

/// ` (did you mean …?)`, or nothing when no known name is near.
fn did_you_mean<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest_word(found, known) {
        Some(near) => format!(" (did you mean \"{near}\"?)"),
        None => String::new(),
    }
}

struct Found {
    findings: Vec<LiveFinding>,
    warnings: Vec<LiveFinding>,
}

impl Found {
    fn check(&mut self, reference: &Reference<'_>, servers: &Servers) {
        let server = match &reference.server {
            None => None,
            Some((path, name)) if servers.is_target(name) => Some((path, *name)),
            Some((path, name)) => {
                let near = did_you_mean(name, servers.targets());
                let message = format!("the suite targets no server \"{name}\"{near}");
                return self.findings.push(finding(LiveFindingCode::ServerUnknown, path, message));
            }
        };
        let server = server.map(|(_, name)| name);
        let Some(tool) = servers.tool(server, reference.tool) else {
            return self.unknown_tool(reference, server, servers);
        };
        match check_arguments(tool, &reference.arguments) {
            Ok(messages) => {
                let code = LiveFindingCode::ArgumentsMismatch;
                let path = &reference.arguments_path;
                self.findings.extend(messages.into_iter().map(|text| finding(code, path, text)));
            }
            Err(message) => {
                let code = LiveFindingCode::ArgumentsUnchecked;
                self.warnings.push(finding(code, &reference.arguments_path, message));
            }
        }
    }

    /// A name that no server lists. Where a listing is missing or not complete, nobody can say so.
    fn unknown_tool(&mut self, reference: &Reference<'_>, server: Option<&str>, servers: &Servers) {
        if !servers.are_complete(server) {
            return;
        }
        let name = reference.tool;
        let owner = server.map_or_else(
            || "no server of the suite has".to_owned(),
            |server| format!("server \"{server}\" has no"),
        );
        let article = if server.is_some() { "" } else { " a" };
        let elsewhere =
            servers.owner_of(name).map(|other| format!(", but server \"{other}\" has one"));
        let near = || did_you_mean(name, servers.tool_names(server));
        let message = format!("{owner}{article} tool \"{name}\"{}", elsewhere.unwrap_or_else(near));
        let found = finding(LiveFindingCode::ToolUnknown, &reference.tool_path, message);
        match reference.referred {
            Referred::ToHold => self.findings.push(found),
            // The check holds anyway, and says nothing.
            Referred::NotToBe => self.warnings.push(found),
        }
    }
}
