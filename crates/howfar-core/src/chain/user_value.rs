//! Was the user's request satisfied (derivation 6.6)?

use howfar_wire::chain::{JudgeEvidence, JudgeStatus, JudgeVerdict, PendingKind, StageRow};
use howfar_wire::vocabulary::{Stage, StageReason as Reason};

use super::facts::Facts;
use super::rows::{Citing as _, failed, not_measured, passed};

const STAGE: Stage = Stage::UserValue;

/// `judge` is absent also when an earlier stage failed: then a judge has nothing to say.
pub(super) fn row<D>(facts: &Facts<'_, '_, D>, judge: Option<&JudgeEvidence<'_>>) -> StageRow {
    if facts.evidence.evaluator_errored {
        not_measured(STAGE, Reason::EvaluatorError)
    } else if facts.checks.failed(STAGE) {
        failed(STAGE, Reason::PredicateFailed).citing_reasons(facts.failed_checks(STAGE))
    } else if facts.checks.deciding(STAGE) {
        passed(STAGE, Reason::Observed)
    } else if facts.evidence.trace_absent {
        not_measured(STAGE, Reason::TraceAbsent)
    } else {
        judge.and_then(judged_row).unwrap_or(not_measured(STAGE, Reason::NoEvidenceCaptured))
    }
}

/// The row a judge decides or keeps open; `None` when its evidence says nothing.
fn judged_row(judge: &JudgeEvidence<'_>) -> Option<StageRow> {
    let row = match judge.status {
        JudgeStatus::Scored => match judge.verdict? {
            JudgeVerdict::Pass => passed(STAGE, Reason::JudgeObserved),
            JudgeVerdict::Partial => failed(STAGE, Reason::JudgePartial),
            JudgeVerdict::Fail => failed(STAGE, Reason::JudgeFailed),
        },
        JudgeStatus::Error => not_measured(STAGE, Reason::EvaluatorError),
        JudgeStatus::Pending => match judge.pending_kind {
            Some(PendingKind::NotRequested) => not_measured(STAGE, Reason::JudgeNotRequested),
            Some(PendingKind::Scheduled) | None => not_measured(STAGE, Reason::JudgePending),
        },
        JudgeStatus::Skipped | JudgeStatus::NotApplicable => return None,
    };
    Some(row.citing_reasons(judge.reasons.iter().map(|reason| &**reason)))
}
