//! What the rules ask of the evidence, found in one pass (derivation, sections 4 and 6, step A).

use howfar_wire::chain::{
    Authored, AuthoredMode, Evidence, PredicateResult, SetupSignal, Span, StageInput, StageRow,
    StepErrorSource, ToolExpectation,
};
use howfar_wire::vocabulary::{PredicateKind, Stage, StageReason as Reason};
use serde_json::Number;

use super::routing::{decides_at, kind_of};
use super::rows::not_measured;

/// The evidence and what is known about it as a whole.
pub(super) struct Facts<'i, 'a, D> {
    pub(super) authored: &'i Authored,
    pub(super) evidence: &'i Evidence<'a, D>,
    pub(super) spans: SpanFacts,
    pub(super) checks: CheckFacts,
    pub(super) connection_signal: Option<&'i SetupSignal<'a>>,
    pub(super) discovery_signal: Option<&'i SetupSignal<'a>>,
    /// A `protocol-error` tool error was recorded.
    pub(super) protocol_error: bool,
    /// A `content-error` tool error was recorded.
    content_error: bool,
}

impl<'i, 'a, D> Facts<'i, 'a, D> {
    pub(super) fn of(input: &'i StageInput<'a, D>) -> Self {
        let evidence = &input.evidence;
        let signals = evidence.setup_signals.as_ref();
        let any_error = |kind: &str| {
            evidence.tool_errors.iter().any(|error| error.kind.as_deref() == Some(kind))
        };
        Self {
            authored: &input.authored,
            evidence,
            spans: SpanFacts::of(&evidence.spans),
            checks: CheckFacts::of(&evidence.predicate_results),
            connection_signal: signals.and_then(|signals| signals.connection.as_ref()),
            discovery_signal: signals.and_then(|signals| signals.discovery.as_ref()),
            protocol_error: any_error("protocol-error"),
            content_error: any_error("content-error"),
        }
    }

    /// Any tool error or span that says a call ended with an error of the tool's own.
    pub(super) const fn observed_tool_failure(&self) -> bool {
        self.content_error || self.spans.domain_failed
    }

    /// The catalogs held at least one tool.
    pub(super) fn tools_listed(&self) -> bool {
        let signals = self.evidence.tool_signals;
        signals.and_then(|signals| signals.tools_total_before).is_some_and(|total| total > 0)
    }

    /// The row of a stage that saw nothing: why nothing was seen.
    pub(super) const fn no_trace_row(&self, stage: Stage) -> StageRow {
        let reason = if self.evidence.trace_absent {
            Reason::TraceAbsent
        } else if self.evidence.trace_lacks_span_channel {
            Reason::ExecutorEmitsNoSpans
        } else {
            Reason::NoEvidenceCaptured
        };
        not_measured(stage, reason)
    }

    /// A model call ended a step.
    pub(super) fn model_failed(&self) -> bool {
        let source = self.evidence.step_error.as_ref().and_then(|error| error.source);
        source == Some(StepErrorSource::Model)
    }

    /// The results that decide `stage` and did not hold.
    pub(super) fn failed_checks(&self, stage: Stage) -> impl Iterator<Item = &'i str> {
        let results = self.evidence.predicate_results.iter();
        results
            .filter(move |result| {
                is_deciding(result) && is_failed(result) && decides_at(kind_of(result)) == stage
            })
            .filter_map(|result| result.reason.as_deref())
    }

    /// The tool spans that satisfy `test`.
    pub(super) fn tool_spans(
        &self,
        test: impl Fn(&Span<'a>) -> bool,
    ) -> impl Iterator<Item = &'i Span<'a>> {
        self.evidence.spans.iter().filter(move |span| is_tool(span) && test(span))
    }
}

/// Which stages a case and its evidence speak about.
#[derive(Clone, Copy)]
pub(super) struct Applicable([bool; 6]);

impl Applicable {
    pub(super) fn of<D>(authored: &Authored, facts: &Facts<'_, '_, D>) -> Self {
        let is = |flag: Option<bool>| flag == Some(true);
        let expectation = match authored.tool_expectation {
            Some(ToolExpectation::Required | ToolExpectation::Open) => true,
            Some(ToolExpectation::NotRequired) | None => false,
        };
        let about_calls =
            is(authored.expects_tool_call) || is(authored.is_negative_test) || expectation;
        let widget = is(authored.expects_widget_render);
        let selection = match authored.mode {
            AuthoredMode::ModelDriven => true,
            AuthoredMode::ModelFree => false,
        };
        let call = about_calls || facts.checks.deciding(Stage::Call);
        let response = about_calls
            || widget
            || facts.observed_tool_failure()
            || facts.checks.deciding(Stage::Response);
        let user_value = authored.assertion_count.is_some_and(|count| count > 0)
            || widget
            || is(authored.has_user_ask);
        Self([true, true, selection, call, response, user_value])
    }

    pub(super) const fn holds(self, stage: Stage) -> bool {
        self.0[stage.index()]
    }
}

/// What the spans say together.
#[derive(Default)]
pub(super) struct SpanFacts {
    /// Any tool span.
    pub(super) tool: bool,
    /// Any tool span that reached the server.
    pub(super) reaching: bool,
    /// Any tool span with a protocol error code.
    pub(super) coded: bool,
    /// Any failed tool span without such a code.
    pub(super) domain_failed: bool,
    /// Any tool span that did not fail.
    pub(super) succeeded: bool,
    /// Any span, of whatever category, with a code that never left our side.
    pub(super) transport_local: bool,
}

impl SpanFacts {
    fn of(spans: &[Span<'_>]) -> Self {
        let mut facts = Self::default();
        for span in spans {
            facts.transport_local |= is_transport_local(span);
            if is_tool(span) {
                facts.tool = true;
                facts.reaching |= is_reaching(span);
                facts.coded |= span.mcp_error_code.is_some();
                facts.domain_failed |= is_domain_failed(span);
                facts.succeeded |= !is_span_failed(span);
            }
        }
        facts
    }
}

/// What the authored checks say together, per stage at which they decide.
#[derive(Default)]
pub(super) struct CheckFacts {
    deciding: [bool; 6],
    failed: [bool; 6],
    /// A failed check says that an expected call is missing.
    pub(super) missing_call: bool,
}

impl CheckFacts {
    fn of(results: &[PredicateResult<'_>]) -> Self {
        let mut facts = Self::default();
        for result in results.iter().filter(|result| is_deciding(result)) {
            let kind = kind_of(result);
            let stage = decides_at(kind).index();
            facts.deciding[stage] = true;
            if is_failed(result) {
                facts.failed[stage] = true;
                facts.missing_call |= kind == Some(PredicateKind::ToolCalledAtLeastOnce);
            }
        }
        facts
    }

    /// Any result decides `stage`.
    pub(super) const fn deciding(&self, stage: Stage) -> bool {
        self.deciding[stage.index()]
    }

    /// Any result decides `stage` and did not hold.
    pub(super) const fn failed(&self, stage: Stage) -> bool {
        self.failed[stage.index()]
    }

    /// Any result decides anything.
    pub(super) fn any_deciding(&self) -> bool {
        self.deciding.contains(&true)
    }
}

pub(super) fn is_tool(span: &Span<'_>) -> bool {
    span.category.as_deref() == Some("tool")
}

/// A span with status `ok` and an error code is failed too.
pub(super) fn is_span_failed(span: &Span<'_>) -> bool {
    span.status.as_deref() == Some("error") || span.mcp_error_code.is_some()
}

/// Failed without a protocol error: the tool itself said so.
pub(super) fn is_domain_failed(span: &Span<'_>) -> bool {
    span.status.as_deref() == Some("error") && span.mcp_error_code.is_none()
}

/// Whether the call left our side: every tool span but one with a transport-local code.
pub(super) fn is_reaching(span: &Span<'_>) -> bool {
    !is_transport_local(span)
}

fn is_transport_local(span: &Span<'_>) -> bool {
    let code = span.mcp_error_code.as_ref().and_then(Number::as_f64);
    code == Some(-32000.0) || code == Some(-32001.0)
}

/// Advisory results and results that could not be scored decide nothing.
fn is_deciding(result: &PredicateResult<'_>) -> bool {
    let role = result.predicate.as_ref().and_then(|predicate| predicate.role.as_deref());
    role != Some("advisory") && result.status.as_deref() != Some("error")
}

/// Only an explicit `false` is a failure.
fn is_failed(result: &PredicateResult<'_>) -> bool {
    result.passed == Some(false)
}
