//! From the outcomes of single servers to one signal per phase (derivation, sections 10 and 11).

use howfar_wire::canon;
use howfar_wire::chain::{MAX_EVIDENCE_ITEMS, SetupSignal, SetupSignals, Text};
use howfar_wire::vocabulary::{Attribution, SetupOutcome, Stage};
use serde_json::Number;

use super::attribution::attribute_failure;
use super::failure::SetupFailure;

/// How many UTF-16 code units one explanation has at most.
pub const MAX_REASON_LINE_UNITS: usize = 240;

/// How setting up one configured server went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServerSetup {
    /// The server's name.
    pub name: String,
    /// Connecting; absent when it was never observed.
    pub connect: Option<PhaseOutcome>,
    /// Listing the tools; absent when it was never observed.
    pub list: Option<PhaseOutcome>,
}

/// How one phase went for one server.
#[derive(Debug, Clone, PartialEq)]
pub struct PhaseOutcome {
    /// What broke; `None` when nothing did.
    pub failure: Option<SetupFailure>,
    /// When it began, in milliseconds on a clock common to all servers.
    pub started_at_ms: f64,
    /// When it ended, on the same clock.
    pub ended_at_ms: f64,
}

/// The signals over all configured servers, in configured order; `None` when no server is configured.
///
/// `egress_verified` is what the egress canary found; `None` when it did not run. It is noted only on a connection that
/// failed on the servers' side. A phase that ran for no server has no signal.
pub fn fold_setup(
    servers: &[ServerSetup],
    egress_verified: Option<bool>,
) -> Option<SetupSignals<'static>> {
    if servers.is_empty() {
        return None;
    }
    let mut connection = fold_phase(servers, Stage::Connection, |server| server.connect.as_ref());
    if let Some(signal) = &mut connection
        && signal.attribution == Some(Attribution::Theirs)
    {
        signal.egress_verified = egress_verified;
    }
    let discovery = fold_phase(servers, Stage::Discovery, |server| server.list.as_ref());
    Some(SetupSignals { connection, discovery })
}

/// Whether the egress canary has anything to say: connecting failed, and only on the servers' side.
pub fn wants_canary(servers: &[ServerSetup]) -> bool {
    let signals = fold_setup(servers, None);
    let connection = signals.and_then(|signals| signals.connection);
    connection.is_some_and(|signal| signal.attribution == Some(Attribution::Theirs))
}

/// The id of the timeline span of a server's setup: `run-connect-<server>` or `run-toolslist-<server>`.
pub fn setup_span_id(phase: Stage, server: &str) -> String {
    match phase {
        Stage::Connection => format!("run-connect-{server}"),
        Stage::Discovery | Stage::Selection | Stage::Call | Stage::Response | Stage::UserValue => {
            format!("run-toolslist-{server}")
        }
    }
}

fn fold_phase(
    servers: &[ServerSetup],
    phase: Stage,
    outcome: impl Fn(&ServerSetup) -> Option<&PhaseOutcome>,
) -> Option<SetupSignal<'static>> {
    let outcomes: Vec<_> = servers.iter().map(|server| (&*server.name, outcome(server))).collect();
    if outcomes.iter().all(|(_, outcome)| outcome.is_none()) {
        return None;
    }
    let failures: Vec<_> = outcomes
        .iter()
        .filter_map(|(name, outcome)| Some((*name, outcome.as_ref()?.failure.as_ref()?)))
        .collect();
    let unobserved = outcomes.iter().any(|(_, outcome)| outcome.is_none());
    let ok = failures.is_empty() && !unobserved;
    let ids = failures.iter().map(|(name, _)| Text::from(setup_span_id(phase, name)));
    Some(SetupSignal {
        outcome: if ok { SetupOutcome::Ok } else { SetupOutcome::Failed },
        attribution: (!ok).then(|| worst_attribution(&failures, unobserved)),
        egress_verified: None,
        span_ids: ids.take(MAX_EVIDENCE_ITEMS).collect(),
        duration_ms: wall_time(&outcomes).and_then(milliseconds),
        reasons: failures.iter().map(|(name, failure)| reason_line(name, failure)).collect(),
    })
}

/// Ours if any failure is; else unknown if any is, or if a server was never observed; else theirs.
fn worst_attribution(failures: &[(&str, &SetupFailure)], unobserved: bool) -> Attribution {
    let sides: Vec<_> = failures.iter().map(|(_, failure)| attribute_failure(failure)).collect();
    if sides.contains(&Attribution::Ours) {
        Attribution::Ours
    } else if unobserved || sides.contains(&Attribution::Unknown) {
        Attribution::Unknown
    } else {
        Attribution::Theirs
    }
}

/// Latest end minus earliest start; `None` when a server was never observed or an interval runs backwards.
fn wall_time(outcomes: &[(&str, Option<&PhaseOutcome>)]) -> Option<f64> {
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, outcome) in outcomes {
        let PhaseOutcome { failure: _, started_at_ms, ended_at_ms } = (*outcome)?;
        if started_at_ms > ended_at_ms {
            return None;
        }
        first = first.min(*started_at_ms);
        last = last.max(*ended_at_ms);
    }
    Some(last - first)
}

/// A whole number of milliseconds is written without a fraction; a time that is not finite is left out.
fn milliseconds(time: f64) -> Option<Number> {
    let whole = time.fract() == 0.0 && time.abs() < 9_007_199_254_740_992.0;
    if whole { Some(Number::from(time as i64)) } else { Number::from_f64(time) }
}

/// `"name": message`, cut to 240 UTF-16 units.
fn reason_line(name: &str, failure: &SetupFailure) -> Text<'static> {
    let message = failure.chain().map(|failure| canon::es_trim(&failure.message));
    let message = message.into_iter().find(|message| !message.is_empty());
    let code = failure.chain().find_map(|failure| failure.code.as_deref());
    let line = format!("\"{name}\": {}", message.or(code).unwrap_or("failed without a message"));
    Text::from(canon::shortened(&line, MAX_REASON_LINE_UNITS).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(failure: Option<SetupFailure>) -> Option<PhaseOutcome> {
        Some(PhaseOutcome { failure, started_at_ms: 0.0, ended_at_ms: 2.5 })
    }

    fn server(name: &str, connect: Option<PhaseOutcome>) -> ServerSetup {
        ServerSetup { name: name.to_owned(), connect, list: None }
    }

    fn refused() -> Option<PhaseOutcome> {
        settled(Some(SetupFailure::from_message("connect ECONNREFUSED 127.0.0.1:9")))
    }

    #[test]
    fn the_canary_is_asked_only_when_the_failure_is_theirs() {
        assert!(wants_canary(&[server("a", settled(None)), server("b", refused())]));
        assert!(!wants_canary(&[server("a", None), server("b", refused())]));
        assert!(!wants_canary(&[server("a", settled(None))]));
    }

    #[test]
    fn the_canary_is_noted_on_the_connection_alone() {
        let failing = ServerSetup { list: refused(), ..server("a", refused()) };
        let signals = fold_setup(&[failing], Some(true)).expect("a server is configured");
        let egress = |signal: Option<SetupSignal<'_>>| signal.and_then(|it| it.egress_verified);
        assert_eq!(egress(signals.connection), Some(true));
        assert_eq!(egress(signals.discovery), None);
    }

    #[test]
    fn an_explanation_names_the_server_in_double_quotes() {
        let long = settled(Some(SetupFailure::from_message("x".repeat(300))));
        let signals = fold_setup(&[server("a", refused()), server("b", long)], None);
        let reasons = signals.and_then(|signals| signals.connection).expect("a signal").reasons;
        assert_eq!(reasons[0], "\"a\": connect ECONNREFUSED 127.0.0.1:9");
        assert_eq!(canon::utf16_len(&reasons[1]), MAX_REASON_LINE_UNITS);
    }

    #[test]
    fn a_phase_that_ran_for_nobody_has_no_signal() {
        let signals = fold_setup(&[server("a", settled(None))], None).expect("a server");
        assert_eq!(signals.discovery, None);
        assert_eq!(fold_setup(&[], Some(true)), None);
    }
}
