//! What a reader should know besides: advice, issues, warnings, policy blocks, what the file declares and this run did
//! not do. Nothing here changed the verdict.

use std::fmt;

use howfar_wire::report::{Issue, RunReport};
use howfar_wire::scorecard::ScorecardRow;
use howfar_wire::vocabulary::{IssueCode, PredicateKind, Vocabulary as _};

use super::cases::and_more;
use super::{StoryOptions, checks, friction, judges, trials};
use crate::layout::{Page, Paragraph, Style};
use crate::text::{clip, count};

/// How many lines one kind of note gets.
const MAX_NOTES: usize = 8;

pub(super) fn write(
    page: &mut Page<'_>,
    report: &RunReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    advice(page, report, options)?;
    friction::write(page, report, options)?;
    let notes = notes(report);
    if notes.is_empty() {
        return Ok(());
    }
    page.heading("Also")?;
    let limit = if options.verbose { usize::MAX } else { MAX_NOTES };
    for (kind, text) in notes.iter().take(limit) {
        page.put(Paragraph::new(2, 12).atom(Style::Open, *kind, 9).foreign(clip(text, 400)))?;
    }
    and_more(page, 2, notes.len().saturating_sub(limit), "note")
}

/// Advisory checks that did not hold, each once, with how many trials have it.
pub(crate) fn collected_advice(report: &RunReport) -> Vec<(&ScorecardRow, u64)> {
    let mut advice: Vec<(&ScorecardRow, u64)> = Vec::new();
    let failed = |row: &&ScorecardRow| checks::is_advice(row);
    for row in trials(report).flat_map(|trial| &trial.scorecard.rows).filter(failed) {
        match advice
            .iter_mut()
            .find(|(known, _)| known.check == row.check && known.reason == row.reason)
        {
            Some((_, trials)) => *trials += 1,
            None => advice.push((row, 1)),
        }
    }
    advice
}

/// What would make the check hold, in the words of its kind; `None` for a row that is no check of a kind.
pub(crate) fn asks(row: &ScorecardRow) -> Option<&'static str> {
    PredicateKind::from_wire(&row.check).map(PredicateKind::gloss)
}

fn advice(page: &mut Page<'_>, report: &RunReport, options: &StoryOptions<'_>) -> fmt::Result {
    let advice = collected_advice(report);
    if advice.is_empty() {
        return Ok(());
    }
    page.heading("Advice (advisory checks decide nothing)")?;
    let limit = if options.verbose { usize::MAX } else { MAX_NOTES };
    for (row, trials) in advice.iter().take(limit) {
        let source = format!(
            "({}, {}, {}):",
            checks::origin(row),
            row.stage.label(),
            count(*trials, "trial")
        );
        page.put(
            Paragraph::new(2, 4)
                .text(Style::Strong, row.check.clone())
                .text(Style::Plain, source)
                .foreign(clip(&row.reason, 300)),
        )?;
        if let Some(asks) = asks(row) {
            page.put(Paragraph::new(4, 10).text(Style::Faint, "asks").text(Style::Plain, asks))?;
        }
    }
    and_more(page, 2, advice.len().saturating_sub(limit), "check")
}

/// Every note as its kind and its text.
pub(crate) fn notes(report: &RunReport) -> Vec<(&'static str, String)> {
    let execution = &report.metadata.execution;
    // A server that could not be set up has a row of its own in the evidence.
    let told = |issue: &&Issue| issue.code != IssueCode::SetupFailed;
    let mut notes: Vec<_> = report
        .metadata
        .issues
        .iter()
        .filter(told)
        .map(|issue| ("issue", issue_text(issue)))
        .collect();
    notes.extend(report.metadata.warnings.iter().map(|warning| ("warning", warning.clone())));
    if let Some(policy) =
        report.metadata.tool_policy.as_ref().filter(|policy| !policy.blocks.is_empty())
    {
        let calls = count(policy.blocks.len() as u64, "call");
        notes
            .push(("policy", format!("{calls} blocked by the tool policy; none reached a server")));
    }
    notes.extend(judges::lines(report).into_iter().map(|line| ("judge", line)));
    for server in execution.servers.iter().filter(|server| !server.quarantined.is_empty()) {
        let names = server.quarantined.join(", ");
        notes.push(("catalog", format!("{}: entries set aside: {names}", server.name)));
    }
    if !execution.declared_hosts.is_empty() {
        let hosts = execution.declared_hosts.join(", ");
        notes.push(("declared", format!("hosts {hosts}: recorded, not executed")));
    }
    if let Some(environment) = &execution.declared_environment {
        notes.push(("declared", format!("environment {environment}: recorded, not resolved")));
    }
    if !report.metadata.upload.requested {
        notes.push(("upload", "off: nothing was uploaded".to_owned()));
    }
    notes
}

/// "SETUP_FAILED (server booking): …".
fn issue_text(issue: &Issue) -> String {
    let mut about = Vec::new();
    about.extend(issue.server.as_ref().map(|server| format!("server {server}")));
    about.extend(issue.case_id.as_ref().map(|case| format!("case {case}")));
    about.extend(issue.iteration_number.map(|number| format!("trial {number}")));
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    format!("{}{about}: {} · {}", issue.code.as_str(), issue.code.label(), issue.message)
}
