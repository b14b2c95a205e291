//! This product's own runs as the rows that a summary is made from (run-documents, section 5.1).

use howfar_wire::report::{RunMetadata, TrialReport};
use howfar_wire::vocabulary::{TaskVerdict, Termination, Vocabulary as _};
use serde_json::{Value, json};

/// The project of this product's own runs in trace paths: there is only the store of this machine.
pub const OWN_PROJECT: &str = "local";

/// The run row of an own run that ended.
pub fn ended_run(metadata: &RunMetadata) -> Value {
    let status = match metadata.termination {
        Termination::Completed => "completed",
        Termination::Aborted => "cancelled",
        Termination::Stopped => "failed",
    };
    run(metadata, status)
}

/// The run row of an own run that has no end: nothing is decided about it.
pub fn open_run(metadata: &RunMetadata) -> Value {
    run(metadata, "running")
}

fn run(metadata: &RunMetadata, status: &str) -> Value {
    json!({
        "id": metadata.run_id,
        "status": status,
        "verdictPolicyVersion": metadata.verdict_policy_version,
        // A run that did not come to its end has no verdict: its decision describes a sample.
        "verdictSummary": metadata.decision.as_ref().filter(|_| metadata.complete),
    })
}

/// The row of one own trial.
pub fn own_iteration(case_id: &str, title: &str, row: &TrialReport) -> Value {
    let expected: Vec<_> = row.turns.iter().flat_map(|turn| &turn.expected).collect();
    let mut iteration = json!({
        "id": format!("{case_id}-{}", row.iteration_number),
        "iterationNumber": row.iteration_number,
        "caseId": case_id,
        "title": title,
        "status": row.status,
        "result": row.task_verdict.map(TaskVerdict::as_str),
        "expectedToolCalls": expected,
        "actualToolCalls": row.tool_calls,
        "error": row.error,
        "stageResults": row.stage_results,
        "stageAnalyzerVersion": row.stage_analyzer_version,
    });
    if let Some(stage) = row.first_failed_stage {
        iteration["firstFailedStage"] = json!(stage);
    }
    if let Some(category) = row.failure_category {
        iteration["failureCategory"] = json!(category);
    }
    iteration
}
