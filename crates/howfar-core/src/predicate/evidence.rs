//! The evidence of one evaluation and the scopes in which checks read it (predicates 5.6).

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use howfar_wire::canon::stringify;
use howfar_wire::transcript::{
    CaptureState, InventoryTool, ToolCall, ToolCallTiming, ToolResultRow, Transcript,
};
use howfar_wire::vocabulary::CaptureChannel;
use serde_json::{Map, Value};

use super::EvaluationContext;

/// One transcript and what is shared with other evaluations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) context: &'a EvaluationContext,
}

/// All tools, or one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolScope(Option<String>);

impl ToolScope {
    pub(super) fn new(tool_name: Option<&str>) -> Self {
        Self(tool_name.map(str::to_owned))
    }

    pub(super) fn tool_name(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub(super) fn covers(&self, tool_name: &str) -> bool {
        self.tool_name().is_none_or(|own| own == tool_name)
    }

    /// `any tool` or `tool "<name>"`.
    pub(super) fn label(&self) -> String {
        match &self.0 {
            None => "any tool".to_owned(),
            Some(name) => format!("tool \"{name}\""),
        }
    }
}

/// A kind of rows that is captured next to the calls.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowKind {
    pub(super) channel: CaptureChannel,
    pub(super) label: &'static str,
}

/// Results of calls.
pub(super) const RESULTS: RowKind =
    RowKind { channel: CaptureChannel::ToolResults, label: "tool result" };
/// Durations of calls.
pub(super) const TIMINGS: RowKind =
    RowKind { channel: CaptureChannel::ToolCallTimings, label: "per-call timing" };

/// What an empty scope means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EmptyScope {
    /// It could not be measured, for this reason.
    Unscored(String),
    /// Everything was captured and there is nothing.
    ScoredAbsence,
}

impl<'a> Evidence<'a> {
    pub(super) fn calls(self, scope: &ToolScope) -> impl Iterator<Item = &'a ToolCall> {
        self.transcript.tool_calls.iter().filter(|call| scope.covers(&call.tool_name))
    }

    pub(super) fn call_count(self, scope: &ToolScope) -> usize {
        self.calls(scope).count()
    }

    pub(super) fn results(self, scope: &ToolScope) -> Vec<&'a ToolResultRow> {
        self.transcript.results().iter().filter(|row| scope.covers(&row.tool_name)).collect()
    }

    pub(super) fn timings(self, scope: &ToolScope) -> Vec<&'a ToolCallTiming> {
        self.transcript.timings().iter().filter(|row| scope.covers(&row.tool_name)).collect()
    }

    /// The first inventory entry of that name; a later one is ignored.
    pub(super) fn inventory_tool(self, name: &str) -> Option<&'a InventoryTool> {
        self.transcript.inventory().iter().find(|tool| tool.name == name)
    }

    /// The names of called tools, each once, in the order in which they were first called.
    pub(super) fn called_names(self) -> Vec<&'a str> {
        let mut seen = HashSet::new();
        let names = self.transcript.tool_calls.iter().map(|call| call.tool_name.as_str());
        names.filter(|name| seen.insert(*name)).collect()
    }

    pub(super) fn is_complete(self, channel: CaptureChannel) -> bool {
        self.transcript.capture_state(channel) == CaptureState::Complete
    }

    /// The final assistant message, empty when there was none.
    pub(super) fn message(self) -> &'a str {
        self.transcript.final_assistant_message.as_deref().unwrap_or_default()
    }

    /// What it means that no row is in scope.
    pub(super) fn empty_scope(self, rows: RowKind, scope: &ToolScope) -> EmptyScope {
        let RowKind { channel, label } = rows;
        if !self.is_complete(channel) {
            let reason = format!("no {label}s captured for {}", scope.label());
            return EmptyScope::Unscored(reason);
        }
        match self.call_count(scope) {
            0 => EmptyScope::ScoredAbsence,
            calls => EmptyScope::Unscored(format!(
                "{calls} observed call(s) to {} carry no {label}",
                scope.label()
            )),
        }
    }

    /// Why rows in scope may not be all there were; `None` when they are.
    pub(super) fn capture_gap(self, rows: RowKind) -> Option<String> {
        (!self.is_complete(rows.channel)).then(|| "the capture is incomplete".to_owned())
    }

    /// Like [`Self::capture_gap`] for results, counting rows that were cut for storage.
    pub(super) fn result_gap(self, results: &[&ToolResultRow]) -> Option<String> {
        self.capture_gap(RESULTS).or_else(|| {
            let truncated = results.iter().filter(|row| row.truncated == Some(true)).count();
            (truncated > 0).then(|| {
                format!("{truncated} of {} row(s) were truncated for storage", results.len())
            })
        })
    }
}

/// ` (m of o observed call(s) measured)` when fewer calls were measured than observed.
pub(super) fn coverage_note(measured: usize, observed: usize) -> String {
    if observed > measured {
        format!(" ({measured} of {observed} observed call(s) measured)")
    } else {
        String::new()
    }
}

/// The text of a result that a search reads: its text, then its structured content, then its JSON, one per line.
pub(super) fn searchable_text(row: &ToolResultRow) -> Cow<'_, str> {
    let parts = [row.structured_content.as_ref(), row.json.as_ref()];
    if let (Some(text), [None, None]) = (&row.text, parts) {
        return Cow::Borrowed(text);
    }
    let text = row.text.iter().cloned();
    let json = parts.into_iter().flatten().map(stringify);
    Cow::Owned(text.chain(json).collect::<Vec<_>>().join("\n"))
}

/// What a result carries as JSON: structured content, else JSON, else its text where that is JSON.
pub(super) fn payload(row: &ToolResultRow) -> Option<Cow<'_, Value>> {
    match row.structured_content.as_ref().or(row.json.as_ref()) {
        Some(content) => Some(Cow::Borrowed(content)),
        None => serde_json::from_str(row.text.as_deref()?).ok().map(Cow::Owned),
    }
}

/// The members of an object; empty for anything else, so that missing arguments read as `{}`.
pub(crate) fn object_of(value: &Value) -> &Map<String, Value> {
    static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    value.as_object().unwrap_or(&EMPTY)
}
