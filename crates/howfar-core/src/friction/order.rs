//! The order of signals in a document, and which ones a long list keeps (friction, section A13).

use howfar_wire::Vocabulary as _;
use howfar_wire::canon::utf16_cmp;
use howfar_wire::friction::{FrictionSignal, MAX_SIGNALS};
use howfar_wire::vocabulary::FrictionSignalKind;

/// Signals by observation, kind, anchor and tool, cut to the cap.
pub(super) fn in_document_order(mut signals: Vec<FrictionSignal>) -> Vec<FrictionSignal> {
    signals.sort_by(|a, b| {
        let key = |signal: &FrictionSignal| (signal.observation(), signal.kind(), signal.anchor());
        key(a).cmp(&key(b)).then_with(|| utf16_cmp(a.tool_name(), b.tool_name()))
    });
    if signals.len() > MAX_SIGNALS { capped(signals) } else { signals }
}

/// The first signal of every kind, then the earliest others. A kind that comes late is never cut.
fn capped(signals: Vec<FrictionSignal>) -> Vec<FrictionSignal> {
    let first_of_kind =
        |kind: &FrictionSignalKind| signals.iter().position(|signal| signal.kind() == *kind);
    let firsts: Vec<usize> = FrictionSignalKind::ALL.iter().filter_map(first_of_kind).collect();
    let mut free = MAX_SIGNALS - firsts.len();
    let mut is_kept = |at: usize| {
        if firsts.contains(&at) {
            return true;
        }
        let is_kept = free > 0;
        free = free.saturating_sub(1);
        is_kept
    };
    signals
        .into_iter()
        .enumerate()
        .filter(|(at, _)| is_kept(*at))
        .map(|(_, signal)| signal)
        .collect()
}
