//! The audit record of a run's setup, kept under one metadata key (derivation, section 10).

use howfar_wire::canon;
use howfar_wire::chain::{SetupSignal, SetupSignals};
use serde_json::{Value, json};

/// How many bytes of compact JSON an audit record has at most, its mark of truncation aside.
pub const MAX_AUDIT_BYTES: usize = 2048;

/// What the egress canary of a run did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EgressCanary {
    /// Whether our network path was shown to work; `None` when the canary did not run.
    pub ok: Option<bool>,
    /// When it ran, in milliseconds since the epoch; `None` when it did not.
    pub at_ms: Option<u64>,
}

/// `{signals, egressCanary: {ran, ok?, at?}}`. Over the limit, explanations are dropped first, then span ids, and
/// `truncated` is `true`.
pub fn setup_audit(signals: &SetupSignals<'_>, canary: EgressCanary) -> Value {
    let full = record(signals, canary, false);
    if canon::stringify(&full).len() <= MAX_AUDIT_BYTES {
        return full;
    }
    let without_reasons = each(signals, |signal| signal.reasons.clear());
    let shorter = record(&without_reasons, canary, true);
    if canon::stringify(&shorter).len() <= MAX_AUDIT_BYTES {
        return shorter;
    }
    let without_ids = each(&without_reasons, |signal| signal.span_ids.clear());
    record(&without_ids, canary, true)
}

fn record(signals: &SetupSignals<'_>, canary: EgressCanary, truncated: bool) -> Value {
    let signals = serde_json::to_value(signals).expect("signals hold nothing but JSON");
    let mut egress = json!({ "ran": canary.ok.is_some() });
    if let Some(ok) = canary.ok {
        egress["ok"] = json!(ok);
    }
    if let Some(at) = canary.at_ms {
        egress["at"] = json!(at);
    }
    let mut record = json!({ "signals": signals, "egressCanary": egress });
    if truncated {
        record["truncated"] = json!(true);
    }
    record
}

fn each<'a>(signals: &SetupSignals<'a>, change: impl Fn(&mut SetupSignal<'a>)) -> SetupSignals<'a> {
    let mut signals = signals.clone();
    signals.connection.iter_mut().chain(signals.discovery.iter_mut()).for_each(change);
    signals
}

#[cfg(test)]
mod tests {
    use super::super::{PhaseOutcome, ServerSetup, SetupFailure, fold_setup};
    use super::*;

    fn audit(servers: usize, message: &str) -> Value {
        let failure = Some(SetupFailure::from_message(message));
        let connect = Some(PhaseOutcome { failure, started_at_ms: 0.0, ended_at_ms: 1.0 });
        let named =
            |at| ServerSetup { name: format!("s{at}"), connect: connect.clone(), list: None };
        let servers: Vec<_> = (0..servers).map(named).collect();
        let signals = fold_setup(&servers, None).expect("servers are configured");
        setup_audit(&signals, EgressCanary { ok: None, at_ms: None })
    }

    #[test]
    fn a_small_record_is_whole() {
        let record = audit(1, "odd");
        assert_eq!(record["signals"]["connection"]["reasons"], json!(["\"s0\": odd"]));
        assert_eq!(record["egressCanary"], json!({"ran": false}));
        assert_eq!(record.get("truncated"), None);
    }

    #[test]
    fn a_large_record_loses_its_explanations_first() {
        let record = audit(12, &"x".repeat(300));
        assert_eq!(record["signals"]["connection"].get("reasons"), None);
        assert_eq!(record["signals"]["connection"]["spanIds"][4], "run-connect-s4");
        assert_eq!(record["truncated"], true);
    }
}
