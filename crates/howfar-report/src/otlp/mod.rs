//! The spans of a run as OTLP JSON, for tools that read OpenTelemetry traces (suite and runner, section F4).
//!
//! One trial is one trace: a root span with what was measured, and the spans of its time line below. Content is off by
//! default: prompts, answers, arguments, results and error texts are written only when they are asked for; names of
//! tools, servers and models, token counts and states always are. Identifiers are digests of the run, the case and the
//! trial, so that the same run always gives the same document.
//!
//! Evidence keeps times from the start of each trial and not when a trial began; every trace therefore begins when the
//! run began, and its root says so (`howfar.time_base` is `run`).

mod content;
mod document;
mod span;

use howfar_wire::evidence::TrialEvidence;
use howfar_wire::report::{RunReport, TrialReport};

use document::{Attributes, Resource, ResourceSpans, Scope, ScopeSpans, TracesData};

/// Whether a trace carries what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TraceContent {
    /// Names, counts, times and states.
    #[default]
    Off,
    /// Also prompts, answers, arguments, results and error texts, as they are stored.
    On,
}

/// A document that grows by one trial at a time.
#[derive(Debug)]
pub struct OtlpTraces<'a> {
    report: &'a RunReport,
    content: TraceContent,
    /// The start of the run in nanoseconds since 1970.
    base: i128,
    spans: Vec<document::Span>,
}

impl<'a> OtlpTraces<'a> {
    /// A document without trials. Times of a report without a readable start count from 1970.
    pub fn new(report: &'a RunReport, content: TraceContent) -> Self {
        let start = report.metadata.started_at.parse::<jiff::Timestamp>();
        let base = start.map_or(0, jiff::Timestamp::as_nanosecond);
        Self { report, content, base, spans: Vec::new() }
    }

    /// Adds the trace of a trial.
    pub fn add(&mut self, evidence: &TrialEvidence<'_>) {
        let row = self.trial_report(evidence);
        span::push_trial(evidence, row, self.content, self.base, &mut self.spans);
    }

    fn trial_report(&self, evidence: &TrialEvidence<'_>) -> Option<&'a TrialReport> {
        let case = self.report.cases.iter().find(|case| case.id == evidence.case_id)?;
        let trials = &case.details.iterations;
        trials.iter().find(|trial| trial.iteration_number == evidence.iteration_number)
    }

    /// The document: one JSON object (`TracesData`) and a line feed.
    pub fn finish(self) -> String {
        let metadata = &self.report.metadata;
        let mut resource = Attributes::default();
        resource.text("service.name", "howfar");
        resource.text("service.version", metadata.execution.sdk_version.clone());
        resource.text("howfar.run.id", metadata.run_id.clone());
        resource.text("howfar.suite.id", metadata.suite.id.clone());
        resource.text("howfar.verdict", metadata.verdict.to_string());
        let scope = Scope { name: "howfar", version: metadata.execution.sdk_version.clone() };
        let traces = TracesData {
            resource_spans: vec![ResourceSpans {
                resource: Resource { attributes: resource.0 },
                scope_spans: vec![ScopeSpans { scope, spans: self.spans }],
            }],
        };
        let mut text = serde_json::to_string(&traces).expect("a trace holds nothing but JSON");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests;
