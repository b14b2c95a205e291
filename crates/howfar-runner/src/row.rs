//! A graded trial as a row of the report, and what the run's documents need of it. The evidence itself is not kept: it
//! went out with the event.

use howfar_core::friction::friction_of_evidence;
use howfar_core::run::derive_measurements;
use howfar_wire::analytics::AnalyticsTrial;
use howfar_wire::canon;
use howfar_wire::chain::PromptRecord;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::friction::FrictionDocument;
use howfar_wire::measurement::TimedSpan;
use howfar_wire::report::{TrialReport, TurnReport};
use howfar_wire::scorecard::Scorecard;
use howfar_wire::vocabulary::IterationStatus;
use serde_json::Value;

use crate::grade::GradedTrial;
use crate::redact::Redactor;

/// The longest text of a message or an error in a row, in UTF-16 units.
const MAX_ROW_TEXT: usize = 2000;

/// What a run keeps of a trial.
pub(crate) struct KeptTrial {
    pub(crate) row: TrialReport,
    pub(crate) analytics: AnalyticsTrial,
}

/// The row of a graded trial.
pub(crate) fn keep(graded: &GradedTrial, redactor: &Redactor) -> KeptTrial {
    let evidence = &graded.evidence;
    let derivation = &graded.derivation;
    let row = TrialReport {
        iteration_number: evidence.iteration_number,
        status: evidence.iteration.status,
        task_verdict: evidence.task_verdict,
        evaluator_error: evidence.evaluator_error,
        error: evidence.iteration.error.as_ref().map(|error| error.as_str().to_owned()),
        refusal: evidence.refusal,
        tool_calls: evidence.calls.clone(),
        turns: turns(evidence),
        policy_blocks: evidence.policy_blocks.clone(),
        final_message: evidence.transcript.final_assistant_message.as_deref().map(bounded),
        stage_results: derivation.stage_results.to_vec(),
        first_failed_stage: derivation.first_failed_stage,
        failure_category: derivation.failure_category,
        stage_analyzer_version: derivation.stage_analyzer_version,
        scorecard: redacted(&graded.scorecard, redactor),
        friction: friction(evidence),
        duration_ms: evidence.duration_ms,
        tokens: evidence.tokens,
    };
    KeptTrial { row, analytics: analytics_trial(graded) }
}

/// Expected and actual calls of the turns in which something was expected or not matched. A trial that broke off has
/// none: what it did not come to is not missing.
fn turns(evidence: &TrialEvidence<'_>) -> Vec<TurnReport> {
    let told = |prompt: &&PromptRecord<Value>| {
        !prompt.expected_tool_calls.is_empty() || !prompt.unexpected.is_empty()
    };
    if evidence.iteration.status != IterationStatus::Completed {
        return Vec::new();
    }
    evidence.evidence.prompts.iter().filter(told).map(turn).collect()
}

/// A trial that never began has no calls to look at. An unsound document is never given out.
fn friction(evidence: &TrialEvidence<'_>) -> Option<FrictionDocument> {
    if evidence.evidence.trace_absent {
        return None;
    }
    friction_of_evidence(evidence).ok()
}

fn turn(prompt: &PromptRecord<Value>) -> TurnReport {
    TurnReport {
        prompt_index: prompt.prompt_index.as_ref().and_then(index).unwrap_or_default(),
        passed: prompt.passed == Some(true),
        expected: typed(&prompt.expected_tool_calls),
        missing: typed(&prompt.missing),
        unexpected: typed(&prompt.unexpected),
        argument_mismatches: typed(&prompt.argument_mismatches),
    }
}

fn index(number: &serde_json::Number) -> Option<u32> {
    number.as_u64().and_then(|index| u32::try_from(index).ok())
}

/// The entries of a call list. The runner wrote them from the same types.
fn typed<T: serde::de::DeserializeOwned>(items: &[Value]) -> Vec<T> {
    items.iter().filter_map(|item| serde_json::from_value(item.clone()).ok()).collect()
}

fn redacted(scorecard: &Scorecard, redactor: &Redactor) -> Scorecard {
    let mut scorecard = scorecard.clone();
    for row in &mut scorecard.rows {
        row.reason = redactor.text(&row.reason);
    }
    scorecard
}

fn bounded(text: &str) -> String {
    let kept = canon::utf16_prefix(text, MAX_ROW_TEXT);
    if kept.len() == text.len() { text.to_owned() } else { format!("{kept}…") }
}

/// The trial as the analytics read it.
fn analytics_trial(graded: &GradedTrial) -> AnalyticsTrial {
    let evidence = &graded.evidence;
    let key = format!("{}#{}", evidence.case_id, evidence.iteration_number);
    let spans: Vec<TimedSpan> = evidence
        .timeline
        .iter()
        .map(|span| TimedSpan {
            id: Some(span.id.clone()),
            started_at: Some(span.start_ms),
            ended_at: Some(span.end_ms),
        })
        .collect();
    let derivation = &graded.derivation;
    let version = Some(derivation.stage_analyzer_version);
    let measurements = derive_measurements(&derivation.stage_results, version, &spans);
    AnalyticsTrial {
        evaluator_errored: evidence.evaluator_error,
        intent: evidence.intent.clone(),
        provider: evidence.provider.clone(),
        model: evidence.model.clone(),
        ..AnalyticsTrial::new(key, evidence.iteration.status)
            .with_chain(&graded.derivation, measurements)
    }
}
