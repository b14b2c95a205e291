//! Whether a friction document is sound, on writing and on reading (friction, section A13).

use howfar_wire::friction::{
    FRICTION_VERSION, FrictionDocument, FrictionSignal, MAX_KEY_PATHS, MAX_PAGINATION_KEYS,
    MAX_REPEAT_INDEXES, MAX_SIGNALS, MIN_LATER_CALLS,
};

use crate::problem::{Problem, Problems};

/// Everything that is wrong with a document whose shape is right.
///
/// # Errors
///
/// The problems, each with the path of the offending key.
pub(super) fn check_document(document: &FrictionDocument) -> Result<(), Vec<Problem>> {
    let mut problems = Problems::default();
    if document.version != FRICTION_VERSION {
        problems.add("version", format!("is not {FRICTION_VERSION}"));
    }
    check_counts(document, &mut problems);
    if document.gap().is_some() && !document.signals.is_empty() {
        problems.add("signals", "stand in a document that is not measured");
    }
    if document.signals.len() > MAX_SIGNALS {
        problems.add("signals", format!("holds more than {MAX_SIGNALS} signals"));
    }
    for (at, signal) in document.signals.iter().enumerate() {
        check_signal(document, signal, &format!("signals.{at}"), &mut problems);
    }
    check_order(&document.signals, &mut problems);
    problems.or(())
}

fn check_counts(document: &FrictionDocument, problems: &mut Problems) {
    let counts = [
        ("resultAvailableCount", document.result_available_count),
        ("timedCallCount", document.timed_call_count),
    ];
    for (key, count) in counts {
        if count > document.call_count {
            problems.add(key, "is more than callCount");
        }
    }
}

fn check_signal(
    document: &FrictionDocument,
    signal: &FrictionSignal,
    path: &str,
    problems: &mut Problems,
) {
    if signal.kind().needs_results() && document.identifier_gap().is_some() {
        problems.add(path, "needs results, and the identifier half is not measured");
    }
    if signal.tool_name().is_empty() {
        problems.add(format!("{path}.toolName"), "is empty");
    }
    if signal.observation().0 >= document.call_count {
        problems.add(path, "names a call that the trial does not have");
    }
    if signal.anchor() >= signal.observation() {
        problems.add(path, "starts at or after the call with which it is seen");
    }
    match signal {
        FrictionSignal::IdentifierSurfacedUnused(unused) => {
            check_call_id(unused.tool_call_id.as_deref(), path, problems);
            check_paths(&unused.identifier_key_paths, unused.identifier_count, path, problems);
            if unused.later_call_count < MIN_LATER_CALLS {
                problems.add(format!("{path}.laterCallCount"), "is less than 2");
            }
        }
        FrictionSignal::SearchRepeatedAfterIdentifier(repeated) => {
            check_call_id(repeated.tool_call_id.as_deref(), path, problems);
            check_paths(&repeated.identifier_key_paths, repeated.identifier_count, path, problems);
            let repeats = &repeated.repeat_call_indexes;
            check_len(repeats.len(), 1, MAX_REPEAT_INDEXES, path, "repeatCallIndexes", problems);
            if repeats.iter().any(|index| *index > repeated.observed_at_call_index) {
                problems.add(format!("{path}.repeatCallIndexes"), "go beyond the observed call");
            }
        }
        FrictionSignal::IdenticalRetry(_) | FrictionSignal::ChangedRetry(_) => {}
        FrictionSignal::PaginationContinuation(page) => {
            let len = page.pagination_keys.len();
            check_len(len, 1, MAX_PAGINATION_KEYS, path, "paginationKeys", problems);
        }
    }
}

fn check_call_id(id: Option<&str>, path: &str, problems: &mut Problems) {
    if id.is_some_and(str::is_empty) {
        problems.add(format!("{path}.toolCallId"), "is empty");
    }
}

fn check_paths(paths: &[String], count: u64, path: &str, problems: &mut Problems) {
    check_len(paths.len(), 0, MAX_KEY_PATHS, path, "identifierKeyPaths", problems);
    if paths.iter().any(String::is_empty) {
        problems.add(format!("{path}.identifierKeyPaths"), "holds an empty path");
    }
    if count == 0 {
        problems.add(format!("{path}.identifierCount"), "is less than 1");
    }
}

fn check_len(len: usize, min: usize, max: usize, path: &str, key: &str, problems: &mut Problems) {
    if !(min..=max).contains(&len) {
        problems.add(format!("{path}.{key}"), format!("does not hold {min} to {max} entries"));
    }
}

fn check_order(signals: &[FrictionSignal], problems: &mut Problems) {
    for (at, pair) in signals.windows(2).enumerate() {
        if pair[1].observation() < pair[0].observation() {
            problems.add(format!("signals.{}", at + 1), "is seen before the signal above it");
        }
    }
}
