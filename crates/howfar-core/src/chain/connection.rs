//! Was the server reached and a session initialized (derivation 6.1)?

use howfar_wire::chain::{SetupSignal, StageRow};
use howfar_wire::vocabulary::{Attribution, SetupOutcome, Stage, StageReason as Reason};

use super::facts::{Facts, is_reaching};
use super::rows::{Citing as _, failed, not_measured, passed};

const STAGE: Stage = Stage::Connection;

pub(super) fn row<D>(facts: &Facts<'_, '_, D>) -> StageRow {
    let signal = facts.connection_signal;
    if let Some(signal) = signal.filter(|signal| signal.outcome == SetupOutcome::Ok) {
        passed(STAGE, Reason::Observed).citing_signal(signal)
    } else if facts.spans.reaching {
        let reaching = facts.tool_spans(is_reaching);
        passed(STAGE, Reason::ImpliedByLaterEvidence).citing_spans(reaching)
    } else if facts.tools_listed() {
        passed(STAGE, Reason::ImpliedByLaterEvidence)
    } else if let Some(signal) = signal {
        failed_signal_row(signal)
    } else if facts.evidence.trace_absent {
        not_measured(STAGE, Reason::TraceAbsent)
    } else {
        not_measured(STAGE, Reason::NoEvidenceCaptured)
    }
}

/// Only an egress canary that succeeded turns a failure on their side into a failed connection.
fn failed_signal_row(signal: &SetupSignal<'_>) -> StageRow {
    let row = match (signal.attribution, signal.egress_verified) {
        (Some(Attribution::Theirs), Some(true)) => failed(STAGE, Reason::ConnectFailed),
        (Some(Attribution::Theirs), Some(false) | None)
        | (Some(Attribution::Unknown) | None, Some(_) | None) => {
            not_measured(STAGE, Reason::EgressUnverified)
        }
        (Some(Attribution::Ours), Some(_) | None) => not_measured(STAGE, Reason::SetupAborted),
    };
    row.citing_signal(signal)
}
