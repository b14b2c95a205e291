//! The conditions of a suite gate, in their fixed order (run-documents 10.3).

use howfar_wire::gate::ScoreIntegrity;
use howfar_wire::score::{IdSource, ScoreStatus};
use howfar_wire::suite_gate::{
    ConditionRow, ConditionStatus, EvidenceRun, SuiteGateCondition as Condition, SuiteGateEvidence,
    SuiteGatePolicy, SuiteGateReason as Reason,
};
use howfar_wire::vocabulary::Vocabulary as _;

use super::{blockers, drop};
use crate::run::score::definition_hash;

/// One row per condition that is asked.
pub(super) fn rows(policy: &SuiteGatePolicy, evidence: &SuiteGateEvidence) -> Vec<ConditionRow> {
    let mut rows = Vec::new();
    if policy.no_gating_score_errors == Some(true) {
        rows.push(gating_score_errors(&evidence.subject));
    }
    if let Some(threshold) = policy.maximum_pass_rate_drop {
        rows.push(drop::row(policy, evidence, threshold));
    }
    if policy.no_deterministic_regressions == Some(true) {
        rows.push(deterministic_regressions(policy, evidence));
    }
    if let Some(threshold) = policy.maximum_p95_latency_increase_ms {
        rows.push(latency_increase(policy, evidence, threshold));
    }
    rows
}

/// A condition that could not be decided.
pub(super) fn undecided(
    condition: Condition,
    reason: Reason,
    threshold: Option<f64>,
) -> ConditionRow {
    ConditionRow {
        condition,
        status: ConditionStatus::NonGateable,
        message: reason.label().to_owned(),
        reason: Some(reason),
        observed: None,
        threshold,
        scorer_id: None,
    }
}

/// A condition that was decided by what was observed.
pub(super) fn decided(
    condition: Condition,
    holds: bool,
    observed: f64,
    threshold: Option<f64>,
) -> ConditionRow {
    let status = if holds { ConditionStatus::Passed } else { ConditionStatus::Failed };
    let against = threshold.map_or_else(String::new, |bar| format!(" against at most {bar}"));
    ConditionRow {
        condition,
        status,
        message: format!("{observed}{against}"),
        reason: None,
        observed: Some(observed),
        threshold,
        scorer_id: None,
    }
}

fn gating_score_errors(subject: &EvidenceRun) -> ConditionRow {
    match count_gating_errors(subject) {
        Err(reason) => undecided(Condition::NoGatingScoreErrors, reason, None),
        Ok(errors) => decided(Condition::NoGatingScoreErrors, errors == 0, errors as f64, None),
    }
}

/// Rows with an error, joined by hash to a definition that decides; generated ids count too.
fn count_gating_errors(subject: &EvidenceRun) -> Result<usize, Reason> {
    if let Some(reason) = blockers::of_run(subject) {
        return Err(reason);
    }
    let definitions = subject.evaluation_config.as_ref().map_or(&[][..], |it| &it.definitions);
    if definitions.is_empty() {
        return Err(Reason::NoEvaluationConfig);
    }
    if subject.score_integrity != Some(ScoreIntegrity::Valid) {
        return Err(Reason::IntegrityUnverified);
    }
    let scores = subject.scores.as_ref().ok_or(Reason::IncompleteCapture)?;
    let deciding: Vec<String> =
        definitions.iter().filter(|it| it.role.decides()).map(definition_hash).collect();
    let errors = scores.iter().filter(|score| {
        score.status == ScoreStatus::Error && deciding.contains(&score.definition_hash)
    });
    Ok(errors.count())
}

fn deterministic_regressions(
    policy: &SuiteGatePolicy,
    evidence: &SuiteGateEvidence,
) -> ConditionRow {
    match count_regressions(policy, evidence) {
        Err(reason) => undecided(Condition::NoDeterministicRegressions, reason, None),
        Ok(count) => decided(Condition::NoDeterministicRegressions, count == 0, count as f64, None),
    }
}

fn count_regressions(
    policy: &SuiteGatePolicy,
    evidence: &SuiteGateEvidence,
) -> Result<usize, Reason> {
    let (baseline, run) = blockers::sides(policy, evidence)?;
    check_integrity(&evidence.subject, run)?;
    let sides = [&evidence.subject, run];
    let generated = |run: &EvidenceRun| {
        drop::gating_scorers(run).iter().any(|scorer| scorer.id_source == IdSource::Generated)
    };
    if sides.into_iter().any(generated) {
        return Err(Reason::GeneratedScorerId);
    }
    if baseline.score_deltas_available != Some(true) {
        return Err(Reason::ScoreDeltasUnavailable);
    }
    Ok(baseline.deterministic_score_regressions.as_ref().map_or(0, Vec::len))
}

/// The scores of both runs were verified; the subject's first.
pub(super) fn check_integrity(subject: &EvidenceRun, baseline: &EvidenceRun) -> Result<(), Reason> {
    let valid = |run: &EvidenceRun| run.score_integrity == Some(ScoreIntegrity::Valid);
    if valid(subject) && valid(baseline) { Ok(()) } else { Err(Reason::IntegrityUnverified) }
}

fn latency_increase(
    policy: &SuiteGatePolicy,
    evidence: &SuiteGateEvidence,
    threshold: f64,
) -> ConditionRow {
    let condition = Condition::MaximumP95LatencyIncreaseMs;
    let run = match blockers::sides(policy, evidence) {
        Err(reason) => return undecided(condition, reason, Some(threshold)),
        Ok((_, run)) => run,
    };
    match (evidence.subject.e2e_p95_ms, run.e2e_p95_ms) {
        (Some(subject), Some(baseline)) => {
            let moved = subject - baseline;
            decided(condition, moved <= threshold, moved, Some(threshold))
        }
        (Some(_) | None, None) | (None, Some(_)) => {
            undecided(condition, Reason::LatencyUnmeasured, Some(threshold))
        }
    }
}
