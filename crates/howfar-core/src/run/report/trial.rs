//! One trial's evidence as a row of the report, and what the run's other documents need of it.

use howfar_wire::analytics::AnalyticsTrial;
use howfar_wire::canon;
use howfar_wire::chain::{PromptRecord, StageDerivation};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::friction::FrictionDocument;
use howfar_wire::measurement::TimedSpan;
use howfar_wire::report::{TrialReport, TurnReport};
use howfar_wire::scorecard::{CheckOutcome, Provenance, Scorecard, ScorecardRow};
use howfar_wire::vocabulary::IterationStatus;
use serde_json::Value;

use crate::chain::{RunnerCheck, RunnerOutcome, derive_stages, runner_checks};
use crate::friction::friction_of_evidence;
use crate::run::derive_measurements;

/// The longest text of a message in a row, in UTF-16 units.
const MAX_ROW_TEXT: usize = 2000;

/// What a run keeps of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedTrial {
    /// The case's declared id.
    pub case_id: String,
    /// The trial as a row of the report.
    pub row: TrialReport,
    /// The trial as the stage analytics read it.
    pub analytics: AnalyticsTrial,
}

/// Derives everything that a run report says about one trial, from its evidence and from nothing else.
pub fn derive_trial(evidence: &TrialEvidence<'_>) -> DerivedTrial {
    let derivation = derive_stages(&evidence.stage_input());
    DerivedTrial {
        case_id: evidence.case_id.clone(),
        row: row(evidence, &derivation),
        analytics: analytics_trial(evidence, &derivation),
    }
}

fn row(evidence: &TrialEvidence<'_>, derivation: &StageDerivation) -> TrialReport {
    TrialReport {
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
        scorecard: scorecard(evidence, derivation),
        judge: evidence.judge.clone(),
        friction: friction(evidence),
        duration_ms: evidence.duration_ms,
        tokens: evidence.tokens,
        cost_usd: evidence.cost_usd,
    }
}

/// The built-in rows say what the chain shows; the others are what the graders found (suite and runner, sections F1 and
/// F2).
fn scorecard(evidence: &TrialEvidence<'_>, derivation: &StageDerivation) -> Scorecard {
    let built_in = runner_checks(derivation);
    Scorecard::new(built_in.iter().map(built_in_row).chain(evidence.checks.clone()).collect())
}

fn built_in_row(check: &RunnerCheck) -> ScorecardRow {
    ScorecardRow {
        stage: check.stage,
        check: "runner".to_owned(),
        provenance: Provenance::BuiltIn,
        step: None,
        role: None,
        outcome: match check.outcome {
            RunnerOutcome::Passed => CheckOutcome::Passed,
            RunnerOutcome::Failed => CheckOutcome::Failed,
            RunnerOutcome::Undecided => CheckOutcome::NotMeasured,
        },
        reason: check.actual.to_owned(),
        expected: Some(check.expected.to_owned()),
        actual: Some(check.actual.to_owned()),
    }
}

/// A trial that never began has no calls to look at. An unsound document is never given out.
fn friction(evidence: &TrialEvidence<'_>) -> Option<FrictionDocument> {
    if evidence.evidence.trace_absent {
        return None;
    }
    friction_of_evidence(evidence).ok()
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

fn bounded(text: &str) -> String {
    let kept = canon::utf16_prefix(text, MAX_ROW_TEXT);
    if kept.len() == text.len() { text.to_owned() } else { format!("{kept}…") }
}

fn analytics_trial(evidence: &TrialEvidence<'_>, derivation: &StageDerivation) -> AnalyticsTrial {
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
    let version = Some(derivation.stage_analyzer_version);
    let measurements = derive_measurements(&derivation.stage_results, version, &spans);
    AnalyticsTrial {
        evaluator_errored: evidence.evaluator_error,
        intent: evidence.intent.clone(),
        provider: evidence.provider.clone(),
        model: evidence.model.clone(),
        ..AnalyticsTrial::new(key, evidence.iteration.status).with_chain(derivation, measurements)
    }
}
