//! From what is recorded of a run to its report: decide, count, and say how the run ended (suite and runner, sections
//! B12 and D6). The same function makes the report of a run that just ended and of one that was read from a store.

mod cases;
mod documents;
mod trial;

use howfar_wire::record::{RunEnd, RunRecord, SetupRecord};
use howfar_wire::report::{
    Execution, Issue, RUN_REPORT_KIND, RUN_REPORT_SCHEMA_VERSION, RunMetadata, RunReport,
    ToolPolicyReport, Upload,
};
use howfar_wire::verdict::VerdictDecision;
use howfar_wire::vocabulary::{
    CaseState, IssueCode, RefusalCategory, RefusalPhase, Termination, Verdict,
};

use super::verdict::decide;
use cases::{CaseTrials, Outcomes};
pub use trial::{DerivedTrial, derive_trial};

/// Everything that is recorded of a run.
pub struct RecordedRun<'a> {
    /// Which run of which suite, with which settings.
    pub record: &'a RunRecord,
    /// How setup went; `None` when the run was cut off before it ended.
    pub setup: Option<&'a SetupRecord<'a>>,
    /// What affected the run, in order.
    pub issues: Vec<Issue>,
    /// The trials that are recorded, in any order. A configured trial that is missing here did not finish.
    pub trials: Vec<DerivedTrial>,
    /// How the run ended, if it did.
    pub ending: Ending,
}

/// How a run ended, if it did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// It ended.
    Ended(RunEnd),
    /// It has no end: it was cut off, or still runs. No verdict is established for it.
    Open {
        /// Wall time that is known to have passed, in milliseconds.
        elapsed_ms: f64,
    },
}

/// The report of a run.
pub fn run_report(run: RecordedRun<'_>) -> RunReport {
    let RecordedRun { record, setup, mut issues, trials, ending } = run;
    let cases = CaseTrials::group(record, trials);
    let decision = match decide(&documents::verdict_input(record, &cases)) {
        Ok(decision) => Some(decision),
        Err(refusal) => {
            issues.push(decision_issue(&refusal.to_string()));
            None
        }
    };
    let end = match ending {
        Ending::Ended(end) => end,
        Ending::Open { elapsed_ms } => {
            issues.push(open_issue());
            RunEnd { termination: Termination::Aborted, duration_ms: elapsed_ms }
        }
    };
    let states: Vec<CaseState> = cases.iter().map(CaseTrials::state).collect();
    let complete = end.termination == Termination::Completed
        && states.iter().all(|state| *state == CaseState::Completed);
    let verdict = match (&decision, complete) {
        (Some(decision), true) => Verdict::from(decision.verdict),
        (Some(_) | None, false) | (None, true) => Verdict::NotEstablished,
    };
    let signals = setup.and_then(|setup| setup.signals.as_ref());
    let analytics = documents::analytics(record, signals, &cases);
    let friction = documents::friction(&cases);
    let outcomes = Outcomes { states, verdicts: cases::verdicts(&cases, decision.as_ref()) };
    let decided = Decided { verdict, decision, complete, termination: end.termination, issues };
    let metadata = metadata(record, setup, &cases, &outcomes, decided);
    RunReport {
        schema_version: RUN_REPORT_SCHEMA_VERSION,
        kind: RUN_REPORT_KIND.to_owned(),
        passed: verdict == Verdict::Passed,
        verdict,
        summary: cases::summary(&outcomes.verdicts),
        cases: cases::reports(cases, &outcomes.verdicts),
        duration_ms: end.duration_ms,
        analytics,
        friction,
        metadata,
    }
}

/// What was decided about a run, and how it ended.
struct Decided {
    verdict: Verdict,
    decision: Option<VerdictDecision>,
    complete: bool,
    termination: Termination,
    issues: Vec<Issue>,
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

/// A run without an end: nobody can say more of it than what is recorded.
fn open_issue() -> Issue {
    Issue {
        code: IssueCode::InternalError,
        phase: RefusalPhase::Execution,
        category: RefusalCategory::Cancelled,
        message: "the run has no end: its process was cut off, or still runs; every trial that \
                  finished is here"
            .to_owned(),
        case_id: None,
        iteration_number: None,
        server: None,
    }
}

fn metadata(
    record: &RunRecord,
    setup: Option<&SetupRecord<'_>>,
    cases: &[CaseTrials<'_>],
    outcomes: &Outcomes,
    decided: Decided,
) -> RunMetadata {
    let advice = setup.map(|setup| setup.warnings.as_slice()).unwrap_or_default();
    RunMetadata {
        schema_version: RUN_REPORT_SCHEMA_VERSION,
        run_id: record.run_id.clone(),
        started_at: record.started_at.clone(),
        execution: execution(record, setup),
        verdict_authority: "local-policy-v2".to_owned(),
        verdict_policy_version: 2,
        verdict: decided.verdict,
        decision: decided.decision,
        termination: decided.termination,
        complete: decided.complete,
        population: cases::population(record, cases),
        issues: decided.issues,
        suite: record.suite.clone(),
        selection: record.selection.clone(),
        cases: cases::configurations(cases, outcomes),
        tool_policy: tool_policy(record, setup, cases),
        upload: Upload {
            requested: false,
            declared_reporting_mode: record.reporting_mode.clone(),
            note: "howfar uploads nothing".to_owned(),
        },
        warnings: record.warnings.iter().chain(advice).cloned().collect(),
    }
}

fn execution(record: &RunRecord, setup: Option<&SetupRecord<'_>>) -> Execution {
    let mut models = record.cases.iter().filter_map(|case| case.model.as_ref());
    Execution {
        mode: "local".to_owned(),
        engine: "emulated".to_owned(),
        sdk_version: record.product_version.clone(),
        evaluator_version: howfar_wire::chain::STAGE_ANALYZER_VERSION,
        declared_hosts: record.declared_hosts.clone(),
        declared_environment: record.declared_environment.clone(),
        scripted: models.any(|model| model.scripted),
        replayed_from: record.replayed_from.clone(),
        servers: setup.map(|setup| setup.servers.clone()).unwrap_or_default(),
        settings: record.settings.clone(),
    }
}

fn tool_policy(
    record: &RunRecord,
    setup: Option<&SetupRecord<'_>>,
    cases: &[CaseTrials<'_>],
) -> Option<ToolPolicyReport> {
    let declared = record.tool_policy.clone()?;
    let snapshot = setup.and_then(|setup| setup.tool_policy.as_ref());
    let trials = cases.iter().flat_map(|case| &case.trials);
    Some(ToolPolicyReport {
        declared,
        snapshot: snapshot.and_then(|snapshot| serde_json::to_value(snapshot).ok()),
        blocks: trials.flat_map(|trial| trial.row.policy_blocks.clone()).collect(),
    })
}
