//! Asking a judge about one trial (suite and runner, section C). What it is shown and what its answer amounts to is pure
//! and lies in `howfar_core::judge`; here are the call, its clock and its budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use howfar_core::judge::{
    GoalRequest, GoalSettings, JudgeFault, ModelLimits, blank_judgement, build_request, errored,
    fit, goal_input, parse_answer, pending, scored, skipped,
};
use howfar_model::{
    Message, Model, ModelError, ModelErrorKind, ModelRequest, ModelTurn, TrialContext,
};
use howfar_wire::chain::PendingKind;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::{JudgeErrorCode, JudgeRecord, JudgeSkipReason, Judgement};
use howfar_wire::report::TokenUse;
use howfar_wire::vocabulary::{IterationStatus, RefusalKind};
use tokio_util::sync::CancellationToken;

use crate::clock::milliseconds;
use crate::redact::Redactor;

/// The judge of a case.
#[derive(Clone)]
pub struct CaseJudge {
    /// How it is set up, as the run records it.
    pub record: JudgeRecord,
    /// Who is asked; `None` when nobody is, and then `record` says why.
    pub asked: Option<AskedJudge>,
}

/// A judge that can be asked.
#[derive(Clone)]
pub struct AskedJudge {
    /// The client of its provider.
    pub model: Arc<dyn Model>,
    /// What its model reads and writes at once.
    pub limits: ModelLimits,
    /// Its own clock, for each trial.
    pub timeout: Duration,
    /// The calls that are left to all judges of the command.
    pub budget: Arc<JudgeBudget>,
}

/// How many calls judges may make.
#[derive(Debug)]
pub struct JudgeBudget {
    /// The calls that are left; `None` for no limit.
    left: Option<AtomicU64>,
}

impl JudgeBudget {
    /// A budget of so many calls; `None` for no limit.
    pub fn new(calls: Option<u64>) -> Self {
        Self { left: calls.map(AtomicU64::new) }
    }

    /// Takes one call; `false` when none is left.
    fn take(&self) -> bool {
        let Some(left) = &self.left else { return true };
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

/// What a trial needs of its judge.
pub enum Need<'a> {
    /// Nothing: it is switched off.
    Nothing,
    /// This is said without asking.
    Said(Box<Judgement>),
    /// It has to be asked.
    Ask(&'a AskedJudge),
}

/// What came of asking.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeAnswer {
    /// The judgement, scored or with what broke.
    pub judgement: Judgement,
    /// What kind of refusal of the provider it ran into.
    pub refusal: Option<RefusalKind>,
}

impl CaseJudge {
    /// What this trial needs.
    pub fn need(&self, evidence: &TrialEvidence<'_>) -> Need<'_> {
        let record = &self.record;
        let said = |judgement| Need::Said(Box::new(judgement));
        match (record.skip_reason, &self.asked) {
            (Some(JudgeSkipReason::Disabled), _) => Need::Nothing,
            (Some(JudgeSkipReason::NotAutomatic), _) => {
                said(pending(record, evidence, PendingKind::NotRequested))
            }
            (
                Some(
                    reason @ (JudgeSkipReason::NoModel
                    | JudgeSkipReason::NoRequest
                    | JudgeSkipReason::TrialNotCompleted),
                ),
                _,
            ) => said(skipped(record, evidence, reason)),
            (None, None) => said(skipped(record, evidence, JudgeSkipReason::NoModel)),
            (None, Some(asked)) if evidence.iteration.status == IterationStatus::Completed => {
                Need::Ask(asked)
            }
            (None, Some(_)) => said(skipped(record, evidence, JudgeSkipReason::TrialNotCompleted)),
        }
    }
}

/// Asks a judge about one trial. `secrets` are taken out of what it says. `None` when the user interrupted: then the
/// judgement is still owed.
pub async fn judge_trial(
    record: &JudgeRecord,
    asked: &AskedJudge,
    evidence: &TrialEvidence<'_>,
    secrets: &[String],
    cancel: &CancellationToken,
) -> Option<JudgeAnswer> {
    let settings = GoalSettings {
        role: record.role,
        threshold: record.threshold,
        rubric: record.rubric.clone(),
    };
    let input = goal_input(evidence, &settings);
    let mut judgement = blank_judgement(record, evidence);
    judgement.rubric_source = input.rubric_source;
    let failed = |judgement: Judgement, fault: &JudgeFault| {
        let judgement = errored(judgement, fault, None);
        Some(JudgeAnswer { judgement, refusal: None })
    };
    let request = match build_request(&input, record.threshold) {
        Ok(request) => request,
        Err(fault) => return failed(judgement, &fault),
    };
    judgement.evidence_hash = Some(request.evidence_hash.clone());
    judgement.manifest = Some(request.manifest.clone());
    if let Err(fault) = admit(&request, asked) {
        return failed(judgement, &fault);
    }
    let began = Instant::now();
    let answer = call(asked, request, evidence, cancel).await;
    judgement.duration_ms = Some(milliseconds(began.elapsed()));
    let redactor = Redactor::new(secrets.iter().cloned());
    match answer {
        Ok(turn) => {
            judgement.tokens = turn.usage.map(|usage| TokenUse {
                input: usage.input,
                output: usage.output,
                total: usage.total(),
            });
            let text = redactor.text(&turn.text);
            match parse_answer(&text, input.has_rubric(), record.threshold) {
                Ok(score) => {
                    let judgement = scored(judgement, score);
                    Some(JudgeAnswer { judgement, refusal: None })
                }
                Err(fault) => failed(judgement, &fault),
            }
        }
        Err(error) if error.kind == ModelErrorKind::Cancelled => None,
        Err(error) => {
            let fault = fault_of(&error, &redactor);
            let judgement = errored(judgement, &fault, error.status);
            Some(JudgeAnswer { judgement, refusal: error.refusal() })
        }
    }
}

/// Whether the request fits the model and the budget has a call left, which is then taken.
fn admit(request: &GoalRequest, asked: &AskedJudge) -> Result<(), JudgeFault> {
    fit(request, &asked.limits)?;
    if asked.budget.take() {
        return Ok(());
    }
    let message = "the calls that judges may make are used up".to_owned();
    Err(JudgeFault { code: JudgeErrorCode::BudgetExhausted, message })
}

/// One call without tools, under the judge's own clock.
async fn call(
    asked: &AskedJudge,
    request: GoalRequest,
    evidence: &TrialEvidence<'_>,
    cancel: &CancellationToken,
) -> Result<ModelTurn, ModelError> {
    let request = ModelRequest {
        system: Some(request.system),
        messages: vec![Message::User(request.user)],
        tools: Vec::new(),
        temperature: None,
        trial: TrialContext {
            case_id: evidence.case_id.clone(),
            trial: evidence.iteration_number,
            seed: None,
        },
    };
    let token = cancel.child_token();
    let provider = &asked.model.identity().provider;
    tokio::select! {
        biased;
        answer = asked.model.respond(&request, &token) => answer,
        () = cancel.cancelled() => Err(ModelError::new(
            ModelErrorKind::Cancelled, provider, "the judge's call was cancelled",
        )),
        () = tokio::time::sleep(asked.timeout) => {
            let seconds = asked.timeout.as_secs_f64();
            let kind = ModelErrorKind::Timeout(howfar_model::Clock::Request);
            Err(ModelError::new(kind, provider, format!("no answer within {seconds} s (judge timeout)")))
        }
    }
}

fn fault_of(error: &ModelError, redactor: &Redactor) -> JudgeFault {
    let code = match error.kind {
        ModelErrorKind::Timeout(_) => JudgeErrorCode::DeadlineExceeded,
        ModelErrorKind::Refused(_)
        | ModelErrorKind::Rejected
        | ModelErrorKind::Unreachable
        | ModelErrorKind::Disconnected
        | ModelErrorKind::Malformed
        | ModelErrorKind::Unsupported
        | ModelErrorKind::Script
        | ModelErrorKind::Cancelled => JudgeErrorCode::CallFailed,
    };
    let text = redactor.text(&error.to_string());
    let message = match error.status {
        Some(status) => format!("HTTP status {status}: {text}"),
        None => text,
    };
    JudgeFault { code, message }
}
