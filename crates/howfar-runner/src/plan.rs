//! From a planned case of the suite to one that is ready to run: checks compiled once, the model attached.

use howfar_core::chain::{AuthoredCheck, AuthoredSource, AuthoredStep, infer_authored};
use howfar_core::judge::with_judge;
use howfar_core::predicate::CompiledChecks;
use howfar_core::run::{CheckSource, case_scorers};
use howfar_suite::plan::{CasePlan, PlannedAction, PlannedPredicate, PredicateOrigin};
use howfar_suite::{ResolvedCase, ResolvedSuite, case_content_hash};
use howfar_wire::chain::{Authored, AuthoredMode};
use howfar_wire::score::EvaluationConfig;
use howfar_wire::scorecard::Provenance;
use howfar_wire::suite::{Assertion, Step};
use howfar_wire::transcript::ToolCall;
use serde_json::{Value, json};

use crate::case::{CaseCheck, CaseModel, CaseStep, PinnedCall, PlannedCase};
use crate::judge::CaseJudge;

/// Makes a case ready to run. `authored` is the case as the file has it; `model` is `None` for a case without prompts;
/// `judge`
/// is `None` when the suite says nothing of one; `compiled` holds the checks that the cases of the run share.
pub fn ready_case(
    suite: &ResolvedSuite,
    case: &ResolvedCase,
    plan: &CasePlan,
    authored: &Value,
    model: Option<CaseModel>,
    judge: Option<CaseJudge>,
    compiled: &mut CompiledChecks,
) -> PlannedCase {
    let expected = |turn: &howfar_suite::plan::TurnPlan| {
        turn.expected.iter().map(|(_, call)| call.clone()).collect()
    };
    PlannedCase {
        id: case.id.0.clone(),
        title: case.title.clone(),
        intent: case.intent.clone(),
        declared_model: case.model.clone(),
        model,
        system_prompt: suite.defaults.system_prompt.clone(),
        temperature: suite.defaults.temperature,
        iterations: case.iterations,
        pass_threshold: case.pass_threshold,
        steps: plan.steps.iter().filter_map(|step| case_step(&step.action)).collect(),
        checks: plan.predicates.iter().map(|planned| check(planned, compiled)).collect(),
        scorers: scorers(case, plan, judge.as_ref()),
        judge,
        expected_calls: plan.turns.iter().map(expected).collect(),
        is_negative_test: case.is_negative_test,
        authored: authored_facts(case, plan),
        content_hash: case_content_hash(case),
        resolved: resolved(case, authored),
    }
}

/// An expected call is no step of its own: the matcher grades it with its turn.
fn case_step(action: &PlannedAction) -> Option<CaseStep> {
    match action {
        PlannedAction::Prompt { text } => Some(CaseStep::Prompt(text.clone())),
        PlannedAction::ToolCall { server_name, tool_name, arguments } => {
            Some(CaseStep::ToolCall(PinnedCall {
                server_name: server_name.clone(),
                tool_name: tool_name.clone(),
                arguments: arguments.clone(),
            }))
        }
        PlannedAction::Check { predicate } => Some(CaseStep::Check(*predicate)),
        PlannedAction::Expect { call: _ } => None,
    }
}

fn check(planned: &PlannedPredicate, compiled: &mut CompiledChecks) -> CaseCheck {
    let (provenance, step) = match &planned.origin {
        PredicateOrigin::Step { position, .. } => {
            (Provenance::Step, u32::try_from(position + 1).ok())
        }
        PredicateOrigin::Case { .. } => (Provenance::Case, None),
        PredicateOrigin::Standard(_) => (Provenance::Suite, None),
    };
    CaseCheck {
        kind: planned.predicate.kind(),
        provenance,
        step,
        predicate: compiled.compile(planned.predicate.value()),
    }
}

/// The scorers of the case, in the order of its checks; a judge that is asked stands last.
fn scorers(case: &ResolvedCase, plan: &CasePlan, judge: Option<&CaseJudge>) -> EvaluationConfig {
    let expected: Vec<ToolCall> = plan.expected_calls().cloned().collect();
    let config = case_scorers(&expected, case.is_negative_test, plan.predicates.iter().map(source));
    match judge.filter(|judge| judge.record.skip_reason.is_none()) {
        Some(judge) => with_judge(config, &judge.record),
        None => config,
    }
}

fn source(planned: &PlannedPredicate) -> CheckSource<'_> {
    let predicate = &planned.predicate;
    CheckSource { kind: predicate.kind(), authored: predicate.value(), role: predicate.role() }
}

/// What the chain needs to know of the case (derivation, section 3). Suite-standard checks are not the author's, so they
/// make no stage applicable.
fn authored_facts(case: &ResolvedCase, plan: &CasePlan) -> Authored {
    infer_authored(&AuthoredSource {
        case_needs_model: plan.mode == AuthoredMode::ModelDriven,
        is_negative_test: case.is_negative_test.then_some(true),
        has_expected_output: case.expected_output.is_some(),
        lists_expected_calls: plan.expected_calls().next().is_some(),
        is_widget_probe: false,
        steps: case.steps.iter().map(authored_step).collect(),
        success_predicates: case
            .assertions
            .iter()
            .map(|predicate| AuthoredCheck::Predicate(Some(predicate.kind())))
            .collect(),
    })
}

fn authored_step(step: &Step) -> AuthoredStep {
    match step {
        Step::ToolCall { .. } => AuthoredStep::ToolCall,
        Step::Assert { assertion: Assertion::Predicate(predicate), .. } => {
            AuthoredStep::Assert(AuthoredCheck::Predicate(Some(predicate.kind())))
        }
        Step::Assert { assertion: Assertion::Widget(_), .. } => {
            AuthoredStep::Assert(AuthoredCheck::Widget)
        }
        Step::Prompt { .. } | Step::Interact { .. } => AuthoredStep::Other,
    }
}

/// The case as written, with the defaults that apply to it.
fn resolved(case: &ResolvedCase, authored: &Value) -> Value {
    let mut resolved = authored.clone();
    resolved["model"] = json!(case.model);
    resolved["iterations"] = json!(case.iterations);
    resolved["passThreshold"] = json!(case.pass_threshold);
    resolved["isNegativeTest"] = json!(case.is_negative_test);
    if let Some(object) = resolved.as_object_mut() {
        object.shift_remove("repetitions");
    }
    resolved
}
