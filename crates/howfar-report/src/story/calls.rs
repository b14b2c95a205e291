//! Expected and actual calls in four groups (missing, extra, out of order, argument mismatch), and what tools answered
//! with an error.

use std::fmt;

use howfar_wire::report::{TrialReport, TurnReport};
use howfar_wire::transcript::ToolCall;
use serde_json::Value;

use super::StoryOptions;
use super::trial::{labelled, text_limit};
use crate::call_groups::CallGroups;
use crate::layout::{Page, Paragraph, Style};
use crate::text::{clip, json_line};

/// How many lines one group of calls gets.
const MAX_CALLS: usize = 5;

/// How many characters of a tool's name are shown.
const MAX_NAME: usize = 64;

pub(super) fn write(
    page: &mut Page<'_>,
    trial: &TrialReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    let several = trial.turns.len() > 1 || trial.turns.iter().any(|turn| turn.prompt_index > 0);
    for turn in trial.turns.iter().filter(|turn| options.verbose || !turn.passed) {
        if several {
            let text = format!("{}", turn.prompt_index + 1);
            page.put(labelled(Style::Faint, "turn").text(Style::Plain, text))?;
        }
        turn_groups(page, trial, turn, options)?;
    }
    if options.verbose {
        every_call(page, trial, text_limit(options))?;
    }
    unreadable_arguments(page, trial, options)?;
    tool_errors(page, trial, options)
}

/// Whether the groups of calls, or text in place of arguments, show why the matcher's rows did not hold.
pub(super) fn tells_mismatch(trial: &TrialReport) -> bool {
    trial.turns.iter().any(|turn| !turn.passed)
        || trial.tool_calls.iter().any(|call| call.raw_arguments.is_some())
}

/// Every call of the trial, in order.
fn every_call(page: &mut Page<'_>, trial: &TrialReport, limit: usize) -> fmt::Result {
    for call in &trial.tool_calls {
        let line = labelled(Style::Faint, "called").text(Style::Strong, name(&call.tool_name));
        page.put(line.foreign(clip(&json_line(&call.arguments), limit)))?;
    }
    Ok(())
}

/// The four groups of one turn.
fn turn_groups(
    page: &mut Page<'_>,
    trial: &TrialReport,
    turn: &TurnReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    let limit = text_limit(options);
    let groups = CallGroups::of(turn);
    group(page, Style::Bad, "missing", "", &groups.missing, limit)?;
    let extra_label = if turn.passed { "tolerated" } else { "extra" };
    group(page, Style::Open, extra_label, "", &groups.extra, limit)?;
    group(page, Style::Open, "order", " (made at another place)", &groups.out_of_order, limit)?;
    for mismatch in groups.mismatches {
        let tool = format!("{} with other arguments", name(&mismatch.tool_name));
        page.put(labelled(Style::Bad, "mismatch").text(Style::Plain, tool))?;
        page.put(call_value("expected", &mismatch.expected_args, limit))?;
        page.put(call_value("actual", &mismatch.actual_args, limit))?;
    }
    let called = trial.tool_calls.iter().any(|call| call.prompt_index == turn.prompt_index);
    if !turn.passed && !called && turn.argument_mismatches.is_empty() {
        page.put(labelled(Style::Open, "actual").text(Style::Plain, "no tool was called"))?;
    }
    Ok(())
}

fn group(
    page: &mut Page<'_>,
    style: Style,
    label: &str,
    note: &str,
    calls: &[&ToolCall],
    limit: usize,
) -> fmt::Result {
    for call in calls.iter().take(MAX_CALLS) {
        page.put(with_arguments(
            labelled(style, label).text(Style::Strong, format!("{}{note}", name(&call.tool_name))),
            &call.arguments,
            limit,
        ))?;
    }
    super::cases::and_more(
        page,
        super::trial::INDENT,
        calls.len().saturating_sub(MAX_CALLS),
        "call",
    )
}

/// A tool's name as the model wrote it, which may be anything.
fn name(tool: &str) -> String {
    clip(tool, MAX_NAME).into_owned()
}

fn with_arguments(paragraph: Paragraph, arguments: &Value, limit: usize) -> Paragraph {
    match arguments {
        Value::Null => paragraph,
        other => paragraph.foreign(clip(&json_line(other), limit)),
    }
}

fn call_value(label: &str, arguments: &Value, limit: usize) -> Paragraph {
    labelled(Style::Faint, label).foreign(clip(&json_line(arguments), limit))
}

/// Arguments that the model wrote and that are no JSON object.
fn unreadable_arguments(
    page: &mut Page<'_>,
    trial: &TrialReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    let raw = trial.tool_calls.iter().filter_map(|call| Some((call, call.raw_arguments.as_ref()?)));
    for (call, text) in raw.take(MAX_CALLS) {
        page.put(
            labelled(Style::Bad, "arguments")
                .text(Style::Strong, name(&call.tool_name))
                .text(Style::Plain, "got text that is no JSON object:")
                .foreign(clip(text, text_limit(options))),
        )?;
    }
    Ok(())
}

/// What failed calls were answered with.
fn tool_errors(
    page: &mut Page<'_>,
    trial: &TrialReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    let failed: Vec<_> =
        trial.tool_calls.iter().filter_map(|call| Some((call, call.error.as_ref()?))).collect();
    for (call, error) in failed.iter().take(MAX_CALLS) {
        page.put(
            labelled(Style::Bad, "error of")
                .text(Style::Strong, name(&call.tool_name))
                .foreign(format!("\"{}\"", clip(error, text_limit(options)))),
        )?;
    }
    let left = failed.len().saturating_sub(MAX_CALLS);
    super::cases::and_more(page, super::trial::INDENT, left, "tool error")
}
