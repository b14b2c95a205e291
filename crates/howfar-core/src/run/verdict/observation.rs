//! From an iteration row to what a verdict reads of it (run-documents 4.3).

use std::collections::HashMap;

use howfar_wire::verdict::TrialObservation;
use howfar_wire::vocabulary::{IterationStatus, TaskVerdict, Vocabulary as _};
use serde_json::Value;

use crate::predicate::template_text;

/// A completed iteration whose grader did not break, and about which nothing was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the iteration completed without a verdict")]
pub struct CompletedWithoutVerdict;

/// What a verdict reads of an iteration: a recorded result counts only when the iteration completed.
///
/// `result` is the recorded result; `metadata` the iteration's metadata, `null` when it has none.
///
/// # Errors
///
/// When the iteration completed, no grader is known to have broken, and the result is neither `passed` nor `failed`.
pub fn trial_observation(
    status: IterationStatus,
    result: Option<&str>,
    metadata: &Value,
) -> Result<TrialObservation, CompletedWithoutVerdict> {
    let mut observation = TrialObservation { status, task_verdict: None, evaluator_error: false };
    match status {
        IterationStatus::Completed if is_evaluator_error(metadata) => {
            observation.evaluator_error = true;
        }
        IterationStatus::Completed => {
            let verdict = result.and_then(TaskVerdict::from_wire);
            observation.task_verdict = Some(verdict.ok_or(CompletedWithoutVerdict)?);
        }
        IterationStatus::Pending
        | IterationStatus::Running
        | IterationStatus::Failed
        | IterationStatus::Cancelled
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed
        | IterationStatus::Skipped => {}
    }
    Ok(observation)
}

/// Whether a grader that the verdict needs broke. The id of a row is compared as text, whatever its JSON type.
fn is_evaluator_error(metadata: &Value) -> bool {
    if metadata["scoreIntegrity"] == "score_integrity_invalid" {
        return true;
    }
    let required = required_definitions(metadata);
    if required.is_empty() {
        return false;
    }
    let mut seen: Vec<&str> = Vec::new();
    for row in items(&metadata["scores"]) {
        let row_id = template_text(row.get("scorerId"));
        let Some((id, definition)) = required.get_key_value(row_id.as_str()) else { continue };
        let broke = row["status"] == "error" && definition["onError"] == "fail";
        let left_out = row["status"] == "skipped" && definition["onSkipped"] == "fail";
        if broke || left_out {
            return true;
        }
        seen.push(id);
    }
    required
        .iter()
        .any(|(id, definition)| !seen.contains(id) && definition["onSkipped"] != "ignore")
}

/// The definitions whose scores decide, by id; a later definition replaces an earlier one of the same id.
fn required_definitions(metadata: &Value) -> HashMap<&str, &Value> {
    let definitions = items(&metadata["evaluationConfig"]["definitions"]);
    let named = definitions.iter().filter_map(|it| Some((it["scorerId"].as_str()?, it)));
    let mut definitions: HashMap<_, _> = named.collect();
    definitions.retain(|_, it| it["role"] == "required" || it["role"] == "gating");
    definitions
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}
