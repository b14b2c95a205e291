//! Servers that could not be set up: which, what failed, whose side the error points at, and the quoted line.

use std::fmt;

use howfar_wire::report::{RunReport, ServerReport};
use howfar_wire::vocabulary::{SetupOutcome, Vocabulary as _};

use super::StoryOptions;
use super::trial::text_limit;
use crate::layout::{Page, Paragraph, Style};
use crate::text::clip;

/// Writes the failures and says whether there was one.
pub(super) fn write(
    page: &mut Page<'_>,
    report: &RunReport,
    options: &StoryOptions<'_>,
) -> Result<bool, fmt::Error> {
    let mut any = false;
    for server in &report.metadata.execution.servers {
        if let Some(failure) = what_failed(server) {
            any = true;
            server_lines(page, server, failure, options)?;
        }
    }
    Ok(any)
}

/// The lines that stand in the failures.
pub(crate) fn quoted(report: &RunReport) -> Vec<&str> {
    report.metadata.execution.servers.iter().filter_map(|server| server.error.as_deref()).collect()
}

/// What failed of a server's set-up, in words; absent when nothing did.
pub(crate) fn what_failed(server: &ServerReport) -> Option<&'static str> {
    match (server.connection, server.discovery) {
        (SetupOutcome::Failed, _) => Some("connection failed"),
        (SetupOutcome::Ok, Some(SetupOutcome::Failed)) => {
            Some("connected, and listing tools failed")
        }
        (SetupOutcome::Ok, Some(SetupOutcome::Ok) | None) => None,
    }
}

fn server_lines(
    page: &mut Page<'_>,
    server: &ServerReport,
    failure: &str,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    let bound = format!("({}, bound by {})", server.transport, server.source);
    page.put(
        Paragraph::new(2, 4)
            .atom(Style::Bad, "✗", 0)
            .text(Style::Plain, "server")
            .atom(Style::Strong, server.name.clone(), 0)
            .text(Style::Plain, format!("{bound}: {failure}")),
    )?;
    if let Some(attribution) = server.attribution {
        let words = format!("the error points at {}", attribution.label());
        page.put(Paragraph::new(4, 6).text(Style::Plain, words))?;
    }
    match &server.error {
        Some(error) => {
            let quoted = format!("\"{}\"", clip(error, text_limit(options)));
            page.put(Paragraph::new(4, 6).foreign(quoted))
        }
        None => Ok(()),
    }
}
