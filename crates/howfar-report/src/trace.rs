//! One trial as it happened: the conversation, the calls, the spans. Nothing here is derived; the story of a run says
//! what it means.

use std::fmt;

use howfar_wire::evidence::{SpanCategory, SpanStatus, TimelineSpan, TrialEvidence};
use howfar_wire::report::ToolCallReport;
use howfar_wire::vocabulary::Vocabulary as _;
use serde_json::Value;

use crate::TextOptions;
use crate::layout::{Page, Paragraph, Style};
use crate::text::{clip, count, json_line};

/// The longest text of a message, in characters, unless everything is asked for.
const MESSAGE_LIMIT: usize = 1000;

/// Writes a trial as it happened. `whole` cuts no text.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_trace(
    evidence: &TrialEvidence<'_>,
    options: &TextOptions,
    whole: bool,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let limit = if whole { usize::MAX } else { MESSAGE_LIMIT };
    let mut page = Page::new(out, options.look());
    title(&mut page, evidence)?;
    page.heading("Messages")?;
    if evidence.messages.is_empty() {
        nothing(&mut page, "no message was sent")?;
    }
    for message in &evidence.messages {
        write_message(&mut page, message, limit)?;
    }
    page.heading("Calls")?;
    if evidence.calls.is_empty() {
        nothing(&mut page, "no tool was called")?;
    }
    for call in &evidence.calls {
        write_call(&mut page, call, limit)?;
    }
    page.heading("Spans")?;
    if evidence.timeline.is_empty() {
        nothing(&mut page, "no span was recorded")?;
    }
    for span in &evidence.timeline {
        write_span(&mut page, span)?;
    }
    Ok(())
}

fn title(page: &mut Page<'_>, evidence: &TrialEvidence<'_>) -> fmt::Result {
    let number = format!("· trial {}", evidence.iteration_number);
    page.put(
        Paragraph::new(0, 2)
            .text(Style::Strong, evidence.title.clone())
            .text(Style::Plain, format!("({})", evidence.case_id))
            .text(Style::Plain, number),
    )?;
    let status = evidence.iteration.status.label();
    let graded = match evidence.task_verdict {
        Some(verdict) => format!("{status} · {}", verdict.label()),
        None => status.to_owned(),
    };
    let model = evidence.model.as_deref().unwrap_or("no model");
    let time = milliseconds(evidence.duration_ms);
    page.put(Paragraph::new(2, 2).text(Style::Plain, format!("{graded} · {model} · {time}")))?;
    match &evidence.iteration.error {
        Some(error) => page
            .put(Paragraph::new(2, 4).text(Style::Bad, "error").foreign(error.as_str().to_owned())),
        None => Ok(()),
    }
}

fn nothing(page: &mut Page<'_>, text: &str) -> fmt::Result {
    page.put(Paragraph::new(2, 2).text(Style::Faint, text))
}

/// A message is a text, or parts: texts, calls and results.
fn write_message(page: &mut Page<'_>, message: &Value, limit: usize) -> fmt::Result {
    let role = message.get("role").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    match message.get("content") {
        Some(Value::String(text)) => line(page, &role, None, text, limit),
        Some(Value::Array(parts)) => {
            parts.iter().try_for_each(|part| write_part(page, &role, part, limit))
        }
        Some(other) => line(page, &role, None, &json_line(other), limit),
        None => line(page, &role, None, "", limit),
    }
}

fn write_part(page: &mut Page<'_>, role: &str, part: &Value, limit: usize) -> fmt::Result {
    let text = |key: &str| part.get(key).and_then(Value::as_str);
    let tool = text("toolName").map(str::to_owned);
    match text("type") {
        Some("text") => line(page, role, None, text("text").unwrap_or_default(), limit),
        Some("tool-call") => {
            let input = part.get("input").map(json_line).unwrap_or_default();
            line(page, role, tool.map(|tool| format!("calls {tool}")), &input, limit)
        }
        Some("tool-result") => {
            let output = part.get("output").and_then(|output| output.get("value"));
            let output = match output {
                Some(Value::String(text)) => text.clone(),
                Some(other) => json_line(other),
                None => String::new(),
            };
            line(page, role, tool, &output, limit)
        }
        Some(_) | None => line(page, role, None, &json_line(part), limit),
    }
}

fn line(
    page: &mut Page<'_>,
    role: &str,
    about: Option<String>,
    text: &str,
    limit: usize,
) -> fmt::Result {
    let mut paragraph = Paragraph::new(2, 13).atom(Style::Strong, role, 10);
    if let Some(about) = about {
        paragraph = paragraph.text(Style::Strong, about);
    }
    page.put(paragraph.foreign(clip(text, limit)))
}

fn write_call(page: &mut Page<'_>, call: &ToolCallReport, limit: usize) -> fmt::Result {
    let place = match &call.server_name {
        Some(server) => format!("on {server}"),
        None => "on no server".to_owned(),
    };
    let time = call.duration_ms.map_or("no answer".to_owned(), milliseconds);
    let turn = format!("turn {}", call.prompt_index + 1);
    let arguments = match &call.raw_arguments {
        Some(raw) => format!("not an object: {raw}"),
        None => json_line(&call.arguments),
    };
    page.put(
        Paragraph::new(2, 4)
            .text(Style::Strong, call.tool_name.clone())
            .text(Style::Faint, format!("{place} · {turn} · {time}"))
            .foreign(clip(&arguments, limit)),
    )?;
    match &call.error {
        Some(error) => page.put(
            Paragraph::new(4, 6).text(Style::Bad, "error").foreign(clip(error, limit).into_owned()),
        ),
        None => Ok(()),
    }
}

/// A span stands deeper than the one around it: steps hold model parts and calls.
fn write_span(page: &mut Page<'_>, span: &TimelineSpan) -> fmt::Result {
    let indent = match span.category {
        SpanCategory::Step => 2,
        SpanCategory::Llm | SpanCategory::Tool | SpanCategory::Error => 4,
    };
    let times = format!("{} to {}", milliseconds(span.start_ms), milliseconds(span.end_ms));
    let mut paragraph = Paragraph::new(indent, indent + 2)
        .text(Style::Plain, span.name.clone())
        .text(Style::Faint, format!("({})", span.category.label()))
        .text(Style::Faint, format!("· {times}"));
    if let (Some(input), Some(output)) = (span.input_tokens, span.output_tokens) {
        let tokens = format!("· {} in, {output} out", count(input, "token"));
        paragraph = paragraph.text(Style::Faint, tokens);
    }
    if span.status == Some(SpanStatus::Error) {
        paragraph = paragraph.text(Style::Bad, "· error");
    }
    page.put(paragraph)
}

fn milliseconds(time: f64) -> String {
    format!("{time:.0} ms")
}
