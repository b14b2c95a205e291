//! From calls and results to records, and which record knew of which (friction, sections A4 and A9).

use howfar_wire::friction::CallIndex;
use howfar_wire::vocabulary::CallOrdering;
use serde_json::Value;

use super::input::{FrictionInput, ResultEntry};
use super::result::{NormalizedResult, normalize_result};

/// One call as the rules read it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallRecord<'a> {
    /// The call's position in the trial's call list.
    pub index: CallIndex,
    /// The tool; empty when the call names none, and then no signal names the call.
    pub tool_name: &'a str,
    /// The call's id, not empty; `None` when it has none, and then nothing joins it with a result.
    pub tool_call_id: Option<&'a str>,
    /// The arguments; `None` reads as null.
    pub arguments: Option<&'a Value>,
    /// What came back; `None` when it was not retained.
    pub result: Option<NormalizedResult<'a>>,
    /// How the call is placed in time.
    pub ordering: CallOrdering,
    /// When the call was sent, in milliseconds; only for timed calls.
    pub started_at_ms: Option<f64>,
    /// When its result arrived, on the same clock; only for timed calls.
    pub settled_at_ms: Option<f64>,
}

/// The records of a trial, one per call, in call order.
pub fn call_records<'a>(input: &FrictionInput<'a>) -> Vec<CallRecord<'a>> {
    let record = |(at, call): (usize, &'a Value)| {
        let tool_call_id = text(call, "toolCallId");
        let entry = tool_call_id.and_then(|id| input.results.get(id));
        let record = CallRecord {
            index: CallIndex(at as u64),
            tool_name: tool_name(call),
            tool_call_id,
            arguments: call.as_object().and_then(|call| call.get("arguments")),
            result: None,
            ordering: CallOrdering::Unknown,
            started_at_ms: None,
            settled_at_ms: None,
        };
        entry.map_or(record.clone(), |entry| record.with_entry(entry))
    };
    input.tools_called.iter().enumerate().map(record).collect()
}

impl<'a> CallRecord<'a> {
    /// The record with what came back. A producer's `true` sets the error flag, its `false` never clears one.
    fn with_entry(self, entry: &ResultEntry<'a>) -> Self {
        let mut result = normalize_result(entry.raw);
        result.is_error |= entry.is_error;
        self.with_result(result, entry.started_at_ms.zip(entry.settled_at_ms))
    }

    /// The record with a result, timed when both of its times are known.
    pub(super) fn with_result(
        self,
        result: NormalizedResult<'a>,
        times: Option<(f64, f64)>,
    ) -> Self {
        Self {
            result: Some(result),
            ordering: times.map_or(CallOrdering::MessageOrder, |_| CallOrdering::Timed),
            started_at_ms: times.map(|(started, _)| started),
            settled_at_ms: times.map(|(_, settled)| settled),
            ..self
        }
    }

    /// Whether the call is known to have failed; `false` when its result was not retained.
    pub(super) fn is_error(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.is_error)
    }
}

/// Whether what `k` gave was there before `j` was made. Equal instants do not qualify, mixed modes never do.
pub fn available_before(k: &CallRecord<'_>, j: &CallRecord<'_>) -> bool {
    match (k.ordering, j.ordering) {
        (CallOrdering::MessageOrder, CallOrdering::MessageOrder) => k.index < j.index,
        (CallOrdering::Timed, CallOrdering::Timed) => {
            k.settled_at_ms.zip(j.started_at_ms).is_some_and(|(settled, started)| settled < started)
        }
        (CallOrdering::MessageOrder, CallOrdering::Timed | CallOrdering::Unknown)
        | (CallOrdering::Timed, CallOrdering::MessageOrder | CallOrdering::Unknown)
        | (
            CallOrdering::Unknown,
            CallOrdering::MessageOrder | CallOrdering::Timed | CallOrdering::Unknown,
        ) => false,
    }
}

/// The first of three spellings that holds a text; empty when none does.
fn tool_name(call: &Value) -> &str {
    ["toolName", "tool", "name"].into_iter().find_map(|key| text(call, key)).unwrap_or_default()
}

/// A member that is a text and not empty.
fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.as_object()?.get(key)?.as_str().filter(|text| !text.is_empty())
}
