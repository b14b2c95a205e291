//! Whether a decision summary holds up (run-documents 5.8).

use howfar_wire::summary::{
    DECISION_SUMMARY_SCHEMA_VERSION, DecisionSummary, DiagnosticChain, SummaryCounts,
};
use howfar_wire::vocabulary::{MeasurementUnit, Verdict, VerdictSource};
use serde_json::{Value, json};

use super::case_counts;
use crate::chain::validate_derivation;
use crate::problem::{Problem, Problems, read_closed};
use crate::run::verdict::validate_decision;

/// A summary that holds up, or everything that is wrong with it.
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_summary(document: &Value) -> Result<DecisionSummary, Vec<Problem>> {
    let summary: DecisionSummary = read_closed(document)?;
    let mut problems = Problems::default();
    let schema = summary.schema_version == DECISION_SUMMARY_SCHEMA_VERSION;
    problems.check(schema, "schemaVersion", "is not 1");
    let named = !summary.run_id.is_empty() && !summary.run_status.is_empty();
    problems.check(named, "runId", "or the run's status is empty");
    problems.check(is_source_coherent(&summary), "verdictSource", "contradicts what is there");
    let decision = summary.decision.is_none() || validate_decision(&document["decision"]).is_ok();
    problems.check(decision, "decision", "does not hold up");
    let page = &summary.diagnostics;
    let cursor = !page.complete || page.next_cursor.is_none();
    problems.check(cursor, "diagnostics.nextCursor", "stands on a complete page");
    let listed = page.items.len() as u64 <= page.scanned_iterations;
    problems.check(listed, "diagnostics.items", "are more than were scanned");
    let chains = page.items.iter().all(|item| is_chain_sound(&item.chain));
    problems.check(chains, "diagnostics.items", "hold a chain that does not hold up");
    let detail = summary.undecided.as_ref().and_then(|it| it.detail.as_deref());
    problems.check(detail != Some(""), "undecided.detail", "is empty");
    problems.or(summary)
}

/// Each source brings its own verdicts and counts, and nothing of another's.
fn is_source_coherent(summary: &DecisionSummary) -> bool {
    let DecisionSummary { verdict, counts, decision, undecided, .. } = summary;
    match summary.verdict_source {
        VerdictSource::PolicyV2 => decision.as_ref().is_some_and(|decision| {
            *verdict == Verdict::from(decision.verdict)
                && undecided.is_none()
                && *counts == Some(case_counts(decision))
        }),
        VerdictSource::Legacy => {
            let trials = |counts: &SummaryCounts| {
                counts.measurement_unit == MeasurementUnit::Trial && counts.inconclusive.is_none()
            };
            matches!(verdict, Verdict::Passed | Verdict::Failed)
                && decision.is_none()
                && undecided.is_none()
                && counts.as_ref().is_none_or(trials)
        }
        VerdictSource::None => {
            *verdict == Verdict::NotEstablished
                && undecided.is_some()
                && counts.is_none()
                && decision.is_none()
        }
    }
}

/// A chain that is shown as sound is sound.
fn is_chain_sound(chain: &DiagnosticChain) -> bool {
    match chain {
        DiagnosticChain::Verified {
            stages,
            first_failed_stage,
            failure_category: _,
            analyzer_version,
            analyzer_version_ahead: _,
        } => {
            let mut document =
                json!({"stageResults": stages, "stageAnalyzerVersion": analyzer_version});
            if let Some(stage) = first_failed_stage {
                document["firstFailedStage"] = json!(stage);
            }
            validate_derivation(&document).is_ok()
        }
        DiagnosticChain::Unverified { analyzer_version: _, analyzer_version_ahead: _ }
        | DiagnosticChain::Absent {} => true,
    }
}
