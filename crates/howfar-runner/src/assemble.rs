//! From finished trials to the run report: decide, count, and say how the run ended (suite and runner, sections B12 and
//! D6).

use howfar_core::run::verdict::decide;
use howfar_wire::report::{
    CaseConfiguration, CaseDetails, CaseReport, CategoryCounts, Execution, Issue, Population,
    RUN_REPORT_KIND, RUN_REPORT_SCHEMA_VERSION, ReportSummary, RunMetadata, RunReport, RunSettings,
    ToolPolicyReport, TrialReport, Upload,
};
use howfar_wire::verdict::VerdictDecision;
use howfar_wire::vocabulary::{
    CaseState, CaseVerdict, DecisionVerdict, IssueCode, IterationStatus, RefusalCategory,
    RefusalPhase, Termination, Verdict,
};

use crate::case::PlannedCase;
use crate::documents;
use crate::environment::Environment;
use crate::row::KeptTrial;
use crate::run::RunRequest;

/// The category of every case of a suite.
const CASE_CATEGORY: &str = "eval-case";

/// The trials of one case.
pub(crate) struct CaseRun {
    pub(crate) trials: Vec<KeptTrial>,
}

impl CaseRun {
    /// Whether the environment was never prepared for a trial of the case.
    pub(crate) fn setup_failed(&self) -> bool {
        self.trials.iter().any(|trial| trial.row.status == IterationStatus::SetupFailed)
    }
}

/// A run that ended.
pub(crate) struct FinishedRun<'a> {
    pub(crate) request: &'a RunRequest,
    pub(crate) environment: &'a Environment,
    pub(crate) cases: Vec<CaseRun>,
    pub(crate) issues: Vec<Issue>,
    pub(crate) termination: Termination,
    pub(crate) duration_ms: f64,
}

/// The report of a run.
pub(crate) fn assemble(mut run: FinishedRun<'_>) -> RunReport {
    let request = run.request;
    let decision = match decide(&documents::verdict_input(request, &run.cases)) {
        Ok(decision) => Some(decision),
        Err(refusal) => {
            run.issues.push(decision_issue(&refusal.to_string()));
            None
        }
    };
    let states: Vec<CaseState> = run.cases.iter().map(case_state).collect();
    let complete = run.termination == Termination::Completed
        && states.iter().all(|state| *state == CaseState::Completed);
    let verdict = match (&decision, complete) {
        (Some(decision), true) => Verdict::from(decision.verdict),
        (Some(_) | None, false) | (None, true) => Verdict::NotEstablished,
    };
    let verdicts = case_verdicts(&run.cases, decision.as_ref());
    let analytics = documents::analytics(request, run.environment, &run.cases);
    let friction = documents::friction(request, &run.cases);
    let metadata = metadata(&run, verdict, decision, complete, (&states, &verdicts));
    let cases: Vec<CaseReport> = run
        .cases
        .into_iter()
        .zip(&request.cases)
        .zip(&verdicts)
        .map(|((case_run, case), verdict)| case_report(case, case_run, *verdict))
        .collect();
    RunReport {
        schema_version: RUN_REPORT_SCHEMA_VERSION,
        kind: RUN_REPORT_KIND.to_owned(),
        passed: verdict == Verdict::Passed,
        verdict,
        summary: summary(&verdicts),
        cases,
        duration_ms: run.duration_ms,
        analytics,
        friction,
        metadata,
    }
}

fn decision_issue(message: &str) -> Issue {
    Issue {
        code: IssueCode::DecisionInvalid,
        phase: RefusalPhase::Reporting,
        category: RefusalCategory::Integrity,
        message: format!("no decision could be formed: {message}"),
        case_id: None,
        iteration_number: None,
        server: None,
    }
}

/// Interrupted when some of its trials ran and some did not; a failed setup is an end like any other.
fn case_state(case: &CaseRun) -> CaseState {
    let begun = |trial: &&KeptTrial| is_executed(trial.row.status);
    match case.trials.iter().filter(begun).count() {
        0 => CaseState::NotStarted,
        some if some == case.trials.len() => CaseState::Completed,
        _ => CaseState::Interrupted,
    }
}

/// Neither cancelled nor skipped nor pending (section B12).
const fn is_executed(status: IterationStatus) -> bool {
    match status {
        IterationStatus::Pending | IterationStatus::Cancelled | IterationStatus::Skipped => false,
        IterationStatus::Running
        | IterationStatus::Completed
        | IterationStatus::Failed
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed => true,
    }
}

fn case_verdicts(cases: &[CaseRun], decision: Option<&VerdictDecision>) -> Vec<CaseVerdict> {
    let verdict = |(at, case): (usize, &CaseRun)| {
        if case_state(case) == CaseState::NotStarted {
            return CaseVerdict::NotRun;
        }
        match decision.and_then(|decision| decision.cases.get(at)).map(|case| case.verdict) {
            Some(DecisionVerdict::Passed) => CaseVerdict::Passed,
            Some(DecisionVerdict::Failed) => CaseVerdict::Failed,
            Some(DecisionVerdict::Inconclusive) | None => CaseVerdict::Inconclusive,
        }
    };
    cases.iter().enumerate().map(verdict).collect()
}

fn summary(verdicts: &[CaseVerdict]) -> ReportSummary {
    let count =
        |wanted: CaseVerdict| verdicts.iter().filter(|verdict| **verdict == wanted).count() as u64;
    let counts = CategoryCounts {
        total: verdicts.len() as u64,
        passed: count(CaseVerdict::Passed),
        failed: count(CaseVerdict::Failed),
    };
    ReportSummary {
        total: counts.total,
        passed: counts.passed,
        failed: counts.failed,
        by_category: [(CASE_CATEGORY.to_owned(), counts)].into(),
    }
}

fn case_report(case: &PlannedCase, run: CaseRun, verdict: CaseVerdict) -> CaseReport {
    let iterations: Vec<TrialReport> = run.trials.into_iter().map(|trial| trial.row).collect();
    let passed = verdict == CaseVerdict::Passed;
    let informational = !passed && verdict != CaseVerdict::Failed;
    CaseReport {
        id: case.id.clone(),
        title: case.title.clone(),
        category: CASE_CATEGORY.to_owned(),
        passed,
        classification: informational.then(|| "informational".to_owned()),
        duration_ms: iterations.iter().map(|trial| trial.duration_ms).sum(),
        error: iterations.iter().find_map(|trial| trial.error.clone()),
        details: CaseDetails {
            case_id: case.id.clone(),
            verdict,
            model: case.model.as_ref().map(|model| model.effective.clone()),
            rail: rail(case).to_owned(),
            iterations,
        },
    }
}

fn rail(case: &PlannedCase) -> &'static str {
    match &case.model {
        None => "none",
        Some(model) if model.scripted => "scripted",
        Some(_) => "direct",
    }
}

fn metadata(
    run: &FinishedRun<'_>,
    verdict: Verdict,
    decision: Option<VerdictDecision>,
    complete: bool,
    (states, verdicts): (&[CaseState], &[CaseVerdict]),
) -> RunMetadata {
    let request = run.request;
    let rows = request.cases.iter().zip(states).zip(verdicts);
    let configuration =
        |((case, state), verdict): ((&PlannedCase, &CaseState), &CaseVerdict)| CaseConfiguration {
            case_id: case.id.clone(),
            title: case.title.clone(),
            intent: case.intent.clone(),
            declared_model: case.declared_model.clone(),
            effective_model: case.model.as_ref().map(|model| model.effective.clone()),
            provider: case.model.as_ref().map(|model| model.provider.clone()),
            configured_iterations: case.iterations,
            pass_threshold: case.pass_threshold,
            content_hash: case.content_hash.clone(),
            state: *state,
            verdict: *verdict,
        };
    RunMetadata {
        schema_version: RUN_REPORT_SCHEMA_VERSION,
        run_id: request.identity.run_id.clone(),
        started_at: request.identity.started_at.clone(),
        execution: execution(run),
        verdict_authority: "local-policy-v2".to_owned(),
        verdict_policy_version: 2,
        verdict,
        decision,
        termination: run.termination,
        complete,
        population: population(run),
        issues: run.issues.clone(),
        suite: request.suite.clone(),
        selection: request.selection.clone(),
        cases: rows.map(configuration).collect(),
        tool_policy: tool_policy(run),
        upload: Upload {
            requested: false,
            declared_reporting_mode: request.reporting_mode.clone(),
            note: "howfar uploads nothing".to_owned(),
        },
        warnings: request.warnings.iter().chain(&run.environment.warnings).cloned().collect(),
    }
}

fn execution(run: &FinishedRun<'_>) -> Execution {
    let request = run.request;
    let options = &request.options;
    let milliseconds =
        |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let first = request.cases.first();
    let authored_prompt = first.is_some_and(|case| case.system_prompt.is_some());
    Execution {
        mode: "local".to_owned(),
        engine: "emulated".to_owned(),
        sdk_version: env!("CARGO_PKG_VERSION").to_owned(),
        evaluator_version: howfar_wire::chain::STAGE_ANALYZER_VERSION,
        declared_hosts: request.declared_hosts.clone(),
        declared_environment: request.declared_environment.clone(),
        scripted: request
            .cases
            .iter()
            .any(|case| case.model.as_ref().is_some_and(|model| model.scripted)),
        servers: run.environment.reports.clone(),
        settings: RunSettings {
            concurrency: options.concurrency,
            iteration_timeout_ms: milliseconds(options.iteration_timeout),
            max_steps: options.max_steps,
            setup_timeout_ms: milliseconds(options.setup_timeout),
            system_prompt: if authored_prompt { "authored" } else { "default" }.to_owned(),
            temperature: first.and_then(|case| case.temperature),
        },
    }
}

fn population(run: &FinishedRun<'_>) -> Population {
    let trials = || run.cases.iter().flat_map(|case| &case.trials);
    let executed = trials().filter(|trial| is_executed(trial.row.status)).count() as u64;
    let configured = run.request.cases.iter().map(|case| u64::from(case.iterations)).sum();
    // A trial that was cut short did start, though it counts as withdrawn.
    let started =
        trials().filter(|trial| trial.row.duration_ms > 0.0 || is_executed(trial.row.status));
    Population {
        unit: "case".to_owned(),
        cases: run.request.cases.len() as u64,
        configured_iterations: configured,
        executed_iterations: executed,
        not_started_iterations: configured - started.count() as u64,
    }
}

fn tool_policy(run: &FinishedRun<'_>) -> Option<ToolPolicyReport> {
    let declared = run.request.tool_policy.as_ref()?;
    let to_value = |snapshot| serde_json::to_value(snapshot).ok();
    let trials = run.cases.iter().flat_map(|case| &case.trials);
    Some(ToolPolicyReport {
        declared: serde_json::json!({
            "mode": declared.mode,
            "allow": declared.allow,
            "deny": declared.deny,
        }),
        snapshot: run.environment.policy().and_then(to_value),
        blocks: trials.flat_map(|trial| trial.row.policy_blocks.clone()).collect(),
    })
}
