//! Was the call made with usable arguments, and did it get a result (derivation 6.4)?

use howfar_wire::chain::{PromptRecord, StageRow};
use howfar_wire::vocabulary::{Stage, StageReason as Reason};

use super::facts::Facts;
use super::rows::{Citing as _, failed, passed};

const STAGE: Stage = Stage::Call;

/// An error of the tool's own passes here and fails the response.
pub(super) fn row<D>(facts: &Facts<'_, '_, D>) -> StageRow {
    let prompts = &facts.evidence.prompts;
    let mismatched = |prompt: &PromptRecord<D>| !prompt.argument_mismatches.is_empty();
    if prompts.iter().any(mismatched) {
        let mismatched = prompts.iter().filter(|prompt| mismatched(prompt));
        failed(STAGE, Reason::ArgumentMismatch).citing_prompts(mismatched)
    } else if facts.checks.failed(STAGE) {
        failed(STAGE, Reason::ArgumentMismatch).citing_reasons(facts.failed_checks(STAGE))
    } else if facts.spans.coded || facts.protocol_error {
        let coded = facts.tool_spans(|span| span.mcp_error_code.is_some());
        failed(STAGE, Reason::ProtocolError).citing_spans(coded)
    } else if facts.spans.tool {
        passed(STAGE, Reason::Observed).citing_spans(facts.tool_spans(|_| true))
    } else if facts.authored.is_negative_test == Some(true) && !prompts.is_empty() {
        passed(STAGE, Reason::Observed).citing_prompts(prompts.iter())
    } else if facts.checks.deciding(STAGE) {
        passed(STAGE, Reason::Observed)
    } else {
        facts.no_trace_row(STAGE)
    }
}
