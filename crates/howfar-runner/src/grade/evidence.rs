//! The evidence document of a trial (product, "The boundary that everything hangs on").

use howfar_model::{Message, ModelError};
use howfar_wire::canon;
use howfar_wire::chain::{
    Evidence, Iteration, PredicateRef, PredicateResult, PromptRecord, SetupSignal, SetupSignals,
    Span, StepError, StepErrorSource, Text, ToolErrorRecord, ToolSignals,
};
use howfar_wire::evidence::{TRIAL_EVIDENCE_KIND, TRIAL_EVIDENCE_SCHEMA_VERSION, TrialEvidence};
use howfar_wire::matching::PromptSummary;
use howfar_wire::predicate::PredicateRow;
use howfar_wire::report::{TokenUse, ToolCallReport};
use howfar_wire::transcript::{ToolError, Transcript};
use howfar_wire::vocabulary::{
    Attribution, IterationStatus, SetupOutcome, TaskVerdict, Vocabulary as _,
};
use serde_json::{Number, Value, json};

use super::{GradeContext, Grades, checks};
use crate::options::MAX_ERROR_UNITS;
use crate::trial::{Breakdown, CallRecord, EndedTrial, Recording, TurnKind};

/// The document of a trial that ran.
pub(super) fn document(
    context: GradeContext<'_>,
    trial: EndedTrial,
    grades: &Grades,
    verdict: Option<TaskVerdict>,
    evaluator_error: bool,
) -> TrialEvidence<'static> {
    let EndedTrial { status, recording, breakdown } = trial;
    let evidence = Evidence {
        spans: recording.calls.iter().filter(|call| call.was_sent()).map(span).collect(),
        prompts: prompt_records(&recording, grades.route.turns(), context),
        tool_signals: tool_signals(context),
        predicate_results: predicate_results(grades, context),
        tool_errors: recording.transcript.errors().iter().map(tool_error).collect(),
        step_error: breakdown.as_ref().and_then(step_error),
        setup_signals: context.environment.signals.clone(),
        ..Evidence::default()
    };
    let error = breakdown.as_ref().map(|breakdown| breakdown_text(breakdown, context));
    let refusal = breakdown.as_ref().and_then(|breakdown| match breakdown {
        Breakdown::Model(error) => error.refusal(),
        Breakdown::Server { .. } | Breakdown::Clock { .. } => None,
    });
    let (tokens, cost_usd) = (recording.tokens(), recording.cost_usd());
    let duration_ms = recording.now_ms();
    let messages = messages(&recording, context);
    TrialEvidence {
        evidence,
        iteration: Iteration { status, error: error.map(Text::from) },
        task_verdict: verdict,
        evaluator_error,
        refusal,
        messages,
        timeline: redacted_timeline(&recording, context),
        calls: recording.calls.iter().map(|call| call_report(call, context)).collect(),
        transcript: redacted_transcript(recording.transcript, context),
        policy_blocks: recording.policy_blocks,
        checks: checks::checks(context, grades),
        duration_ms,
        tokens,
        cost_usd,
        ..blank(context, status)
    }
}

/// The document of a trial that never began. `setup_gap` says what no server offers, when that is why.
pub(super) fn document_of_unbegun(
    context: GradeContext<'_>,
    grades: &Grades,
    status: IterationStatus,
    setup_gap: Option<&str>,
) -> TrialEvidence<'static> {
    let mut document = blank(context, status);
    document.checks = checks::checks(context, grades);
    document.evidence.trace_absent = true;
    document.evidence.setup_signals = match (setup_gap, status) {
        (Some(gap), _) => context.environment.signals.clone().map(|signals| with_gap(signals, gap)),
        (None, IterationStatus::SetupFailed) => context.environment.signals.clone(),
        (None, _) => None,
    };
    document.iteration.error = match setup_gap {
        Some(gap) => Some(Text::from(gap.to_owned())),
        None => context.environment.first_error().map(|error| Text::from(bounded_error(error))),
    };
    document
}

fn blank(context: GradeContext<'_>, status: IterationStatus) -> TrialEvidence<'static> {
    let case = context.case;
    TrialEvidence {
        schema_version: TRIAL_EVIDENCE_SCHEMA_VERSION,
        kind: TRIAL_EVIDENCE_KIND.to_owned(),
        run_id: context.identity.run_id.clone(),
        suite_id: context.identity.suite_id.clone(),
        case_id: case.id.clone(),
        title: case.title.clone(),
        intent: case.intent.clone(),
        iteration_number: context.number,
        provider: case.model.as_ref().map(|model| model.provider.clone()),
        model: case.model.as_ref().map(|model| model.effective.clone()),
        authored: case.authored.clone(),
        evidence: Evidence::default(),
        iteration: Iteration { status, error: None },
        policy: None,
        task_verdict: None,
        evaluator_error: false,
        refusal: None,
        validity: Some(context.validity),
        case: case.resolved.clone(),
        transcript: Transcript::default(),
        calls: Vec::new(),
        messages: Vec::new(),
        timeline: Vec::new(),
        policy_blocks: Vec::new(),
        checks: Vec::new(),
        judge: None,
        checks_verdict: None,
        duration_ms: 0.0,
        tokens: Some(TokenUse::default()),
        cost_usd: Some(0.0),
    }
}

/// What a case expects and no server offers, while a server advertises nothing: that is setup, not a choice of the
/// model. The listing is marked as failed on the server's side, with the line that says what is missing.
fn with_gap(mut signals: SetupSignals<'static>, gap: &str) -> SetupSignals<'static> {
    signals.discovery = Some(SetupSignal {
        outcome: SetupOutcome::Failed,
        attribution: Some(Attribution::Theirs),
        egress_verified: None,
        span_ids: Vec::new(),
        duration_ms: None,
        reasons: vec![Text::from(gap.to_owned())],
    });
    signals
}

fn span(call: &CallRecord) -> Span<'static> {
    Span {
        id: Some(Text::from(call.span_id.clone())),
        category: Some(Text::from("tool")),
        status: Some(Text::from(call.status().as_str())),
        tool_name: Some(Text::from(call.tool_name.clone())),
        prompt_index: Some(Number::from(call.turn)),
        mcp_error_code: call.error_code().map(Number::from),
    }
}

/// One record per prompt that was played. A pinned call is no choice, so it leaves none.
fn prompt_records(
    recording: &Recording,
    turns: &[PromptSummary],
    context: GradeContext<'_>,
) -> Vec<PromptRecord<Value>> {
    let played = recording.turns.iter().zip(turns);
    let prompts = played.filter(|(turn, _)| turn.kind == TurnKind::Prompt);
    let values = |items: &[howfar_wire::transcript::ToolCall]| {
        items.iter().map(|item| value(item, context)).collect()
    };
    let record = |summary: &PromptSummary| PromptRecord {
        prompt_index: Some(Number::from(summary.prompt_index)),
        expected_tool_calls: values(&summary.expected_tool_calls),
        missing: values(&summary.missing),
        unexpected: values(&summary.unexpected),
        argument_mismatches: summary
            .argument_mismatches
            .iter()
            .map(|item| value(item, context))
            .collect(),
        passed: Some(summary.passed),
    };
    prompts.map(|(_, summary)| record(summary)).collect()
}

fn call_report(call: &CallRecord, context: GradeContext<'_>) -> ToolCallReport {
    let redactor = context.redactor;
    ToolCallReport {
        tool_name: call.tool_name.clone(),
        server_name: call.server.clone(),
        arguments: redactor.object(&call.arguments),
        raw_arguments: call.raw_arguments.as_deref().map(|raw| redactor.text(raw)),
        prompt_index: u32::try_from(call.turn).unwrap_or(u32::MAX),
        duration_ms: call.duration_ms(),
        error: call.error_text().map(|error| bounded_error(&redactor.text(error))),
    }
}

fn value<T: serde::Serialize>(item: &T, context: GradeContext<'_>) -> Value {
    let value = serde_json::to_value(item).expect("calls hold nothing but JSON");
    context.redactor.value(&value)
}

fn tool_signals(context: GradeContext<'_>) -> Option<ToolSignals> {
    Some(ToolSignals {
        tools_total_before: Some(context.environment.tools_total()),
        tools_exposed: Some(context.environment.tool_specs().len() as u64),
    })
}

fn predicate_results(grades: &Grades, context: GradeContext<'_>) -> Vec<PredicateResult<'static>> {
    let rows = grades.rows.iter().flatten().chain(&grades.argument_faults);
    rows.map(|row| predicate_result(row, context)).collect()
}

fn predicate_result(row: &PredicateRow, context: GradeContext<'_>) -> PredicateResult<'static> {
    let text = |key: &str| {
        row.predicate.get(key).and_then(Value::as_str).map(|text| Text::from(text.to_owned()))
    };
    PredicateResult {
        passed: Some(row.passed),
        reason: Some(Text::from(context.redactor.text(&row.reason))),
        status: row.status.map(|status| Text::from(status.as_str())),
        predicate: Some(PredicateRef {
            kind: text("type"),
            tool_name: text("toolName"),
            role: text("role"),
        }),
    }
}

fn tool_error(error: &ToolError) -> ToolErrorRecord<'static> {
    ToolErrorRecord {
        kind: Some(Text::from(error.kind.as_str())),
        tool_name: error.tool_name.clone().map(Text::from),
    }
}

/// Only the model's own failures withdraw rows (derivation, section 6.7).
fn step_error(breakdown: &Breakdown) -> Option<StepError<'static>> {
    match breakdown {
        Breakdown::Model(error) => Some(StepError {
            source: Some(StepErrorSource::Model),
            code: error.code.clone().map(Text::from),
            http_status: error.status.map(Number::from),
        }),
        Breakdown::Server { .. } | Breakdown::Clock { .. } => None,
    }
}

fn breakdown_text(breakdown: &Breakdown, context: GradeContext<'_>) -> String {
    let text = match breakdown {
        Breakdown::Model(error) => model_error_text(error),
        Breakdown::Server { message } => message.clone(),
        Breakdown::Clock { limit } => {
            format!("the trial did not end within {} s (iteration timeout)", limit.as_secs_f64())
        }
    };
    bounded_error(&context.redactor.text(&text))
}

fn model_error_text(error: &ModelError) -> String {
    match error.status {
        Some(status) => format!("model call failed with HTTP status {status}: {error}"),
        None => format!("model call failed: {error}"),
    }
}

/// Error text as it is stored: at most 2000 units and an ellipsis (suite and runner, section B9).
pub(super) fn bounded_error(text: &str) -> String {
    let kept = canon::utf16_prefix(text, MAX_ERROR_UNITS);
    if kept.len() == text.len() { text.to_owned() } else { format!("{kept}…") }
}

fn redacted_transcript(transcript: Transcript, context: GradeContext<'_>) -> Transcript {
    if context.redactor.is_empty() {
        return transcript;
    }
    let value = serde_json::to_value(&transcript).expect("a transcript holds nothing but JSON");
    // Redaction replaces texts by texts, so the shape stays; if it ever did not, no transcript is better than a secret.
    serde_json::from_value(context.redactor.value(&value)).unwrap_or_default()
}

fn redacted_timeline(
    recording: &Recording,
    context: GradeContext<'_>,
) -> Vec<howfar_wire::evidence::TimelineSpan> {
    let mut timeline = recording.timeline.clone();
    timeline.sort_by(|a, b| a.start_ms.total_cmp(&b.start_ms));
    for span in &mut timeline {
        span.name = context.redactor.text(&span.name);
    }
    timeline
}

fn messages(recording: &Recording, context: GradeContext<'_>) -> Vec<Value> {
    recording
        .messages
        .iter()
        .map(|message| context.redactor.value(&message_value(message)))
        .collect()
}

fn message_value(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({ "role": "user", "content": text }),
        Message::Assistant(assistant) => {
            let mut parts = Vec::new();
            if !assistant.text.is_empty() {
                parts.push(json!({ "type": "text", "text": assistant.text }));
            }
            parts.extend(assistant.tool_calls.iter().map(|call| {
                let input = match &call.arguments {
                    Ok(arguments) => Value::Object(arguments.clone()),
                    Err(_) => Value::String(call.arguments_text.clone()),
                };
                json!({ "type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": input })
            }));
            json!({ "role": "assistant", "content": parts })
        }
        Message::ToolResults(results) => {
            let part = |result: &howfar_model::ToolResult| {
                let kind = if result.is_error { "error-text" } else { "text" };
                let output = json!({ "type": kind, "value": result.text() });
                json!({
                    "type": "tool-result",
                    "toolCallId": result.call_id,
                    "toolName": result.tool_name,
                    "output": output,
                })
            };
            json!({ "role": "tool", "content": results.iter().map(part).collect::<Vec<_>>() })
        }
    }
}
