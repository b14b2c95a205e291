//! Stored friction documents (friction, sections A13 and A14).

use howfar_wire::Vocabulary as _;
use howfar_wire::friction::{
    CallIndex, FrictionDocument, FrictionMeasurement, FrictionProjection, FrictionSignal,
    IdentifierMeasurement, IdentifierUnused, PaginationContinuation, Retry, SearchRepeated, Stored,
};
use howfar_wire::vocabulary::{FrictionSignalKind, PaginationKey, RateState};
use serde_json::Value;

use super::check::check_document;
use super::closed::{Closed, integer};
use super::condition::validate_condition;
use crate::problem::{Problem, Problems};

/// A sound document, or everything that is wrong with it. The same rules hold on writing and on reading.
///
/// # Errors
///
/// The problems, each with the path of the offending key. Rules across keys are looked at once every shape is right.
pub fn validate_friction(document: &Value) -> Result<FrictionDocument, Vec<Problem>> {
    let mut problems = Problems::default();
    let read = document_of(document, &mut problems);
    match (read, problems.into_list()) {
        (Some(document), problems) if problems.is_empty() => {
            check_document(&document).map(|()| document)
        }
        (_, problems) => Err(problems),
    }
}

/// What readers see of the friction in a trial's metadata. A missing document was never measured: it is not zero.
pub fn project_friction(metadata: &Value) -> FrictionProjection {
    FrictionProjection {
        signals: stored(metadata, "frictionSignals", validate_friction),
        condition: stored(metadata, "suspectedConditionVerdict", validate_condition),
    }
}

fn stored<T>(
    metadata: &Value,
    key: &str,
    validate: fn(&Value) -> Result<T, Vec<Problem>>,
) -> Stored<T> {
    match metadata.get(key).map(validate) {
        None => Stored::Absent,
        Some(Ok(document)) => Stored::Sound(document),
        Some(Err(_)) => Stored::Unverified,
    }
}

const DOCUMENT_KEYS: [&str; 8] = [
    "version",
    "state",
    "notMeasuredReason",
    "callCount",
    "resultAvailableCount",
    "timedCallCount",
    "identifierSignals",
    "signals",
];

fn document_of(value: &Value, problems: &mut Problems) -> Option<FrictionDocument> {
    let mut object = Closed::open(value, "", &DOCUMENT_KEYS, problems)?;
    let version = object.integer("version");
    let measurement = match state(&mut object, "notMeasuredReason") {
        Some(RateState::Measured) => Some(FrictionMeasurement::Measured),
        Some(RateState::NotMeasured) => object
            .member("notMeasuredReason")
            .map(|reason| FrictionMeasurement::NotMeasured { reason }),
        None => None,
    };
    let call_count = object.integer("callCount");
    let result_available_count = object.integer("resultAvailableCount");
    let timed_call_count = object.integer("timedCallCount");
    let identifier_signals = object.nested("identifierSignals", identifier_half);
    let signals = object.nested_list("signals", signal);
    Some(FrictionDocument {
        version: version?,
        measurement: measurement?,
        call_count: call_count?,
        result_available_count: result_available_count?,
        timed_call_count: timed_call_count?,
        identifier_signals: identifier_signals?,
        signals: signals?,
    })
}

/// The state; a reason beside `measured` is a problem.
fn state(object: &mut Closed<'_, '_>, reason_key: &str) -> Option<RateState> {
    let state = object.member("state");
    if state == Some(RateState::Measured) && object.has(reason_key) {
        object.fault(reason_key, "gives a reason for something that is measured");
    }
    state
}

fn identifier_half(
    value: &Value,
    path: String,
    problems: &mut Problems,
) -> Option<IdentifierMeasurement> {
    let mut object = Closed::open(value, path, &["state", "reason"], problems)?;
    match state(&mut object, "reason")? {
        RateState::Measured => Some(IdentifierMeasurement::Measured),
        RateState::NotMeasured => {
            object.member("reason").map(|reason| IdentifierMeasurement::NotMeasured { reason })
        }
    }
}

fn signal(value: &Value, path: String, problems: &mut Problems) -> Option<FrictionSignal> {
    let kind = value.get("kind").and_then(Value::as_str).and_then(FrictionSignalKind::from_wire);
    let Some(kind) = kind else {
        problems.add(format!("{path}.kind"), "is not a known kind of signal");
        return None;
    };
    let mut object = Closed::open(value, path, keys(kind), problems)?;
    match kind {
        FrictionSignalKind::IdentifierSurfacedUnused => {
            unused(&mut object).map(FrictionSignal::IdentifierSurfacedUnused)
        }
        FrictionSignalKind::SearchRepeatedAfterIdentifier => {
            repeated(&mut object).map(FrictionSignal::SearchRepeatedAfterIdentifier)
        }
        FrictionSignalKind::IdenticalRetry => {
            retry(&mut object).map(FrictionSignal::IdenticalRetry)
        }
        FrictionSignalKind::ChangedRetry => retry(&mut object).map(FrictionSignal::ChangedRetry),
        FrictionSignalKind::PaginationContinuation => {
            page(&mut object).map(FrictionSignal::PaginationContinuation)
        }
    }
}

const fn keys(kind: FrictionSignalKind) -> &'static [&'static str] {
    match kind {
        FrictionSignalKind::IdentifierSurfacedUnused => &[
            "kind",
            "informationCallIndex",
            "observedAtCallIndex",
            "toolName",
            "toolCallId",
            "identifierKeyPaths",
            "identifierCount",
            "laterCallCount",
        ],
        FrictionSignalKind::SearchRepeatedAfterIdentifier => &[
            "kind",
            "informationCallIndex",
            "observedAtCallIndex",
            "toolName",
            "toolCallId",
            "repeatCallIndexes",
            "identifierKeyPaths",
            "identifierCount",
        ],
        FrictionSignalKind::IdenticalRetry | FrictionSignalKind::ChangedRetry => {
            &["kind", "callIndex", "priorCallIndex", "toolName", "afterError"]
        }
        FrictionSignalKind::PaginationContinuation => {
            &["kind", "callIndex", "priorCallIndex", "toolName", "paginationKeys"]
        }
    }
}

fn unused(object: &mut Closed<'_, '_>) -> Option<IdentifierUnused> {
    let information_call_index = index(object, "informationCallIndex");
    let observed_at_call_index = index(object, "observedAtCallIndex");
    let tool_name = object.text("toolName");
    let tool_call_id = optional_text(object, "toolCallId");
    let identifier_key_paths = paths(object);
    let identifier_count = object.integer("identifierCount");
    let later_call_count = object.integer("laterCallCount");
    Some(IdentifierUnused {
        information_call_index: information_call_index?,
        observed_at_call_index: observed_at_call_index?,
        tool_name: tool_name?,
        tool_call_id: tool_call_id?,
        identifier_key_paths: identifier_key_paths?,
        identifier_count: identifier_count?,
        later_call_count: later_call_count?,
    })
}

fn repeated(object: &mut Closed<'_, '_>) -> Option<SearchRepeated> {
    let information_call_index = index(object, "informationCallIndex");
    let observed_at_call_index = index(object, "observedAtCallIndex");
    let tool_name = object.text("toolName");
    let tool_call_id = optional_text(object, "toolCallId");
    let repeat_call_indexes =
        object.list("repeatCallIndexes", |value| integer(value).map(CallIndex));
    let identifier_key_paths = paths(object);
    let identifier_count = object.integer("identifierCount");
    Some(SearchRepeated {
        information_call_index: information_call_index?,
        observed_at_call_index: observed_at_call_index?,
        tool_name: tool_name?,
        tool_call_id: tool_call_id?,
        repeat_call_indexes: repeat_call_indexes?,
        identifier_key_paths: identifier_key_paths?,
        identifier_count: identifier_count?,
    })
}

fn retry(object: &mut Closed<'_, '_>) -> Option<Retry> {
    let call_index = index(object, "callIndex");
    let prior_call_index = index(object, "priorCallIndex");
    let tool_name = object.text("toolName");
    let after_error = object.flag("afterError");
    Some(Retry {
        call_index: call_index?,
        prior_call_index: prior_call_index?,
        tool_name: tool_name?,
        after_error: after_error?,
    })
}

fn page(object: &mut Closed<'_, '_>) -> Option<PaginationContinuation> {
    let call_index = index(object, "callIndex");
    let prior_call_index = index(object, "priorCallIndex");
    let tool_name = object.text("toolName");
    let pagination_keys =
        object.list("paginationKeys", |value| value.as_str().and_then(PaginationKey::from_wire));
    Some(PaginationContinuation {
        call_index: call_index?,
        prior_call_index: prior_call_index?,
        tool_name: tool_name?,
        pagination_keys: pagination_keys?,
    })
}

fn index(object: &mut Closed<'_, '_>, key: &str) -> Option<CallIndex> {
    object.integer(key).map(CallIndex)
}

/// An absent key is `Some(None)`; a key with anything but a text is a problem.
fn optional_text(object: &mut Closed<'_, '_>, key: &str) -> Option<Option<String>> {
    if object.has(key) { object.text(key).map(Some) } else { Some(None) }
}

fn paths(object: &mut Closed<'_, '_>) -> Option<Vec<String>> {
    object.list("identifierKeyPaths", |value| value.as_str().map(str::to_owned))
}
