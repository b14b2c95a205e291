//! Small run reports for tests, built from what a test cares about.

use howfar_wire::analytics::{
    STAGE_ANALYTICS_SCHEMA_VERSION, Slice, SliceRow, StageAnalytics, StageTally,
};
use howfar_wire::chain::{StageEvidence, StageRow};
use howfar_wire::rate::{Counts, Rate};
use howfar_wire::report::*;
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role, Scorecard, ScorecardRow};
use howfar_wire::verdict::{RunValidity, VERDICT_POLICY_VERSION, VerdictDecision, VerdictPolicy};
use howfar_wire::vocabulary::*;
use serde_json::Value;

use StageReason as Reason;
use StageState::{Failed, NotApplicable, NotMeasured, NotReached, Passed};

/// A report over cases, complete, with the verdict and analytics that follow from them.
pub(crate) fn report(cases: Vec<CaseReport>) -> RunReport {
    let verdict = run_verdict(&cases);
    let of = |verdict| cases.iter().filter(|case| case.details.verdict == verdict).count() as u64;
    let total = cases.len() as u64;
    let summary = ReportSummary {
        total,
        passed: of(CaseVerdict::Passed),
        failed: of(CaseVerdict::Failed),
        by_category: std::collections::BTreeMap::new(),
    };
    RunReport {
        schema_version: RUN_REPORT_SCHEMA_VERSION,
        kind: RUN_REPORT_KIND.into(),
        passed: verdict == Verdict::Passed,
        verdict,
        summary,
        duration_ms: 1234.5,
        analytics: Some(analytics(&cases)),
        friction: None,
        metadata: metadata(&cases, verdict),
        cases,
    }
}

fn run_verdict(cases: &[CaseReport]) -> Verdict {
    let any = |verdict| cases.iter().any(|case| case.details.verdict == verdict);
    if any(CaseVerdict::Inconclusive) || any(CaseVerdict::NotRun) {
        Verdict::Inconclusive
    } else if any(CaseVerdict::Failed) {
        Verdict::Failed
    } else {
        Verdict::Passed
    }
}

fn metadata(cases: &[CaseReport], verdict: Verdict) -> RunMetadata {
    let rows: u64 = cases.iter().map(|case| case.details.iterations.len() as u64).sum();
    RunMetadata {
        schema_version: RUN_REPORT_SCHEMA_VERSION,
        run_id: "run-1".into(),
        started_at: "2026-01-02T03:04:05Z".into(),
        execution: execution(),
        verdict_authority: "local-policy-v2".into(),
        verdict_policy_version: 2,
        verdict,
        decision: Some(decision(cases, verdict)),
        termination: Termination::Completed,
        complete: true,
        population: Population {
            unit: "case".into(),
            cases: cases.len() as u64,
            configured_iterations: rows,
            executed_iterations: rows,
            not_started_iterations: 0,
        },
        issues: Vec::new(),
        suite: SuiteIdentity {
            id: "hotels".into(),
            name: "Hotel desk".into(),
            schema_version: "2".into(),
            source_hash: "00".repeat(32),
        },
        selection: Selection {
            requested: None,
            selected: cases.iter().map(|case| case.id.clone()).collect(),
            skipped: Vec::new(),
        },
        cases: cases.iter().map(configured).collect(),
        tool_policy: None,
        upload: Upload {
            requested: false,
            declared_reporting_mode: "standard".into(),
            note: "nothing is uploaded".into(),
        },
        warnings: Vec::new(),
    }
}

/// The run's part of a decision; renderers read no case of it.
fn decision(cases: &[CaseReport], verdict: Verdict) -> VerdictDecision {
    let (verdict, reason) = match verdict {
        Verdict::Passed => {
            (DecisionVerdict::Passed, VerdictDecisionReason::AllMeasuredCasesMetThreshold)
        }
        Verdict::Failed => {
            (DecisionVerdict::Failed, VerdictDecisionReason::CasePassRateBelowThreshold)
        }
        Verdict::Inconclusive | Verdict::NotEstablished => {
            (DecisionVerdict::Inconclusive, VerdictDecisionReason::CaseHasNoEligibleTrials)
        }
    };
    let trials = || cases.iter().flat_map(|case| &case.details.iterations);
    let of = |holds: &dyn Fn(&&TrialReport) -> bool| trials().filter(holds).count() as u64;
    let attempted = of(&|_| true);
    let completed = of(&|trial| trial.status == IterationStatus::Completed);
    VerdictDecision {
        verdict_policy_version: VERDICT_POLICY_VERSION,
        verdict,
        reasons: vec![reason],
        validity: RunValidity {
            policy: VerdictPolicy::default(),
            holds: verdict != DecisionVerdict::Inconclusive,
            configured_trials: attempted,
            attempted_trials: attempted,
            eligible_trials: of(&|trial| trial.task_verdict.is_some()),
            completion_rate: Rate::of(completed, attempted, Counts::new()),
            evaluator_error_rate: Rate::of(
                of(&|trial| trial.evaluator_error),
                attempted,
                Counts::new(),
            ),
        },
        cases: Vec::new(),
    }
}

fn execution() -> Execution {
    Execution {
        mode: "local".into(),
        engine: "emulated".into(),
        sdk_version: "0.1.0".into(),
        evaluator_version: 12,
        declared_hosts: Vec::new(),
        declared_environment: None,
        scripted: false,
        replayed_from: None,
        servers: vec![server("booking")],
        settings: RunSettings {
            concurrency: 1,
            iteration_timeout_ms: 120_000,
            max_steps: 10,
            setup_timeout_ms: 30_000,
            system_prompt: "default".into(),
            temperature: None,
        },
    }
}

/// A server that was set up.
pub(crate) fn server(name: &str) -> ServerReport {
    ServerReport {
        name: name.into(),
        source: "--url".into(),
        transport: "http".into(),
        connection: SetupOutcome::Ok,
        discovery: Some(SetupOutcome::Ok),
        attribution: None,
        protocol_version: None,
        server_info: None,
        tools: Some(3),
        quarantined: Vec::new(),
        error: None,
    }
}

fn configured(case: &CaseReport) -> CaseConfiguration {
    CaseConfiguration {
        case_id: case.id.clone(),
        title: case.title.clone(),
        intent: None,
        declared_model: "openai/gpt-x".into(),
        effective_model: Some("openai/gpt-x".into()),
        provider: Some("openai".into()),
        configured_iterations: u32::try_from(case.details.iterations.len()).expect("few trials"),
        pass_threshold: 1.0,
        content_hash: "0".into(),
        judge: None,
        state: CaseState::Completed,
        verdict: case.details.verdict,
    }
}

/// A case over trials, with the verdict that follows at threshold 1.
pub(crate) fn case(id: &str, title: &str, trials: Vec<TrialReport>) -> CaseReport {
    let all = |verdict| trials.iter().filter(move |trial| trial.task_verdict == Some(verdict));
    let verdict = match (all(TaskVerdict::Failed).count(), all(TaskVerdict::Passed).count()) {
        (0, 0) if trials.is_empty() => CaseVerdict::NotRun,
        (0, 0) => CaseVerdict::Inconclusive,
        (0, _) => CaseVerdict::Passed,
        (_, _) => CaseVerdict::Failed,
    };
    let iterations: Vec<_> = (1..)
        .zip(trials)
        .map(|(iteration_number, trial)| TrialReport { iteration_number, ..trial })
        .collect();
    CaseReport {
        id: id.into(),
        title: title.into(),
        category: "eval-case".into(),
        passed: verdict == CaseVerdict::Passed,
        classification: None,
        duration_ms: 420.0,
        error: iterations.iter().find_map(|trial| trial.error.clone()),
        details: CaseDetails {
            case_id: id.into(),
            verdict,
            model: Some("openai/gpt-x".into()),
            rail: "direct".into(),
            iterations,
        },
    }
}

/// A trial whose chain is these states with these reasons.
pub(crate) fn trial(chain: [(StageState, Reason); 6]) -> TrialReport {
    let rows: Vec<StageRow> = Stage::ALL
        .iter()
        .zip(chain)
        .map(|(&stage, (state, reason))| StageRow {
            stage,
            state,
            reason: Some(reason),
            evidence: None,
        })
        .collect();
    let first_failed_stage = rows.iter().find(|row| row.state == Failed).map(|row| row.stage);
    let verdict =
        if first_failed_stage.is_some() { TaskVerdict::Failed } else { TaskVerdict::Passed };
    TrialReport {
        iteration_number: 1,
        status: IterationStatus::Completed,
        task_verdict: Some(verdict),
        evaluator_error: false,
        error: None,
        refusal: None,
        tool_calls: Vec::new(),
        turns: Vec::new(),
        policy_blocks: Vec::new(),
        final_message: None,
        stage_results: rows,
        first_failed_stage,
        failure_category: None,
        stage_analyzer_version: 12,
        scorecard: Scorecard::default(),
        judge: None,
        friction: None,
        duration_ms: 140.0,
        tokens: None,
        cost_usd: None,
    }
}

/// Six links that held.
pub(crate) fn held() -> TrialReport {
    let mut trial = trial([(Passed, Reason::Observed); 6]);
    trial.scorecard =
        Scorecard::new(vec![check(Stage::UserValue, "responseContains", CheckOutcome::Passed)]);
    trial
}

/// A trial that broke at a stage; the stages before it held, those after it never ran.
pub(crate) fn broke(stage: Stage, reason: Reason, category: FailureCategory) -> TrialReport {
    let mut chain = [(NotReached, Reason::EarlierStageFailed); 6];
    chain[..stage.index()].fill((Passed, Reason::Observed));
    chain[stage.index()] = (Failed, reason);
    TrialReport { failure_category: Some(category), ..trial(chain) }
}

/// A trial that did not complete, with nothing measured.
pub(crate) fn unmeasured(status: IterationStatus, reason: Reason) -> TrialReport {
    let mut chain = [(NotMeasured, reason); 6];
    chain[5] = (NotApplicable, Reason::NotAuthored);
    TrialReport { status, task_verdict: None, ..trial(chain) }
}

/// Cites reasons at a stage.
pub(crate) fn cite(trial: &mut TrialReport, stage: Stage, reasons: &[&str]) {
    let reasons = reasons.iter().map(|&reason| reason.to_owned()).collect();
    trial.stage_results[stage.index()].evidence =
        Some(StageEvidence { predicate_reasons: Some(reasons), ..StageEvidence::default() });
}

/// A required check of the case.
pub(crate) fn check(stage: Stage, check: &str, outcome: CheckOutcome) -> ScorecardRow {
    ScorecardRow {
        stage,
        check: check.into(),
        provenance: Provenance::Case,
        step: None,
        role: Some(Role::Required),
        outcome,
        reason: format!("{check} says so"),
        expected: None,
        actual: None,
    }
}

/// A call that happened.
pub(crate) fn call(tool: &str, arguments: &Value) -> ToolCallReport {
    ToolCallReport {
        tool_name: tool.into(),
        server_name: Some("booking".into()),
        arguments: arguments.as_object().cloned().unwrap_or_default(),
        raw_arguments: None,
        prompt_index: 0,
        duration_ms: Some(3.0),
        error: None,
    }
}

/// A failed turn without calls.
pub(crate) fn turn() -> TurnReport {
    TurnReport {
        prompt_index: 0,
        passed: false,
        expected: Vec::new(),
        missing: Vec::new(),
        unexpected: Vec::new(),
        argument_mismatches: Vec::new(),
    }
}

/// The document over completed trials; a trial whose link was not measured is not known to have reached it.
fn analytics(cases: &[CaseReport]) -> StageAnalytics {
    let trials: Vec<&TrialReport> =
        cases.iter().flat_map(|case| &case.details.iterations).collect();
    let (included, excluded): (Vec<&TrialReport>, Vec<&TrialReport>) =
        trials.iter().copied().partition(|trial| trial.status == IterationStatus::Completed);
    let lifecycle: Counts<_> =
        [(ExclusionClass::Lifecycle, excluded.len() as u64)].into_iter().collect();
    let details = excluded.iter().map(|trial| (detail(trial.status), 1));
    StageAnalytics {
        schema_version: STAGE_ANALYTICS_SCHEMA_VERSION,
        measurement_unit: MeasurementUnit::Trial,
        run_id: "run-1".into(),
        suite_id: "hotels".into(),
        run_group_id: None,
        config_revision: None,
        case_set_fingerprint: None,
        organization_id: None,
        workspace_id: None,
        project_id: None,
        run_completed_at: None,
        source_iteration_count: trials.len() as u64,
        source_max_updated_at: None,
        stage_analyzer_version: 12,
        source_stage_analyzer_versions: None,
        measurements_schema_version: 1,
        source_measurements_schema_versions: None,
        materialization_state: Materialization::Final,
        created_at: 0,
        updated_at: 0,
        included_trials: included.len() as u64,
        excluded_trials: lifecycle.clone(),
        total_trials: trials.len() as u64,
        excluded_trial_detail: details.collect(),
        slices: vec![SliceRow {
            slice: Slice::Overall {},
            included_trials: included.len() as u64,
            excluded_trials: lifecycle,
            failure_categories: Vec::new(),
            stages: std::array::from_fn(|index| tally(Stage::ALL[index], &included)),
        }],
        setup: Vec::new(),
        slice_truncation: None,
    }
}

fn detail(status: IterationStatus) -> ExclusionDetail {
    match status {
        IterationStatus::SetupFailed => ExclusionDetail::SetupFailed,
        IterationStatus::TimedOut => ExclusionDetail::TimedOut,
        IterationStatus::Pending | IterationStatus::Running => ExclusionDetail::NotTerminal,
        IterationStatus::Skipped => ExclusionDetail::Skipped,
        IterationStatus::Cancelled => ExclusionDetail::Cancelled,
        IterationStatus::Failed => ExclusionDetail::ExecutionFailed,
        IterationStatus::Completed => unreachable!("a completed trial is included"),
    }
}

fn tally(stage: Stage, trials: &[&TrialReport]) -> StageTally {
    let of = |state| {
        let at = |trial: &&&TrialReport| trial.stage_results[stage.index()].state == state;
        trials.iter().filter(at).count() as u64
    };
    let measured = of(Passed) + of(Failed);
    StageTally {
        stage,
        applicable: trials.len() as u64 - of(NotApplicable),
        reached: measured,
        not_reached: of(NotReached),
        reach_unknown: of(NotMeasured),
        measured,
        passed: of(Passed),
        failed: of(Failed),
        not_measured: 0,
        not_applicable: of(NotApplicable),
        excluded: Counts::new(),
        reasons: Vec::new(),
        latency: None,
    }
}
