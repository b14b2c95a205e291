//! What happened when in one trial: spans on a line of time, as a table with bars and as a strip for a row.

use std::fmt::{self, Write as _};

use askama::Template;
use howfar_wire::evidence::{SpanCategory, SpanStatus, TimelineSpan};
use howfar_wire::vocabulary::Vocabulary as _;

use super::Level;
use crate::html::{anchor, units};
use crate::text::clip;

/// How many spans the table shows.
const SPANS: usize = 120;

/// How many spans the strip shows.
const STRIP: usize = 40;

/// The spans of a trial, one row each. Times are milliseconds from the trial's start.
#[derive(Debug, Template)]
#[template(path = "component/timeline.html")]
pub struct Timeline {
    level: Level,
    rows: Vec<Row>,
    in_all: usize,
    end: String,
}

#[derive(Debug)]
struct Row {
    anchor: String,
    name: String,
    class: &'static str,
    /// The category in words, for those who do not see the bar.
    what: &'static str,
    nested: bool,
    is_error: bool,
    /// The start and the width of the bar in percent of the whole.
    start: String,
    width: String,
    duration: String,
    /// Turn, server, tokens, error code: whatever is known.
    facts: String,
}

impl Timeline {
    /// The spans of an evidence document; `anchor` is the trial's anchor, and a span stands at `ANCHOR-span-ID`.
    pub fn new(spans: &[TimelineSpan], anchor: &str, level: Level) -> Self {
        let end = end_of(spans);
        let several = spans.iter().any(|span| span.prompt_index.is_some_and(|turn| turn > 0));
        let row = |span: &TimelineSpan| Row::new(span, end, several, anchor);
        Self {
            level,
            rows: spans.iter().take(SPANS).map(row).collect(),
            in_all: spans.len(),
            end: units::duration(end),
        }
    }
}

impl Row {
    fn new(span: &TimelineSpan, end: f64, several: bool, trial: &str) -> Self {
        let percent = |ms: f64| share(ms, end, 100.0);
        let start = percent(span.start_ms);
        Self {
            anchor: anchor::span(trial, &span.id),
            name: clip(&span.name, 80).into_owned(),
            class: span.category.as_str(),
            what: span.category.label(),
            nested: span.parent_id.is_some(),
            is_error: span.status == Some(SpanStatus::Error)
                || span.category == SpanCategory::Error,
            start: format!("{start:.1}"),
            width: format!("{:.1}", (percent(span.end_ms) - start).max(0.4)),
            duration: units::duration(span.end_ms - span.start_ms),
            facts: facts(span, several),
        }
    }
}

/// Whether the time line of these spans has a row with this id.
pub(super) fn is_shown(spans: &[TimelineSpan], id: &str) -> bool {
    spans.iter().take(SPANS).any(|span| span.id == id)
}

/// "turn 2 · server shop · 120 tokens in, 30 out · MCP error -32602".
fn facts(span: &TimelineSpan, several: bool) -> String {
    let mut facts = Vec::new();
    facts.extend(span.prompt_index.filter(|_| several).map(|turn| format!("turn {}", turn + 1)));
    facts.extend(span.server_id.iter().map(|server| format!("server {server}")));
    let is_step = span.category == SpanCategory::Step;
    facts.extend(span.model_id.iter().filter(|_| is_step).map(|model| format!("model {model}")));
    facts.extend(span.input_tokens.map(|tokens| format!("{} tokens in", units::grouped(tokens))));
    facts.extend(span.output_tokens.map(|tokens| format!("{} tokens out", units::grouped(tokens))));
    facts.extend(span.mcp_error_code.map(|code| format!("MCP error {code}")));
    clip(&facts.join(" · "), 120).into_owned()
}

/// When the last span ends; at least 1 ms, so that there is something to divide by.
fn end_of(spans: &[TimelineSpan]) -> f64 {
    spans.iter().map(|span| span.end_ms).fold(1.0, f64::max)
}

/// A time as a share of the whole, from 0 to `full`.
fn share(ms: f64, end: f64, full: f64) -> f64 {
    let share = (ms / end * full).clamp(0.0, full);
    if share.is_nan() { 0.0 } else { share }
}

/// The spans of a trial as one small picture: up to 40 model spans above, up to 40 tool spans below.
#[derive(Debug, Clone, Copy)]
pub struct TimelineStrip<'a>(pub &'a [TimelineSpan]);

impl fmt::Display for TimelineStrip<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = end_of(self.0);
        let at = |ms: f64| share(ms, end, 99.0).round();
        f.write_str("<svg class=\"strip\" viewBox=\"0 0 99 6\" preserveAspectRatio=\"none\">")?;
        for (category, y) in [(SpanCategory::Llm, "1.5"), (SpanCategory::Tool, "4.5")] {
            let mut path = String::new();
            for span in self.0.iter().filter(|span| span.category == category).take(STRIP) {
                let start = at(span.start_ms).min(98.0);
                write!(path, "M{start} {y}h{}", (at(span.end_ms) - start).max(1.0))?;
            }
            if !path.is_empty() {
                write!(f, "<path class=\"{}\" d=\"{path}\"/>", category.as_str())?;
            }
        }
        f.write_str("</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(name: &str, category: SpanCategory, start_ms: f64, end_ms: f64) -> TimelineSpan {
        TimelineSpan {
            id: name.to_owned(),
            parent_id: None,
            name: name.to_owned(),
            category,
            start_ms,
            end_ms,
            prompt_index: Some(0),
            step_index: Some(0),
            status: Some(SpanStatus::Ok),
            tool_call_id: None,
            tool_name: None,
            server_id: None,
            model_id: None,
            input_tokens: None,
            output_tokens: None,
            finish_reason: None,
            response_id: None,
            mcp_error_code: None,
        }
    }

    #[test]
    fn a_bar_stands_where_its_span_does() {
        let spans = [
            span("Model", SpanCategory::Llm, 0.0, 25.0),
            span("<find>", SpanCategory::Tool, 25.0, 100.0),
        ];
        let shown = Timeline::new(&spans, "t", Level::Case).to_string();
        assert!(shown.contains("x=\"25.0%\"") && shown.contains("width=\"75.0%\""), "{shown}");
        assert!(shown.contains("&#60;find&#62;") && shown.contains("id=\"t-span-~3cfind~3e\""));
        assert!(shown.contains("75 ms"), "{shown}");
    }

    #[test]
    fn a_strip_of_broken_times_is_still_a_picture() {
        let spans =
            [span("m", SpanCategory::Llm, -5.0, f64::NAN), span("t", SpanCategory::Tool, 9e9, 1.0)];
        let shown = TimelineStrip(&spans).to_string();
        assert!(shown.ends_with("</svg>") && !shown.contains("NaN"), "{shown}");
    }
}
