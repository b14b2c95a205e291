//! Was the right tool chosen (derivation 6.3)?

use howfar_wire::chain::{PromptRecord, StageRow, ToolExpectation};
use howfar_wire::vocabulary::{Stage, StageReason as Reason};

use super::facts::Facts;
use super::rows::{Citing as _, failed, not_measured, passed};

const STAGE: Stage = Stage::Selection;

pub(super) fn row<D>(facts: &Facts<'_, '_, D>) -> StageRow {
    let prompts = &facts.evidence.prompts;
    if is_open(facts) {
        open_row(facts)
    } else if prompts.iter().any(misses_call) {
        let missing = prompts.iter().filter(|prompt| misses_call(prompt));
        failed(STAGE, Reason::MissingToolCall).citing_prompts(missing)
    } else if facts.checks.failed(STAGE) {
        let missing = facts.checks.missing_call;
        let reason = if missing { Reason::MissingToolCall } else { Reason::UnexpectedToolCall };
        failed(STAGE, reason).citing_reasons(facts.failed_checks(STAGE))
    } else if prompts.iter().any(has_extras) {
        extras_row(prompts)
    } else if !prompts.is_empty() || facts.checks.deciding(STAGE) {
        passed(STAGE, Reason::Observed)
    } else {
        facts.no_trace_row(STAGE)
    }
}

/// Nothing says which tool would have been right.
fn is_open<D>(facts: &Facts<'_, '_, D>) -> bool {
    let open = facts.authored.tool_expectation == Some(ToolExpectation::Open);
    let expects = |prompt: &PromptRecord<D>| !prompt.expected_tool_calls.is_empty();
    open && !facts.checks.deciding(STAGE) && !facts.evidence.prompts.iter().any(expects)
}

fn open_row<D>(facts: &Facts<'_, '_, D>) -> StageRow {
    if facts.evidence.trace_absent {
        not_measured(STAGE, Reason::TraceAbsent)
    } else if facts.spans.tool {
        let spans = facts.tool_spans(|_| true);
        not_measured(STAGE, Reason::MatchVerdictUnavailable).citing_spans(spans)
    } else {
        not_measured(STAGE, Reason::NoEvidenceCaptured)
    }
}

/// Extra calls count against the selection only when the turn failed for nothing else, and when somebody said so.
fn extras_row<D>(prompts: &[PromptRecord<D>]) -> StageRow {
    let to_blame = |prompt: &PromptRecord<D>| {
        has_extras(prompt) && prompt.passed == Some(false) && prompt.argument_mismatches.is_empty()
    };
    let unjudged = |prompt: &PromptRecord<D>| has_extras(prompt) && prompt.passed.is_none();
    if prompts.iter().any(to_blame) {
        let to_blame = prompts.iter().filter(|prompt| to_blame(prompt));
        failed(STAGE, Reason::UnexpectedToolCall).citing_prompts(to_blame)
    } else if prompts.iter().any(unjudged) {
        let unjudged = prompts.iter().filter(|prompt| unjudged(prompt));
        not_measured(STAGE, Reason::MatchVerdictUnavailable).citing_prompts(unjudged)
    } else {
        passed(STAGE, Reason::Observed).citing_prompts(prompts.iter())
    }
}

fn misses_call<D>(prompt: &PromptRecord<D>) -> bool {
    !prompt.missing.is_empty()
}

fn has_extras<D>(prompt: &PromptRecord<D>) -> bool {
    !prompt.unexpected.is_empty()
}
