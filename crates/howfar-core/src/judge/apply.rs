//! What a judgement does to a trial: its row, the judge's part of the evidence, and the trial's verdict (suite and runner,
//! section B15; derivation, section 6.6).
//!
//! An advisory judge leaves a row and nothing else. A required one says what the chain reads at User value, and a trial
//! passes only when it does too. A required judge that broke, or that is still owed, makes the trial ungradeable.

use howfar_wire::chain::{AuthoredMode, JudgeEvidence, JudgeStatus, PendingKind, Text};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::Judgement;
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role, ScorecardRow};
use howfar_wire::vocabulary::{Grader, IterationStatus, TaskVerdict, Vocabulary as _};

/// The trial with this judgement, in place of the one that it may have.
pub fn judged(evidence: TrialEvidence<'static>, judgement: Judgement) -> TrialEvidence<'static> {
    let mut evidence = unjudged(evidence);
    evidence.checks.push(row(&judgement));
    if judgement.role == Role::Required {
        decide(&mut evidence, &judgement);
    }
    evidence.judge = Some(judgement);
    evidence
}

/// The trial without any judgement: what every other grader decided.
pub fn unjudged(mut evidence: TrialEvidence<'static>) -> TrialEvidence<'static> {
    let Some(judgement) = evidence.judge.take() else { return evidence };
    evidence.checks.retain(|row| row.provenance != Provenance::Judge);
    if judgement.role == Role::Required {
        evidence.evidence.judge_evidence = None;
        evidence.authored.has_user_ask = None;
        evidence.task_verdict = evidence.checks_verdict.take();
        evidence.evaluator_error = evidence.iteration.status == IterationStatus::Completed
            && evidence.task_verdict.is_none();
    }
    evidence
}

fn decide(evidence: &mut TrialEvidence<'static>, judgement: &Judgement) {
    // Somebody asked for something, and a required judge says whether it was reached: the link applies.
    if evidence.authored.mode == AuthoredMode::ModelDriven {
        evidence.authored.has_user_ask = Some(true);
    }
    evidence.evidence.judge_evidence = Some(JudgeEvidence {
        status: judgement.status,
        pending_kind: judgement.pending_kind,
        verdict: judgement.verdict,
        reasons: reasons(judgement).into_iter().map(Text::from).collect(),
    });
    if evidence.iteration.status != IterationStatus::Completed {
        return;
    }
    evidence.checks_verdict = evidence.task_verdict.take();
    evidence.task_verdict = match (evidence.checks_verdict, judge_holds(judgement)) {
        (Some(TaskVerdict::Passed), Some(true)) => Some(TaskVerdict::Passed),
        (Some(TaskVerdict::Failed), Some(true)) | (Some(_), Some(false)) => {
            Some(TaskVerdict::Failed)
        }
        (None, Some(_)) | (Some(_) | None, None) => None,
    };
    evidence.evaluator_error = evidence.task_verdict.is_none();
}

/// Whether a required judge lets the trial pass; `None` when it gave no score that could say so.
fn judge_holds(judgement: &Judgement) -> Option<bool> {
    match (judgement.status, judgement.pending_kind) {
        (JudgeStatus::Scored, _) => judgement.passed,
        // Nobody asked: the judge is no grader of this trial.
        (JudgeStatus::Pending, Some(PendingKind::NotRequested))
        | (JudgeStatus::NotApplicable, _) => Some(true),
        (JudgeStatus::Pending, Some(PendingKind::Scheduled) | None)
        | (JudgeStatus::Error | JudgeStatus::Skipped, _) => None,
    }
}

/// What the judge says, the summary first, then what it found missing.
fn reasons(judgement: &Judgement) -> Vec<String> {
    let missing = judgement.rubric_hits.iter().filter(|hit| hit.starts_with("missing: "));
    let error = judgement.error.as_ref().map(|error| format!("{}: {}", error.code, error.message));
    judgement.reason.iter().cloned().chain(error).chain(missing.cloned()).collect()
}

fn row(judgement: &Judgement) -> ScorecardRow {
    let grader = Grader::JudgeGoalCompletion;
    let outcome = match (judgement.status, judgement.passed) {
        (JudgeStatus::Scored, Some(true)) => CheckOutcome::Passed,
        (JudgeStatus::Scored, Some(false)) => CheckOutcome::Failed,
        // A score that nobody held against the threshold decided nothing.
        (JudgeStatus::Scored, None) | (JudgeStatus::Error, _) => CheckOutcome::Error,
        (JudgeStatus::Skipped | JudgeStatus::NotApplicable | JudgeStatus::Pending, _) => {
            CheckOutcome::NotMeasured
        }
    };
    ScorecardRow {
        stage: grader.stage(),
        check: grader.as_str().to_owned(),
        provenance: Provenance::Judge,
        step: None,
        role: Some(judgement.role),
        outcome,
        reason: reason_line(judgement),
        expected: None,
        actual: None,
    }
}

fn reason_line(judgement: &Judgement) -> String {
    match judgement.status {
        JudgeStatus::Scored => format!(
            "scored {} of 1, passes from {}: {}",
            judgement.score.unwrap_or_default(),
            judgement.threshold,
            judgement.reason.as_deref().unwrap_or_default()
        ),
        JudgeStatus::Error => reasons(judgement).into_iter().next().unwrap_or_default(),
        JudgeStatus::Skipped => {
            judgement.skip_reason.map_or("left out", |reason| reason.label()).to_owned()
        }
        JudgeStatus::NotApplicable => "nothing to judge".to_owned(),
        JudgeStatus::Pending => match judgement.pending_kind {
            Some(PendingKind::NotRequested) => "the judge was not asked".to_owned(),
            Some(PendingKind::Scheduled) | None => "the judge has not answered".to_owned(),
        },
    }
}
