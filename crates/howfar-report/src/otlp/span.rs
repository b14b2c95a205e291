//! One trial as spans.

use howfar_wire::canon::sha256_hex;
use howfar_wire::evidence::{SpanCategory, SpanStatus, TimelineSpan, TrialEvidence};
use howfar_wire::report::TrialReport;
use howfar_wire::vocabulary::Vocabulary as _;

use super::TraceContent;
use super::content;
use super::document::{Attributes, Span, Status, kind, status};

/// Adds the root span of a trial and one span per part of its time line.
pub(super) fn push_trial(
    evidence: &TrialEvidence<'_>,
    row: Option<&TrialReport>,
    content: TraceContent,
    base: i128,
    spans: &mut Vec<Span>,
) {
    let trace = Trace::of(evidence, content, base);
    spans.push(trace.root(row));
    spans.extend(evidence.timeline.iter().map(|span| trace.child(span)));
}

/// What the spans of one trial share.
struct Trace<'a> {
    evidence: &'a TrialEvidence<'a>,
    content: TraceContent,
    base: i128,
    /// 32 hexadecimal digits.
    id: String,
}

impl<'a> Trace<'a> {
    fn of(evidence: &'a TrialEvidence<'a>, content: TraceContent, base: i128) -> Self {
        let trial = evidence.iteration_number;
        let name = format!("trace\n{}\n{}\n{trial}", evidence.run_id, evidence.case_id);
        Self { evidence, content, base, id: identifier(&name, 32) }
    }

    /// The identifier of a span of this trace; the root is the one without a name.
    fn span_id(&self, name: &str) -> String {
        identifier(&format!("span\n{}\n{name}", self.id), 16)
    }

    fn root(&self, row: Option<&TrialReport>) -> Span {
        let evidence = self.evidence;
        let ends = evidence.timeline.iter().map(|span| span.end_ms);
        let mut attributes = Attributes::default();
        attributes.text("gen_ai.operation.name", "invoke_agent");
        attributes.text("howfar.run.id", evidence.run_id.clone());
        attributes.text("howfar.case.id", evidence.case_id.clone());
        attributes.number("howfar.trial", evidence.iteration_number);
        attributes.text("howfar.time_base", "run");
        attributes.text("howfar.trial.status", evidence.iteration.status.as_str());
        if let Some(provider) = &evidence.provider {
            attributes.text("gen_ai.provider.name", provider.clone());
        }
        if let Some(model) = &evidence.model {
            attributes.text("gen_ai.request.model", model.clone());
        }
        if let Some(tokens) = evidence.tokens {
            attributes.number("gen_ai.usage.input_tokens", tokens.input);
            attributes.number("gen_ai.usage.output_tokens", tokens.output);
        }
        row.iter().for_each(|row| measured(row, &mut attributes));
        if self.content == TraceContent::On {
            content::of_trial(evidence, &mut attributes);
        }
        Span {
            trace_id: self.id.clone(),
            span_id: self.span_id(""),
            parent_span_id: None,
            name: format!("trial {} {}", evidence.case_id, evidence.iteration_number),
            kind: kind::INTERNAL,
            start_time_unix_nano: self.time(0.0),
            end_time_unix_nano: self.time(ends.fold(evidence.duration_ms, f64::max)),
            attributes: attributes.0,
            // A trial that did not pass is no error of the traced program.
            status: None,
        }
    }

    fn child(&self, span: &TimelineSpan) -> Span {
        let mut attributes = Attributes::default();
        operation(span, &mut attributes);
        place(span, &mut attributes);
        usage(span, &mut attributes);
        if self.content == TraceContent::On {
            content::of_span(self.evidence, span, &mut attributes);
        }
        let parent = span.parent_id.as_deref().unwrap_or("");
        Span {
            trace_id: self.id.clone(),
            span_id: self.span_id(&span.id),
            parent_span_id: Some(self.span_id(parent)),
            name: name(span),
            kind: kind_of(span.category),
            start_time_unix_nano: self.time(span.start_ms),
            end_time_unix_nano: self.time(span.end_ms),
            attributes: attributes.0,
            status: span.status.map(|ended| self.status(ended, span)),
        }
    }

    fn status(&self, ended: SpanStatus, span: &TimelineSpan) -> Status {
        match ended {
            SpanStatus::Ok => Status { code: status::OK, message: None },
            SpanStatus::Error => {
                let message = match (self.content, span.category) {
                    (TraceContent::On, SpanCategory::Error) => Some(span.name.clone()),
                    (TraceContent::On | TraceContent::Off, _) => None,
                };
                Status { code: status::ERROR, message }
            }
        }
    }

    /// Milliseconds of the trial as nanoseconds since 1970.
    fn time(&self, milliseconds: f64) -> String {
        // Saturates; a time line is hours at most.
        let nanoseconds = (milliseconds * 1e6).round() as i64;
        (self.base + i128::from(nanoseconds)).max(0).to_string()
    }
}

/// The first hexadecimal digits of a digest; an identifier of zeros is not allowed and has no chance.
fn identifier(text: &str, digits: usize) -> String {
    let mut digest = sha256_hex(text.as_bytes());
    digest.truncate(digits);
    digest
}

/// The name of a span, without anything that a model or a server said but names.
fn name(span: &TimelineSpan) -> String {
    let named = |operation: &str, name: &Option<String>| match name {
        Some(name) => format!("{operation} {name}"),
        None => operation.to_owned(),
    };
    match span.category {
        SpanCategory::Step => match span.step_index {
            Some(step) => format!("step {}", u64::from(step) + 1),
            None => "step".to_owned(),
        },
        SpanCategory::Llm => named("chat", &span.model_id),
        SpanCategory::Tool => named("execute_tool", &span.tool_name),
        SpanCategory::Error => "error".to_owned(),
    }
}

const fn kind_of(category: SpanCategory) -> u8 {
    match category {
        SpanCategory::Llm | SpanCategory::Tool => kind::CLIENT,
        SpanCategory::Step | SpanCategory::Error => kind::INTERNAL,
    }
}

/// What the span does, in the words of the conventions for generative models and MCP.
fn operation(span: &TimelineSpan, attributes: &mut Attributes) {
    attributes.text("howfar.span.category", span.category.as_str());
    match span.category {
        SpanCategory::Llm => attributes.text("gen_ai.operation.name", "chat"),
        SpanCategory::Tool => {
            attributes.text("gen_ai.operation.name", "execute_tool");
            attributes.text("mcp.method.name", "tools/call");
        }
        SpanCategory::Step | SpanCategory::Error => {}
    }
    let texts = [
        ("gen_ai.tool.name", &span.tool_name),
        ("gen_ai.tool.call.id", &span.tool_call_id),
        ("howfar.server", &span.server_id),
        ("gen_ai.request.model", &span.model_id),
        ("gen_ai.response.id", &span.response_id),
    ];
    for (key, value) in texts {
        value.iter().for_each(|value| attributes.text(key, value.clone()));
    }
}

/// Where in the conversation the span lies; both count from 0.
fn place(span: &TimelineSpan, attributes: &mut Attributes) {
    span.prompt_index.iter().for_each(|&at| attributes.number("howfar.prompt_index", at));
    span.step_index.iter().for_each(|&at| attributes.number("howfar.step_index", at));
}

fn usage(span: &TimelineSpan, attributes: &mut Attributes) {
    let tokens = [
        ("gen_ai.usage.input_tokens", span.input_tokens),
        ("gen_ai.usage.output_tokens", span.output_tokens),
    ];
    for (key, value) in tokens {
        value.iter().for_each(|&value| attributes.number(key, value));
    }
    if let Some(reason) = &span.finish_reason {
        attributes.texts("gen_ai.response.finish_reasons", &[reason]);
    }
    if let Some(code) = span.mcp_error_code {
        attributes.number("rpc.jsonrpc.error_code", code);
    }
}

/// What was measured of the trial: every link with its state, and where it broke first.
fn measured(row: &TrialReport, attributes: &mut Attributes) {
    for link in &row.stage_results {
        let key = format!("howfar.stage.{}", link.stage.as_str());
        attributes.text(key, link.state.as_str());
    }
    if let Some(stage) = row.first_failed_stage {
        attributes.text("howfar.first_failed_stage", stage.as_str());
    }
    if let Some(category) = row.failure_category {
        attributes.text("howfar.failure_category", category.as_str());
    }
    if let Some(verdict) = row.task_verdict {
        attributes.text("howfar.task_verdict", verdict.as_str());
    }
    attributes.flag("howfar.evaluator_error", row.evaluator_error);
}
