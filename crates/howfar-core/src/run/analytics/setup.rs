//! What all copies of a setup signal say about the one attempt behind them (run-documents 7.5).

use std::collections::BTreeSet;

use howfar_wire::analytics::{PhaseSignal, SetupTally};
use howfar_wire::measurement::LatencyBasis;
use howfar_wire::vocabulary::{Attribution, SetupOutcome, Stage};

use super::tally::add_sample;

/// The setup phases that occurred, in phase order.
pub(super) fn tallies(signals: &[PhaseSignal]) -> Vec<SetupTally> {
    let phases = [Stage::Connection, Stage::Discovery];
    phases.into_iter().filter_map(|phase| tally(phase, signals)).collect()
}

fn tally(phase: Stage, signals: &[PhaseSignal]) -> Option<SetupTally> {
    let copies: Vec<_> = signals.iter().filter(|signal| signal.phase == Some(phase)).collect();
    if copies.is_empty() {
        return None;
    }
    let failed: Vec<_> =
        copies.iter().copied().filter(|signal| signal.outcome == SetupOutcome::Failed).collect();
    let theirs = agreed(failed.iter().map(|signal| signal.attribution));
    let verified = agreed(failed.iter().map(|signal| signal.egress_verified));
    let server_attributed = theirs == Some(Attribution::Theirs) && verified == Some(true);
    let impacted: BTreeSet<_> = failed.iter().filter_map(|it| it.trial_key.as_deref()).collect();
    let mut latency = None;
    if let Some(time) = agreed_duration(&copies) {
        add_sample(&mut latency, LatencyBasis::SetupPhaseWall, time);
    }
    Some(SetupTally {
        phase,
        unique_attempts: 1,
        failed_attempts: u64::from(!failed.is_empty()),
        server_attributed_failures: u64::from(server_attributed),
        impacted_trials: impacted.len() as u64,
        latency,
    })
}

/// What all copies say; nothing when they differ, or when the first says nothing.
fn agreed<T: PartialEq>(mut said: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = said.next()??;
    said.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The time that all copies with a usable one name.
fn agreed_duration(copies: &[&PhaseSignal]) -> Option<f64> {
    let usable = |time: &f64| time.is_finite() && *time >= 0.0;
    agreed(copies.iter().filter_map(|signal| signal.duration_ms.filter(usable)).map(Some))
}
