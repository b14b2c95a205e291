//! Were tools listed, and does the catalog hold up (derivation 6.2)?

use howfar_wire::chain::{SetupSignal, StageRow};
use howfar_wire::vocabulary::{Attribution, SetupOutcome, Stage, StageReason as Reason};

use super::facts::Facts;
use super::rows::{Citing as _, failed, not_measured, passed};

const STAGE: Stage = Stage::Discovery;

/// Unlike for the connection, a failed signal outranks later evidence.
pub(super) fn row<D>(facts: &Facts<'_, '_, D>) -> StageRow {
    let signal = facts.discovery_signal;
    let outcome = signal.map(|signal| signal.outcome);
    if let Some(signal) = signal.filter(|signal| signal.outcome == SetupOutcome::Failed) {
        failed_signal_row(signal, reached(facts))
    } else if facts.checks.failed(STAGE) {
        failed(STAGE, Reason::PredicateFailed).citing_reasons(facts.failed_checks(STAGE))
    } else if let (Some(signal), Some(SetupOutcome::Ok)) = (signal, outcome) {
        passed(STAGE, Reason::Observed).citing_signal(signal)
    } else if facts.tools_listed() || facts.checks.deciding(STAGE) {
        passed(STAGE, Reason::Observed)
    } else if facts.spans.tool {
        let spans = facts.tool_spans(|_| true);
        passed(STAGE, Reason::ImpliedByLaterEvidence).citing_spans(spans)
    } else if facts.evidence.trace_absent {
        not_measured(STAGE, Reason::TraceAbsent)
    } else {
        not_measured(STAGE, Reason::NoEvidenceCaptured)
    }
}

/// A discovery signal never proves that the server was reached.
fn reached<D>(facts: &Facts<'_, '_, D>) -> bool {
    let connected = facts.connection_signal.is_some_and(|it| it.outcome == SetupOutcome::Ok);
    connected || facts.tools_listed() || facts.spans.reaching
}

fn failed_signal_row(signal: &SetupSignal<'_>, reached: bool) -> StageRow {
    let row = match signal.attribution {
        Some(Attribution::Theirs) if reached => failed(STAGE, Reason::ToolsListFailed),
        Some(Attribution::Ours) => not_measured(STAGE, Reason::SetupAborted),
        Some(Attribution::Theirs | Attribution::Unknown) | None => {
            not_measured(STAGE, Reason::EgressUnverified)
        }
    };
    row.citing_signal(signal)
}
