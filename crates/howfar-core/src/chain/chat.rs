//! A chat session as a derivation input (derivation, section 12).

use howfar_wire::chain::{
    Authored, AuthoredMode, ChatCriteria, ChatLifecycle, ChatReadiness, ChatSession,
    CriteriaStatus, Evidence, GoalJudge, GoalJudgeStatus, Iteration, JudgeEvidence, JudgeStatus,
    JudgeVerdict, PendingKind, PredicateResult, StageInput, Text, ToolExpectation, ToolSignals,
};
use howfar_wire::vocabulary::IterationStatus;
use serde_json::Value;

/// The derivation input of a chat session. Where the session came from reaches nothing, and no setup signal is ever
/// made, so that the connection of a chat session cannot fail.
pub fn chat_stage_input<'a>(session: &ChatSession<'a>) -> StageInput<'a, Value> {
    let criteria = session.criteria.as_ref();
    let status = criteria.map(|criteria| criteria.status);
    StageInput {
        authored: authored(session.has_user_ask),
        evidence: Evidence {
            trace_absent: session.trace_absent,
            spans: session.spans.clone(),
            tool_signals: session.readiness.as_ref().and_then(tool_signals),
            predicate_results: criteria.map(predicate_results).unwrap_or_default(),
            evaluator_errored: status == Some(CriteriaStatus::Failed),
            judge_evidence: judge_evidence(session),
            ..Evidence::default()
        },
        iteration: Iteration { status: iteration_status(session.lifecycle), error: None },
        policy: None,
    }
}

fn authored(has_user_ask: bool) -> Authored {
    Authored {
        expects_tool_call: Some(false),
        expects_widget_render: Some(false),
        assertion_count: Some(0),
        has_user_ask: Some(has_user_ask),
        tool_expectation: Some(ToolExpectation::Open),
        ..Authored::new(AuthoredMode::ModelDriven)
    }
}

/// The advertised count, when it is known and positive.
fn tool_signals(readiness: &ChatReadiness) -> Option<ToolSignals> {
    let known = readiness.advertised_tools_known == Some(true);
    let count = readiness.advertised_tool_count.filter(|count| known && *count > 0);
    count.map(|_| ToolSignals { tools_total_before: count, tools_exposed: count })
}

fn predicate_results<'a>(criteria: &ChatCriteria) -> Vec<PredicateResult<'a>> {
    match criteria.status {
        CriteriaStatus::Completed => criteria
            .results
            .iter()
            .map(|result| PredicateResult {
                passed: Some(result.passed),
                ..PredicateResult::default()
            })
            .collect(),
        CriteriaStatus::Pending | CriteriaStatus::Failed => Vec::new(),
    }
}

/// What a judge says; criteria that decide, or broke, leave it nothing to say.
fn judge_evidence<'a>(session: &ChatSession<'a>) -> Option<JudgeEvidence<'a>> {
    match &session.criteria {
        Some(ChatCriteria { status: CriteriaStatus::Failed, results: _ }) => None,
        Some(ChatCriteria { status: CriteriaStatus::Completed, results })
            if !results.is_empty() =>
        {
            None
        }
        Some(ChatCriteria { status: CriteriaStatus::Pending, results: _ }) => {
            Some(pending(PendingKind::Scheduled))
        }
        Some(ChatCriteria { status: CriteriaStatus::Completed, results: _ }) | None => {
            goal_evidence(session.goal_judge.as_ref(), session.has_user_ask)
        }
    }
}

fn goal_evidence<'a>(
    judge: Option<&GoalJudge<'a>>,
    has_user_ask: bool,
) -> Option<JudgeEvidence<'a>> {
    match judge.map(|judge| (judge.status, judge.passed, &judge.reason)) {
        Some((GoalJudgeStatus::Completed, Some(passed), reason)) => {
            Some(scored(passed, reason.clone().filter(|reason| !reason.is_empty())))
        }
        Some((GoalJudgeStatus::Failed, Some(_) | None, _)) => Some(bare(JudgeStatus::Error)),
        Some((GoalJudgeStatus::Running, Some(_) | None, _)) => {
            Some(pending(PendingKind::Scheduled))
        }
        Some((GoalJudgeStatus::Completed, None, _)) | None => {
            has_user_ask.then(|| pending(PendingKind::NotRequested))
        }
    }
}

fn scored(passed: bool, reason: Option<Text<'_>>) -> JudgeEvidence<'_> {
    let verdict = if passed { JudgeVerdict::Pass } else { JudgeVerdict::Fail };
    let reasons = reason.into_iter().collect();
    JudgeEvidence { verdict: Some(verdict), reasons, ..bare(JudgeStatus::Scored) }
}

fn pending<'a>(kind: PendingKind) -> JudgeEvidence<'a> {
    JudgeEvidence { pending_kind: Some(kind), ..bare(JudgeStatus::Pending) }
}

const fn bare<'a>(status: JudgeStatus) -> JudgeEvidence<'a> {
    JudgeEvidence { status, pending_kind: None, verdict: None, reasons: Vec::new() }
}

const fn iteration_status(lifecycle: ChatLifecycle) -> IterationStatus {
    match lifecycle {
        ChatLifecycle::Running => IterationStatus::Running,
        ChatLifecycle::Stopped => IterationStatus::Cancelled,
        ChatLifecycle::Settled => IterationStatus::Completed,
    }
}
