//! What the run-level documents are made from: trials as the verdict policy and the analytics read them (run-documents,
//! sections 4 and 7).

use howfar_core::friction::{FrictionTrial, friction_rollup};
use howfar_core::run::analytics::stage_analytics;
use howfar_suite::{CoverageRule, ResolvedValidity};
use howfar_wire::analytics::{AnalyticsRun, AnalyticsTrial, PhaseSignal, StageAnalytics};
use howfar_wire::canon;
use howfar_wire::chain::{STAGE_ANALYZER_VERSION, SetupSignal};
use howfar_wire::friction::FrictionRollup;
use howfar_wire::verdict::{
    Coverage, ExecutionVariant, TrialObservation, VerdictCase, VerdictInput, VerdictPolicy,
};
use howfar_wire::vocabulary::{Materialization, Stage};
use serde_json::json;

use crate::assemble::CaseRun;
use crate::case::PlannedCase;
use crate::environment::Environment;
use crate::run::RunRequest;

/// The input of verdict policy v2.
pub(crate) fn verdict_input(request: &RunRequest, cases: &[CaseRun]) -> VerdictInput {
    let case = |(case, run): (&PlannedCase, &CaseRun)| VerdictCase {
        case_id: case.id.clone(),
        execution_variant: case.model.as_ref().map(|model| ExecutionVariant {
            model: model.effective.clone(),
            provider: Some(model.provider.clone()),
        }),
        configured_trials: u64::from(case.iterations),
        effective_pass_threshold: case.pass_threshold,
        trials: run.trials.iter().map(|trial| observation(&trial.row)).collect(),
    };
    VerdictInput {
        policy: policy(&request.validity),
        cases: request.cases.iter().zip(cases).map(case).collect(),
    }
}

/// The stage analytics of the run; `None` when no trial was planned.
pub(crate) fn analytics(
    request: &RunRequest,
    environment: &Environment,
    cases: &[CaseRun],
) -> Option<StageAnalytics> {
    let trials: Vec<AnalyticsTrial> =
        cases.iter().flat_map(|case| &case.trials).map(|trial| trial.analytics.clone()).collect();
    if trials.is_empty() {
        return None;
    }
    let run = AnalyticsRun {
        run_id: request.identity.run_id.clone(),
        suite_id: request.identity.suite_id.clone(),
        // Nothing is owed when a run ends: no judge runs behind it.
        materialization_state: Materialization::Final,
        now: request.identity.started_at_ms,
        reader_stage_analyzer_version: u64::from(STAGE_ANALYZER_VERSION),
        reader_measurements_schema_version: None,
        run_group_id: Some(run_group(request)),
        config_revision: Some(config_revision(request)),
        case_set_fingerprint: Some(case_set(request)),
        organization_id: None,
        workspace_id: None,
        project_id: None,
        run_completed_at: None,
        source_max_updated_at: None,
        created_at: None,
    };
    Some(stage_analytics(&run, &trials, &phase_signals(environment, &trials)))
}

/// Friction over the trials that the verdict counts as gradeable; `None` when none has a document.
pub(crate) fn friction(request: &RunRequest, cases: &[CaseRun]) -> Option<FrictionRollup> {
    let pairs = request.cases.iter().zip(cases);
    let trials =
        pairs.flat_map(|(case, run)| run.trials.iter().map(move |trial| (case, &trial.row)));
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

fn observation(row: &howfar_wire::report::TrialReport) -> TrialObservation {
    TrialObservation {
        status: row.status,
        task_verdict: row.task_verdict,
        evaluator_error: row.evaluator_error,
    }
}

fn policy(validity: &ResolvedValidity) -> VerdictPolicy {
    VerdictPolicy {
        coverage: match validity.coverage {
            CoverageRule::AllConfiguredTrialsAttempted { min_gradeable_trials } => {
                Coverage::AllConfiguredTrialsAttempted { min_gradeable_trials }
            }
            CoverageRule::MinEligibleTrials { min_eligible_trials } => {
                Coverage::MinEligibleTrials { min_eligible_trials }
            }
        },
        min_completion_rate: validity.min_completion_rate,
        max_evaluator_error_rate: validity.max_evaluator_error_rate,
    }
}

/// Setup ran once; every trial carries a copy of what it found (run-documents, section 7.5).
fn phase_signals(environment: &Environment, trials: &[AnalyticsTrial]) -> Vec<PhaseSignal> {
    let Some(signals) = &environment.signals else { return Vec::new() };
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

/// Identity of what may be compared at all: the suite, its servers, its models (run-documents, section 7.9).
fn run_group(request: &RunRequest) -> String {
    let mut servers: Vec<_> = request.bindings.iter().map(|bound| bound.name.as_str()).collect();
    servers.sort_unstable();
    let mut models: Vec<_> = request
        .cases
        .iter()
        .filter_map(|case| case.model.as_ref())
        .map(|model| model.effective.as_str())
        .collect();
    models.sort_unstable();
    models.dedup();
    canon::canonical_digest(&json!({
        "suiteId": request.identity.suite_id,
        "servers": servers,
        "hosts": request.declared_hosts,
        "models": models,
    }))
}

/// Identity of how the run graded: policy, thresholds, counts, checks and options.
fn config_revision(request: &RunRequest) -> String {
    let cases: Vec<_> = request
        .cases
        .iter()
        .map(|case| {
            json!({
                "caseId": case.id,
                "iterations": case.iterations,
                "passThreshold": case.pass_threshold,
                "assertions": case.resolved.get("assertions"),
            })
        })
        .collect();
    canon::canonical_digest(&json!({
        "validity": policy(&request.validity),
        "cases": cases,
        "toolPolicy": request.tool_policy.as_ref().map(|policy| {
            json!({ "mode": policy.mode, "allow": policy.allow, "deny": policy.deny })
        }),
        "maxSteps": request.options.max_steps,
        "systemPrompt": request.cases.first().and_then(|case| case.system_prompt.clone()),
        "temperature": request.cases.first().and_then(|case| case.temperature),
    }))
}

/// Identity of the selected cases: ids and content, sorted by id.
fn case_set(request: &RunRequest) -> String {
    let mut cases: Vec<_> = request.cases.iter().collect();
    cases.sort_by(|a, b| canon::utf16_cmp(&a.id, &b.id));
    let entry =
        |case: &&PlannedCase| json!({ "caseId": case.id, "contentHash": case.content_hash });
    canon::canonical_digest(&cases.iter().map(entry).collect())
}
