//! From a case to its prompts, fixed calls and graders (suite and runner, section B14; predicates, section 11.4).

use howfar_wire::Vocabulary as _;
use howfar_wire::canon;
use howfar_wire::chain::AuthoredMode;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::predicate::EffectiveRole;
use howfar_wire::suite::{Assertion, CaseId, Predicate, Step, StepId};
use howfar_wire::transcript::ToolCall;
use howfar_wire::vocabulary::{
    PredicateKind, ProblemReason, RefusalCode, RefusalPhase, StandardCheckId,
};
use serde_json::{Map, Value};

use super::refusal;
use crate::standard::{is_suppressed, standard_checks};
use crate::{EffectiveJudge, ResolvedCase, ResolvedSuite};

/// What the caller can run and wants to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanOptions<'a> {
    /// The kinds of checks that the caller evaluates.
    pub supported_kinds: &'a [PredicateKind],
    /// Whether a judge that gates can run.
    pub gating_judge: bool,
    /// Whether the suite-standard checks are added, as advisory rows, unless a case suppresses them.
    pub standard_checks: bool,
}

impl Default for PlanOptions<'_> {
    /// Every kind, a judge, no suite-standard checks.
    fn default() -> Self {
        Self { supported_kinds: PredicateKind::ALL, gating_judge: true, standard_checks: false }
    }
}

/// What a trial of a case does and grades.
#[derive(Debug, Clone, PartialEq)]
pub struct CasePlan {
    /// The case.
    pub case_id: CaseId,
    /// Whether a model takes part: it does as soon as there is a prompt.
    pub mode: AuthoredMode,
    /// The turns, in order.
    pub turns: Vec<TurnPlan>,
    /// What happens, in order.
    pub steps: Vec<PlannedStep>,
    /// The checks: of steps in step order, then of the case, then suite-standard ones. Positional scorer ids depend on
    /// this order.
    pub predicates: Vec<PlannedPredicate>,
    /// Whether the case passes only when no tool was called.
    pub is_negative: bool,
}

/// One turn: what a prompt or a fixed call opens.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnPlan {
    /// The step that opened the turn; absent for the turn of assertions before any prompt or call.
    pub opened_by: Option<StepId>,
    /// Whether a fixed call opened it, so that nothing was selected.
    pub pinned: bool,
    /// What the user says; absent when a fixed call or nothing opened the turn.
    pub prompt: Option<String>,
    /// The position in the case of each expected call, and the call. Arguments are compared partially.
    pub expected: Vec<(usize, ToolCall)>,
}

/// One step of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedStep {
    /// The step's position in the case, from 0.
    pub position: usize,
    /// The step's id.
    pub id: StepId,
    /// The turn, from 0.
    pub turn: usize,
    /// What happens.
    pub action: PlannedAction,
}

/// What a step of a plan does.
#[derive(Debug, Clone, PartialEq)]
pub enum PlannedAction {
    /// The user says something, and the model answers.
    Prompt {
        /// What the user says.
        text: String,
    },
    /// A tool is called with fixed arguments, without a model.
    ToolCall {
        /// The server, as the target names it.
        server_name: String,
        /// The tool.
        tool_name: String,
        /// The arguments.
        arguments: Map<String, Value>,
    },
    /// A call is expected in the step's turn; the matcher grades it.
    Expect {
        /// The call.
        call: ToolCall,
    },
    /// A check is evaluated on the transcript so far. Nothing stops when it does not hold.
    Check {
        /// The check's index in the plan's predicates.
        predicate: usize,
    },
}

/// Where a check comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PredicateOrigin {
    /// An `assert` step.
    Step {
        /// The step's position in the case, from 0.
        position: usize,
        /// The step's id.
        id: StepId,
        /// The turn, from 0.
        turn: usize,
    },
    /// The case's own list.
    Case {
        /// The position in that list, from 0.
        position: usize,
    },
    /// A suite-standard check.
    Standard(StandardCheckId),
}

/// A check and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedPredicate {
    /// The check.
    pub predicate: Predicate,
    /// Where it comes from.
    pub origin: PredicateOrigin,
}

impl CasePlan {
    /// What the user says, in order.
    pub fn prompts(&self) -> impl Iterator<Item = &str> {
        self.turns.iter().filter_map(|turn| turn.prompt.as_deref())
    }

    /// Every expected call, in order.
    pub fn expected_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.turns.iter().flat_map(|turn| turn.expected.iter().map(|(_, call)| call))
    }

    /// Whether the matcher has anything to grade; otherwise its row is `not_applicable`.
    pub fn matcher_applies(&self) -> bool {
        self.is_negative || self.expected_calls().next().is_some()
    }
}

/// Plans one case.
///
/// # Errors
///
/// Every reason why the case cannot run, each with the code it stands for: `CASE_INVALID` or `CASE_UNSUPPORTED`.
pub fn plan_case(
    case: &ResolvedCase,
    judge: &EffectiveJudge,
    options: &PlanOptions<'_>,
) -> Result<CasePlan, Vec<(RefusalCode, Problem)>> {
    let mut planner = Planner::new(case, options);
    for (position, step) in case.steps.iter().enumerate() {
        planner.step(position, step);
    }
    planner.case_level();
    planner.prompts_exist();
    planner.judge(judge);
    planner.finish()
}

/// Plans every selected case.
///
/// # Errors
///
/// One refusal with every problem: `CASE_INVALID` when any case is invalid, `JUDGE_UNSUPPORTED` when every problem is a
/// gating judge, else `CASE_UNSUPPORTED`.
pub fn plan_cases(
    suite: &ResolvedSuite,
    selected: &[&ResolvedCase],
    options: &PlanOptions<'_>,
) -> Result<Vec<CasePlan>, Refusal> {
    let mut plans = Vec::with_capacity(selected.len());
    let mut problems = Vec::new();
    for case in selected {
        match plan_case(case, &suite.effective_judge(case), options) {
            Ok(plan) => plans.push(plan),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        return Ok(plans);
    }
    let code = if problems.iter().any(|(code, _)| *code == RefusalCode::CaseInvalid) {
        RefusalCode::CaseInvalid
    } else if problems.iter().all(|(_, it)| it.reason == Some(ProblemReason::GatingJudge)) {
        RefusalCode::JudgeUnsupported
    } else {
        RefusalCode::CaseUnsupported
    };
    let problems = problems.into_iter().map(|(_, problem)| problem).collect();
    Err(refusal(code, RefusalPhase::Validation, problems))
}

/// Whether an `assert` step becomes an expected call: a required `toolCalledWith` that says nothing an expected call
/// cannot say.
pub(crate) fn is_promoted(predicate: &Predicate) -> bool {
    let value = predicate.value();
    let once = value.get("minCount").is_none_or(|count| count.as_f64() == Some(1.0));
    let matching = value.pointer("/args/argumentMatching");
    let partial = matching.is_none_or(|matching| matching == "partial");
    predicate.kind() == PredicateKind::ToolCalledWith
        && predicate.role() == EffectiveRole::Gating
        && once
        && partial
}

struct Planner<'a> {
    case: &'a ResolvedCase,
    options: &'a PlanOptions<'a>,
    turns: Vec<TurnPlan>,
    steps: Vec<PlannedStep>,
    predicates: Vec<PlannedPredicate>,
    problems: Vec<(RefusalCode, Problem)>,
}

impl<'a> Planner<'a> {
    const fn new(case: &'a ResolvedCase, options: &'a PlanOptions<'a>) -> Self {
        Self {
            case,
            options,
            turns: Vec::new(),
            steps: Vec::new(),
            predicates: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn step(&mut self, position: usize, step: &Step) {
        match step {
            Step::Prompt { id, prompt } => {
                if canon::is_blank(prompt) {
                    let message = "a prompt is blank; write what the user says";
                    self.invalid(ProblemReason::EmptyPrompt, message, Some((position, id)));
                }
                self.open_turn(Some(id), false, Some(prompt));
                self.push(position, id, PlannedAction::Prompt { text: prompt.clone() });
            }
            Step::ToolCall {
                id,
                server_id: _,
                server_name,
                tool_name,
                arguments,
                render_timeout_ms: _,
            } => {
                self.open_turn(Some(id), true, None);
                let action = PlannedAction::ToolCall {
                    server_name: server_name.clone(),
                    tool_name: tool_name.clone(),
                    arguments: arguments.clone(),
                };
                self.push(position, id, action);
            }
            Step::Interact { id, tool_name: _, action: _ } => {
                let message = "the step operates a widget, which needs a live document; remove it or run the case elsewhere";
                self.unsupported(
                    ProblemReason::InteractStep,
                    message.to_owned(),
                    Some((position, id)),
                );
            }
            Step::Assert { id, assertion: Assertion::Widget(_) } => {
                let message = "the step asserts on a live widget, which a local run has not";
                self.unsupported(
                    ProblemReason::WidgetAssertion,
                    message.to_owned(),
                    Some((position, id)),
                );
            }
            Step::Assert { id, assertion: Assertion::Predicate(predicate) } => {
                self.assert_step(position, id, predicate);
            }
        }
    }

    fn assert_step(&mut self, position: usize, id: &StepId, predicate: &Predicate) {
        self.kind_supported(predicate, Some((position, id)));
        self.negative_contradiction(predicate, Some((position, id)));
        if self.turns.is_empty() {
            self.open_turn(None, false, None);
        }
        let turn = self.turns.len() - 1;
        if let (true, Some(call)) = (is_promoted(predicate), predicate.expected_call()) {
            self.turns[turn].expected.push((position, call.clone()));
            self.push(position, id, PlannedAction::Expect { call });
            return;
        }
        let action = PlannedAction::Check { predicate: self.predicates.len() };
        let origin = PredicateOrigin::Step { position, id: id.clone(), turn };
        self.predicates.push(PlannedPredicate { predicate: predicate.clone(), origin });
        self.push(position, id, action);
    }

    /// The case's own list stays as it is; then come the suite-standard checks, as far as they can be evaluated.
    fn case_level(&mut self) {
        for (position, predicate) in self.case.assertions.iter().enumerate() {
            self.kind_supported(predicate, None);
            self.negative_contradiction(predicate, None);
            let origin = PredicateOrigin::Case { position };
            self.predicates.push(PlannedPredicate { predicate: predicate.clone(), origin });
        }
        if !self.options.standard_checks {
            return;
        }
        let suppressed = &self.case.suppressed_standard_checks;
        for check in standard_checks() {
            let kind = check.predicate.kind();
            if self.options.supported_kinds.contains(&kind) && !is_suppressed(kind, suppressed) {
                let origin = PredicateOrigin::Standard(check.id);
                self.predicates.push(PlannedPredicate { predicate: check.predicate, origin });
            }
        }
    }

    fn prompts_exist(&mut self) {
        let acts = |step: &Step| matches!(step, Step::Prompt { .. } | Step::ToolCall { .. });
        if !self.case.steps.iter().any(acts) {
            let message =
                "the case has no prompt and no fixed tool call, so nothing happens; add one";
            self.invalid(ProblemReason::NoPrompt, message, None);
        }
    }

    fn judge(&mut self, judge: &EffectiveJudge) {
        let gates = judge.skip.is_none() && judge.role == EffectiveRole::Gating;
        if gates && !self.options.gating_judge {
            let message = "the judge gates this case and no judge can run; make its role advisory, or disable it";
            self.unsupported(ProblemReason::GatingJudge, message.to_owned(), None);
        }
    }

    fn kind_supported(&mut self, predicate: &Predicate, at: Option<(usize, &StepId)>) {
        let kind = predicate.kind();
        if self.options.supported_kinds.contains(&kind) {
            return;
        }
        let reason = if kind.needs_render() {
            ProblemReason::RenderAssertion
        } else {
            ProblemReason::PredicateKind
        };
        let message = format!("checks of kind `{kind}` are not evaluated here; remove the check");
        self.unsupported(reason, message, at);
    }

    fn negative_contradiction(&mut self, predicate: &Predicate, at: Option<(usize, &StepId)>) {
        if self.case.is_negative_test && predicate.kind() == PredicateKind::ToolCalledWith {
            let message = "the case is negative and passes only when no tool is called, yet it demands a call; remove \
                           `isNegativeTest` or the check";
            self.invalid(ProblemReason::NegativeContradiction, message, at);
        }
    }

    fn open_turn(&mut self, opened_by: Option<&StepId>, pinned: bool, prompt: Option<&str>) {
        self.turns.push(TurnPlan {
            opened_by: opened_by.cloned(),
            pinned,
            prompt: prompt.map(str::to_owned),
            expected: Vec::new(),
        });
    }

    fn push(&mut self, position: usize, id: &StepId, action: PlannedAction) {
        let turn = self.turns.len() - 1;
        self.steps.push(PlannedStep { position, id: id.clone(), turn, action });
    }

    fn invalid(&mut self, reason: ProblemReason, message: &str, at: Option<(usize, &StepId)>) {
        self.problem(RefusalCode::CaseInvalid, reason, message.to_owned(), at);
    }

    fn unsupported(
        &mut self,
        reason: ProblemReason,
        message: String,
        at: Option<(usize, &StepId)>,
    ) {
        self.problem(RefusalCode::CaseUnsupported, reason, message, at);
    }

    fn problem(
        &mut self,
        code: RefusalCode,
        reason: ProblemReason,
        message: String,
        at: Option<(usize, &StepId)>,
    ) {
        let problem = Problem {
            message,
            reason: Some(reason),
            case_id: Some(self.case.id.0.clone()),
            step_id: at.map(|(_, id)| id.0.clone()),
            step_index: at.map(|(position, _)| position),
            ..Problem::default()
        };
        self.problems.push((code, problem));
    }

    fn finish(self) -> Result<CasePlan, Vec<(RefusalCode, Problem)>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let prompted = self.turns.iter().any(|turn| turn.prompt.is_some());
        Ok(CasePlan {
            case_id: self.case.id.clone(),
            mode: if prompted { AuthoredMode::ModelDriven } else { AuthoredMode::ModelFree },
            turns: self.turns,
            steps: self.steps,
            predicates: self.predicates,
            is_negative: self.case.is_negative_test,
        })
    }
}
