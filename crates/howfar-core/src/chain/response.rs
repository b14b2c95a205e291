//! Did the server return data that the model could use (derivation 6.5)?

use howfar_wire::chain::{RenderObservation, StageRow};
use howfar_wire::vocabulary::{Stage, StageReason as Reason};

use super::facts::{Facts, is_domain_failed, is_span_failed};
use super::rows::{Citing as _, failed, not_measured, passed};

const STAGE: Stage = Stage::Response;

pub(super) fn row<D>(facts: &Facts<'_, '_, D>) -> StageRow {
    if facts.observed_tool_failure() {
        let failing = facts.tool_spans(is_domain_failed);
        failed(STAGE, Reason::ToolError).citing_spans(failing)
    } else if facts.checks.failed(STAGE) {
        failed(STAGE, Reason::PredicateFailed).citing_reasons(facts.failed_checks(STAGE))
    } else if facts.authored.expects_widget_render == Some(true) {
        render_row(&facts.evidence.render_observations)
    } else if facts.spans.succeeded {
        let succeeded = facts.tool_spans(|span| !is_span_failed(span));
        passed(STAGE, Reason::Observed).citing_spans(succeeded)
    } else if facts.checks.deciding(STAGE) {
        passed(STAGE, Reason::Observed)
    } else {
        facts.no_trace_row(STAGE)
    }
}

/// With a widget expected, nothing but what was seen of widgets counts.
fn render_row(observations: &[RenderObservation<'_>]) -> StageRow {
    let rendered = |seen: &RenderObservation<'_>| seen.status.as_deref() == Some("rendered");
    if observations.is_empty() {
        not_measured(STAGE, Reason::NoEvidenceCaptured)
    } else if observations.iter().all(rendered) {
        passed(STAGE, Reason::Observed)
    } else {
        failed(STAGE, Reason::RenderFailed)
    }
}
