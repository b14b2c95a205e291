//! What the run-level documents are made from: trials as the verdict policy and the analytics read them (run-documents,
//! sections 4 and 7).

use std::collections::BTreeSet;

use howfar_wire::analytics::{AnalyticsRun, AnalyticsTrial, PhaseSignal, StageAnalytics};
use howfar_wire::canon;
use howfar_wire::chain::{STAGE_ANALYZER_VERSION, SetupSignal, SetupSignals};
use howfar_wire::friction::FrictionRollup;
use howfar_wire::record::{CaseRecord, RunRecord};
use howfar_wire::report::TrialReport;
use howfar_wire::verdict::{ExecutionVariant, TrialObservation, VerdictCase, VerdictInput};
use howfar_wire::vocabulary::{Materialization, Stage, StageReason};
use serde_json::json;

use super::CaseTrials;
use crate::friction::{FrictionTrial, friction_rollup};
use crate::run::analytics::stage_analytics;
use crate::run::score::run_config_hash;

/// The input of verdict policy v2.
pub(super) fn verdict_input(record: &RunRecord, cases: &[CaseTrials<'_>]) -> VerdictInput {
    let case = |run: &CaseTrials<'_>| VerdictCase {
        case_id: run.case.id.clone(),
        execution_variant: run.case.model.as_ref().map(|model| ExecutionVariant {
            model: model.effective.clone(),
            provider: Some(model.provider.clone()),
        }),
        configured_trials: u64::from(run.case.iterations),
        effective_pass_threshold: run.case.pass_threshold,
        trials: run.trials.iter().map(|trial| observation(&trial.row)).collect(),
    };
    VerdictInput { policy: record.policy, cases: cases.iter().map(case).collect() }
}

/// The stage analytics of the run; `None` when no trial is recorded.
pub(super) fn analytics(
    record: &RunRecord,
    signals: Option<&SetupSignals<'_>>,
    cases: &[CaseTrials<'_>],
) -> Option<StageAnalytics> {
    let trials: Vec<AnalyticsTrial> =
        cases.iter().flat_map(|case| &case.trials).map(|trial| trial.analytics.clone()).collect();
    if trials.is_empty() {
        return None;
    }
    let run = AnalyticsRun {
        run_id: record.run_id.clone(),
        suite_id: record.suite.id.clone(),
        materialization_state: materialization(cases),
        now: record.started_at_ms,
        reader_stage_analyzer_version: u64::from(STAGE_ANALYZER_VERSION),
        reader_measurements_schema_version: None,
        run_group_id: Some(run_group(record)),
        config_revision: config_revision(record),
        case_set_fingerprint: Some(case_set(record)),
        organization_id: None,
        workspace_id: None,
        project_id: None,
        run_completed_at: None,
        source_max_updated_at: None,
        created_at: None,
    };
    let phases = signals.map(|signals| phase_signals(signals, &trials)).unwrap_or_default();
    Some(stage_analytics(&run, &trials, &phases))
}

/// Counts can still change while a judge owes a verdict that a link waits for.
fn materialization(cases: &[CaseTrials<'_>]) -> Materialization {
    let mut rows = cases.iter().flat_map(|case| &case.trials).flat_map(|it| &it.row.stage_results);
    match rows.any(|row| row.reason == Some(StageReason::JudgePending)) {
        true => Materialization::Provisional,
        false => Materialization::Final,
    }
}

/// Friction over the trials that the verdict counts as gradeable; `None` when none has a document.
pub(super) fn friction(cases: &[CaseTrials<'_>]) -> Option<FrictionRollup> {
    let trials =
        cases.iter().flat_map(|run| run.trials.iter().map(move |trial| (run.case, &trial.row)));
    let gradeable = trials.filter(|(_, row)| row.task_verdict.is_some());
    let trials: Vec<FrictionTrial<'_>> = gradeable
        .map(|(case, row)| FrictionTrial {
            case_id: &case.id,
            model: case.model.as_ref().map(|model| model.effective.as_str()),
            document: row.friction.as_ref(),
        })
        .collect();
    friction_rollup(&trials)
}

fn observation(row: &TrialReport) -> TrialObservation {
    TrialObservation {
        status: row.status,
        task_verdict: row.task_verdict,
        evaluator_error: row.evaluator_error,
    }
}

/// Setup ran once; every trial carries a copy of what it found (run-documents, section 7.5).
fn phase_signals(signals: &SetupSignals<'_>, trials: &[AnalyticsTrial]) -> Vec<PhaseSignal> {
    let phases = [
        (Stage::Connection, signals.connection.as_ref()),
        (Stage::Discovery, signals.discovery.as_ref()),
    ];
    let mut copies = Vec::new();
    for (phase, signal) in phases {
        let Some(signal) = signal else { continue };
        copies.extend(trials.iter().map(|trial| phase_signal(phase, signal, &trial.trial_key)));
    }
    copies
}

fn phase_signal(phase: Stage, signal: &SetupSignal<'_>, trial_key: &str) -> PhaseSignal {
    PhaseSignal {
        phase: Some(phase),
        outcome: signal.outcome,
        attribution: signal.attribution,
        egress_verified: signal.egress_verified,
        duration_ms: signal.duration_ms.as_ref().and_then(serde_json::Number::as_f64),
        trial_key: Some(trial_key.to_owned()),
    }
}

/// Identity of what may be compared at all: the suite, its servers, its models (run-documents, section 7.9). A scripted
/// model is its script, so that another script is another model; a run without scripts has the identity that it had before
/// scripts were part of it.
fn run_group(record: &RunRecord) -> String {
    let mut servers: Vec<_> = record.servers.iter().map(String::as_str).collect();
    servers.sort_unstable();
    let models = record.cases.iter().filter_map(|case| case.model.as_ref());
    let mut models: Vec<_> = models.map(|model| model.effective.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    let mut group = json!({
        "suiteId": record.suite.id,
        "servers": servers,
        "hosts": record.declared_hosts,
        "models": models,
    });
    let scripts = scripts(record);
    if !scripts.is_empty() {
        group["scripts"] = json!(scripts);
    }
    canon::canonical_digest(&group)
}

/// The scripts that answer in place of models: digests, each once, sorted.
fn scripts(record: &RunRecord) -> BTreeSet<&str> {
    let models = record.cases.iter().filter_map(|case| case.model.as_ref());
    models.filter_map(|model| model.script_digest.as_deref()).collect()
}

/// Identity of how the run graded and asked: policy, thresholds, counts, scorers and target settings. `None` when the
/// scorers of a case are not stated.
fn config_revision(record: &RunRecord) -> Option<String> {
    let hash = |case: &CaseRecord| Some(case.evaluation_config.as_ref()?.hash.clone());
    let hashes: Vec<String> = record.cases.iter().map(hash).collect::<Option<_>>()?;
    let case = |case: &CaseRecord| {
        json!({
            "caseId": case.id,
            "iterations": case.iterations,
            "passThreshold": case.pass_threshold,
        })
    };
    Some(canon::canonical_digest(&json!({
        "validity": record.policy,
        "cases": record.cases.iter().map(case).collect::<Vec<_>>(),
        "evaluationConfigHash": run_config_hash(&hashes),
        "toolPolicy": record.tool_policy,
        "maxSteps": record.settings.max_steps,
        "systemPrompt": record.system_prompt,
        "temperature": record.settings.temperature,
    })))
}

/// Identity of the selected cases: ids and content, sorted by id.
fn case_set(record: &RunRecord) -> String {
    let mut cases: Vec<_> = record.cases.iter().collect();
    cases.sort_by(|a, b| canon::utf16_cmp(&a.id, &b.id));
    let entry = |case: &&CaseRecord| json!({ "caseId": case.id, "contentHash": case.content_hash });
    canon::canonical_digest(&cases.iter().map(entry).collect())
}
