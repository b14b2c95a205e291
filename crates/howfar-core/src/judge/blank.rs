//! Judgements by status. What a status does not have is absent.

use howfar_suite::plan::{GoalScore, GoalVerdict};
use howfar_wire::canon;
use howfar_wire::chain::{JudgeStatus, JudgeVerdict, PendingKind};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::{
    JUDGEMENT_KIND, JUDGEMENT_SCHEMA_VERSION, JudgeError, JudgeRecord, JudgeSkipReason, Judgement,
};

use super::JudgeFault;

/// The longest reason, in UTF-16 units (run-documents, section 2.2).
const MAX_REASON: usize = 2000;
/// The most hits, and the longest one.
const MAX_HITS: (usize, usize) = (20, 300);
/// The longest error text.
const MAX_ERROR: usize = 500;

/// A judgement of a trial that says nothing yet: status `pending`, owed.
pub fn blank_judgement(judge: &JudgeRecord, evidence: &TrialEvidence<'_>) -> Judgement {
    Judgement {
        schema_version: JUDGEMENT_SCHEMA_VERSION,
        kind: JUDGEMENT_KIND.to_owned(),
        case_id: evidence.case_id.clone(),
        iteration_number: evidence.iteration_number,
        role: judge.role,
        threshold: judge.threshold,
        identity: judge.identity.clone(),
        model: judge.model.clone(),
        scripted: judge.scripted,
        status: JudgeStatus::Pending,
        pending_kind: Some(PendingKind::Scheduled),
        skip_reason: None,
        error: None,
        score: None,
        passed: None,
        verdict: None,
        reason: None,
        rubric_hits: Vec::new(),
        rubric_source: None,
        evidence_hash: None,
        manifest: None,
        tokens: None,
        duration_ms: None,
    }
}

/// A judgement that is owed, or that nobody asked for.
pub fn pending(judge: &JudgeRecord, evidence: &TrialEvidence<'_>, kind: PendingKind) -> Judgement {
    Judgement { pending_kind: Some(kind), ..blank_judgement(judge, evidence) }
}

/// A judgement that is left out on purpose.
pub fn skipped(
    judge: &JudgeRecord,
    evidence: &TrialEvidence<'_>,
    reason: JudgeSkipReason,
) -> Judgement {
    Judgement {
        status: JudgeStatus::Skipped,
        pending_kind: None,
        skip_reason: Some(reason),
        ..blank_judgement(judge, evidence)
    }
}

/// The judgement with what broke: an evaluator error, never a low score.
pub fn errored(judgement: Judgement, fault: &JudgeFault, http_status: Option<u16>) -> Judgement {
    let message = match canon::is_blank(&fault.message) {
        true => "unknown error".to_owned(),
        false => cut(&fault.message, MAX_ERROR),
    };
    Judgement {
        status: JudgeStatus::Error,
        pending_kind: None,
        error: Some(JudgeError { code: fault.code, message, http_status }),
        ..judgement
    }
}

/// The judgement with its score.
pub fn scored(judgement: Judgement, score: GoalScore) -> Judgement {
    let hits = score.rubric_hits.iter().take(MAX_HITS.0).map(|hit| cut(hit, MAX_HITS.1));
    Judgement {
        status: JudgeStatus::Scored,
        pending_kind: None,
        score: Some(score.score),
        passed: Some(score.passed),
        verdict: Some(match score.verdict {
            GoalVerdict::Pass => JudgeVerdict::Pass,
            GoalVerdict::Partial => JudgeVerdict::Partial,
            GoalVerdict::Fail => JudgeVerdict::Fail,
        }),
        reason: Some(cut(&score.reason, MAX_REASON)),
        rubric_hits: hits.collect(),
        ..judgement
    }
}

fn cut(text: &str, units: usize) -> String {
    if canon::utf16_len(text) <= units {
        return text.to_owned();
    }
    format!("{}…", canon::utf16_prefix(text, units - 1))
}
