//! Every document of a run from its evidence, each held to its own contract before it is given out.

use howfar_wire::chain::STAGE_ANALYZER_VERSION;
use howfar_wire::documents::{
    RUN_DOCUMENTS_KIND, RUN_DOCUMENTS_SCHEMA_VERSION, RefusedDocument, RunDocuments, TrialDocuments,
};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::{CaseRecord, ModelRecord, RunEnd, RunRecord};
use howfar_wire::report::{RunReport, RunSettings, Selection, SuiteIdentity};
use howfar_wire::summary::DecisionSummary;
use howfar_wire::vocabulary::Termination;
use serde::Serialize;
use serde_json::Value;

use super::analytics::validate_analytics;
use super::report::{DerivedTrial, Ending, RecordedRun, derive_trial, run_report};
use super::rollup::{scorer_rollup, validate_rollup};
use super::side::RunSide;
use super::verdict::validate_decision;
use super::{
    OWN_PROJECT, SummaryInput, decision_summary, disagreements, ended_run, own_iteration,
    trial_statistics, validate_measurements, validate_summary,
};
use crate::chain::{derive_stages, validate_derivation};
use crate::friction::validate_friction;
use crate::problem::Problem;

/// Derives every document of a recorded run. `trials` are the evidence documents behind `run.trials`.
pub fn run_documents(run: RecordedRun<'_>, trials: &[TrialEvidence<'_>]) -> RunDocuments {
    let mut checker = Checker::default();
    let documents: Vec<_> = trials.iter().map(|evidence| checker.trial(evidence)).collect();
    let record = run.record;
    let catalog = run.setup.and_then(|setup| setup.catalog_digest.clone());
    let side = RunSide::new(record.clone(), run_report(run), catalog);
    let rollup = scorer_rollup(&side)
        .filter(|rollup| checker.keeps("scorerRollup", None, rollup, validate_rollup));
    let report = side.report;
    let decision = report.metadata.decision.clone();
    let decision =
        decision.filter(|decision| checker.keeps("decision", None, decision, validate_decision));
    let analytics = report.analytics.clone();
    let analytics = analytics
        .filter(|analytics| checker.keeps("stageAnalytics", None, analytics, validate_analytics));
    let summary = summary(&report);
    let summary = Some(summary)
        .filter(|summary| checker.keeps("decisionSummary", None, summary, validate_summary));
    RunDocuments {
        schema_version: RUN_DOCUMENTS_SCHEMA_VERSION,
        kind: RUN_DOCUMENTS_KIND.to_owned(),
        run_id: report.metadata.run_id,
        suite_id: report.metadata.suite.id,
        trials: documents,
        trial_statistics: decision.as_ref().map(trial_statistics),
        decision,
        decision_summary: summary,
        stage_analytics: analytics,
        scorer_rollup: rollup,
        friction: report.friction,
        refused: checker.refused,
    }
}

/// The same from evidence documents alone. What evidence does not say (servers, settings, the file) stays absent, so
/// the analytics of such a run state no identity and are never compared. `None` without any document.
pub fn documents_of_evidence(trials: &[TrialEvidence<'_>]) -> Option<RunDocuments> {
    let record = record_of(trials)?;
    let run = RecordedRun {
        record: &record,
        setup: None,
        issues: Vec::new(),
        trials: trials.iter().map(derive_trial).collect(),
        ending: Ending::Ended(RunEnd {
            termination: Termination::Completed,
            duration_ms: trials.iter().map(|trial| trial.duration_ms).sum(),
        }),
    };
    let mut documents = run_documents(run, trials);
    if let Some(analytics) = &mut documents.stage_analytics {
        analytics.run_group_id = None;
        analytics.config_revision = None;
        analytics.case_set_fingerprint = None;
    }
    Some(documents)
}

/// Holds documents to their contracts and keeps what did not keep them.
#[derive(Default)]
struct Checker {
    refused: Vec<RefusedDocument>,
}

impl Checker {
    fn trial(&mut self, evidence: &TrialEvidence<'_>) -> TrialDocuments {
        let place = format!("{}#{}", evidence.case_id, evidence.iteration_number);
        let DerivedTrial { row, analytics, .. } = derive_trial(evidence);
        let derivation = derive_stages(&evidence.stage_input());
        let chain = self.keeps("stageDerivation", Some(&place), &derivation, validate_derivation);
        let version = derivation.stage_analyzer_version;
        let measurements = analytics.measurements.filter(|measurements| {
            let agrees = disagreements(measurements, &derivation.stage_results, version).is_empty();
            agrees
                && self.keeps(
                    "stageMeasurements",
                    Some(&place),
                    measurements,
                    validate_measurements,
                )
        });
        let friction = row.friction.filter(|friction| {
            self.keeps("frictionSignals", Some(&place), friction, validate_friction)
        });
        TrialDocuments {
            case_id: evidence.case_id.clone(),
            iteration_number: evidence.iteration_number,
            stage_derivation: chain.then_some(derivation),
            stage_measurements: measurements,
            friction_signals: friction,
        }
    }

    /// Whether the document keeps its contract; if not, it is refused with every problem.
    fn keeps<D: Serialize, T>(
        &mut self,
        name: &str,
        trial: Option<&str>,
        document: &D,
        validate: fn(&Value) -> Result<T, Vec<Problem>>,
    ) -> bool {
        let value = serde_json::to_value(document).expect("documents hold nothing but JSON");
        let Err(problems) = validate(&value) else { return true };
        self.refused.push(RefusedDocument {
            document: name.to_owned(),
            trial: trial.map(str::to_owned),
            problems: problems.iter().map(Problem::to_string).collect(),
        });
        false
    }
}

/// The decision summary of a run whose trials are all at hand (run-documents, section 5).
fn summary(report: &RunReport) -> DecisionSummary {
    let rows = report.cases.iter().flat_map(|case| {
        let row = |trial| own_iteration(&case.id, &case.title, trial);
        case.details.iterations.iter().map(row)
    });
    let iterations: Vec<Value> = rows.collect();
    decision_summary(&SummaryInput {
        project_id: OWN_PROJECT,
        run: &ended_run(&report.metadata),
        iterations: &iterations,
        complete: true,
        next_cursor: None,
        known_analyzer_version: u64::from(STAGE_ANALYZER_VERSION),
    })
}

/// What evidence says of its run.
fn record_of(trials: &[TrialEvidence<'_>]) -> Option<RunRecord> {
    let first = trials.first()?;
    let mut cases: Vec<CaseRecord> = Vec::new();
    for trial in trials {
        let seen = trials.iter().filter(|other| other.case_id == trial.case_id).count();
        if !cases.iter().any(|case| case.id == trial.case_id) {
            cases.push(case_record(trial, seen));
        }
    }
    let selected = cases.iter().map(|case| case.id.clone()).collect();
    Some(RunRecord {
        schema_version: howfar_wire::record::RUN_RECORD_SCHEMA_VERSION,
        run_id: first.run_id.clone(),
        started_at: String::new(),
        started_at_ms: 0,
        product_version: String::new(),
        suite: SuiteIdentity {
            id: first.suite_id.clone(),
            name: String::new(),
            schema_version: String::new(),
            source_hash: String::new(),
        },
        reporting_mode: String::new(),
        declared_hosts: Vec::new(),
        declared_environment: None,
        selection: Selection { requested: None, selected, skipped: Vec::new() },
        cases,
        servers: Vec::new(),
        tool_policy: None,
        policy: first.validity.unwrap_or_default(),
        settings: unknown_settings(),
        system_prompt: None,
        warnings: Vec::new(),
        replayed_from: None,
    })
}

fn case_record(trial: &TrialEvidence<'_>, seen: usize) -> CaseRecord {
    let configured = trial.case.get("iterations").and_then(Value::as_u64).unwrap_or_default();
    let configured = u32::try_from(configured).unwrap_or(u32::MAX);
    CaseRecord {
        id: trial.case_id.clone(),
        title: trial.title.clone(),
        intent: trial.intent.clone(),
        declared_model: trial.model.clone().unwrap_or_default(),
        model: trial.model.as_ref().map(|model| ModelRecord {
            effective: model.clone(),
            provider: trial.provider.clone().unwrap_or_default(),
            scripted: trial.provider.as_deref() == Some("scripted"),
            script_digest: None,
        }),
        iterations: configured.max(u32::try_from(seen).unwrap_or(u32::MAX)),
        pass_threshold: trial.case.get("passThreshold").and_then(Value::as_f64).unwrap_or(1.0),
        content_hash: String::new(),
        assertions: None,
        evaluation_config: None,
        judge: None,
    }
}

const fn unknown_settings() -> RunSettings {
    RunSettings {
        concurrency: 0,
        iteration_timeout_ms: 0,
        max_steps: 0,
        setup_timeout_ms: 0,
        system_prompt: String::new(),
        temperature: None,
    }
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::{
        DecisionVerdict, StageReason, StageState, VerdictDecisionReason,
    };

    use serde_json::json;

    use super::*;

    /// One finished trial of a case with ten; the judge's evidence and the grading are given.
    fn trial(number: u32, judge: Value, evaluator_error: bool) -> TrialEvidence<'static> {
        let document = json!({
            "schemaVersion": 1, "kind": "trial-evidence", "runId": "r", "suiteId": "s", "caseId": "c",
            "title": "Case", "iterationNumber": number,
            "authored": { "mode": "model_driven", "assertionCount": 1 },
            "evidence": { "prompts": [{ "promptIndex": 0, "passed": true }], "judgeEvidence": judge },
            "iteration": { "status": "completed" },
            "case": { "iterations": 10, "passThreshold": 1 },
            "transcript": {}, "durationMs": 1.0,
            "evaluatorError": evaluator_error,
            "taskVerdict": (!evaluator_error).then_some("passed"),
        });
        let text = document.to_string();
        serde_json::from_str::<TrialEvidence<'_>>(&text).expect("an evidence document").into_owned()
    }

    #[test]
    fn a_judge_that_broke_on_nine_of_ten_trials_decides_nothing() {
        let broken =
            |number| trial(number, json!({ "status": "error", "reasons": ["no answer"] }), true);
        let graded = trial(10, json!({ "status": "scored", "verdict": "pass" }), false);
        let trials: Vec<_> = (1..10).map(broken).chain([graded]).collect();
        let documents = documents_of_evidence(&trials).expect("there is evidence");
        let decision = documents.decision.expect("a decision");
        assert_eq!(decision.verdict, DecisionVerdict::Inconclusive);
        assert_eq!(decision.reasons, [VerdictDecisionReason::EvaluatorErrorRateAboveMaximum]);
        let chain = documents.trials[0].stage_derivation.as_ref().expect("a chain");
        let user_value = &chain.stage_results[5];
        assert_eq!(user_value.state, StageState::NotMeasured);
        assert_eq!(user_value.reason, Some(StageReason::EvaluatorError));
        assert_eq!(documents.refused, Vec::new());
    }

    #[test]
    fn evidence_alone_states_no_identity_of_its_run() {
        let trials = [trial(1, Value::Null, false)];
        let analytics =
            documents_of_evidence(&trials).and_then(|documents| documents.stage_analytics);
        let analytics = analytics.expect("analytics");
        assert_eq!((analytics.run_group_id, analytics.config_revision), (None, None));
        assert_eq!(documents_of_evidence(&[]), None);
    }
}
