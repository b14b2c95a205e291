//! Building a transcript from what a trial left (predicates 4.1).

use howfar_wire::canon::{utf16_len, utf16_prefix};
use howfar_wire::transcript::{
    Capture, CaptureState, InventoryTool, RenderObservation, ToolCall, ToolCallTiming,
    ToolDeclaration, ToolError, ToolResultRow, Transcript, Usage,
};
use serde_json::Value;

use super::trace::{final_assistant_message, trace_messages, trace_tool_errors, user_turns};

/// What a trial left for its transcript. Absent parts were not captured; an empty list was.
#[derive(Debug, Clone, Default)]
pub struct TranscriptParts {
    /// Every call, in order.
    pub tool_calls: Vec<ToolCall>,
    /// The trace: a list of messages, or an object with `spans` and `messages`.
    pub trace: Option<Value>,
    /// Tool failures beside those that the trace shows.
    pub tool_errors: Vec<ToolError>,
    /// The last answer, when it is known better than from the trace.
    pub final_assistant_message: Option<String>,
    /// Token use of the whole trial.
    pub usage: Option<Usage>,
    /// Widget renders.
    pub render_observations: Vec<RenderObservation>,
    /// The number of user turns, when it is known better than from the trace.
    pub turn_count: Option<u64>,
    /// Results in call order.
    pub tool_results: Option<Vec<ToolResultRow>>,
    /// Whether results were captured although there is no list of them.
    pub results_captured: bool,
    /// Durations of calls.
    pub tool_call_timings: Option<Vec<ToolCallTiming>>,
    /// Whether durations were captured although there is no list of them.
    pub timings_captured: bool,
    /// The tools as the model saw them.
    pub tool_inventory: Option<Vec<InventoryTool>>,
    /// Raw declarations of every server and page.
    pub tool_declarations: Option<Vec<ToolDeclaration>>,
    /// How complete the declarations are. A list alone proves nothing.
    pub declarations_captured: Option<CaptureState>,
}

/// The transcript of a trial, with rows and texts capped and every channel's capture state settled.
pub fn build_transcript(parts: TranscriptParts) -> Transcript {
    let messages = parts.trace.as_ref().and_then(trace_messages);
    let capture = Capture {
        tool_results: list_state(
            parts.tool_results.as_deref(),
            parts.results_captured,
            Transcript::MAX_RESULTS,
        ),
        tool_call_timings: list_state(
            parts.tool_call_timings.as_deref(),
            parts.timings_captured,
            Transcript::MAX_TIMINGS,
        ),
        tool_inventory: match parts.tool_inventory {
            Some(_) => CaptureState::Complete,
            None => CaptureState::Absent,
        },
        tool_declarations: parts.declarations_captured.map(|state| match parts.tool_declarations {
            Some(_) => state,
            None => CaptureState::Absent,
        }),
    };
    let mut tool_errors = parts.trace.as_ref().map(trace_tool_errors).unwrap_or_default();
    tool_errors.extend(parts.tool_errors);
    let counted = || messages.map(|messages| Value::from(user_turns(messages)));
    let renders = parts.render_observations;
    Transcript {
        final_assistant_message: parts
            .final_assistant_message
            .or_else(|| messages.and_then(final_assistant_message)),
        turn_count: parts.turn_count.map(Value::from).or_else(counted),
        tool_calls: parts.tool_calls,
        tool_errors: Some(tool_errors),
        usage: parts.usage,
        render_observations: (!renders.is_empty()).then_some(renders),
        tool_results: parts.tool_results.map(capped_results),
        tool_call_timings: parts.tool_call_timings.map(|mut timings| {
            timings.truncate(Transcript::MAX_TIMINGS);
            timings
        }),
        tool_inventory: parts.tool_inventory,
        tool_declarations: parts.tool_declarations,
        capture: Some(capture),
    }
}

/// One turn's part of a trial, for the checks that were authored on the turn.
#[derive(Debug, Clone, Default)]
pub struct TurnParts {
    /// The turn's calls.
    pub tool_calls: Vec<ToolCall>,
    /// The turn's tool failures.
    pub tool_errors: Vec<ToolError>,
    /// The turn's last answer.
    pub final_assistant_message: Option<String>,
    /// The turn's token use.
    pub usage: Option<Usage>,
    /// The turn's widget renders; absent when none were observed.
    pub render_observations: Option<Vec<RenderObservation>>,
}

/// The transcript of one turn. It carries no results, timings, catalogs, turn count or capture states.
pub fn turn_slice(parts: TurnParts) -> Transcript {
    Transcript {
        tool_calls: parts.tool_calls,
        tool_errors: Some(parts.tool_errors),
        final_assistant_message: parts.final_assistant_message,
        usage: parts.usage,
        render_observations: parts.render_observations,
        turn_count: None,
        tool_results: None,
        tool_call_timings: None,
        tool_inventory: None,
        tool_declarations: None,
        capture: None,
    }
}

fn list_state<T>(list: Option<&[T]>, captured: bool, cap: usize) -> CaptureState {
    match list {
        None if captured => CaptureState::Complete,
        None => CaptureState::Absent,
        Some(rows) if rows.len() > cap => CaptureState::Partial,
        Some(_) => CaptureState::Complete,
    }
}

/// The first rows, with long texts cut. Sizes stay as they were measured.
fn capped_results(mut rows: Vec<ToolResultRow>) -> Vec<ToolResultRow> {
    rows.truncate(Transcript::MAX_RESULTS);
    for row in &mut rows {
        let long = |text: &&String| utf16_len(text) > Transcript::MAX_RESULT_TEXT_UNITS;
        if let Some(text) = row.text.as_ref().filter(long) {
            row.text = Some(utf16_prefix(text, Transcript::MAX_RESULT_TEXT_UNITS).to_owned());
            row.truncated = Some(true);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_messages_are_an_unknown_count_and_an_empty_list_is_zero() {
        let built = build_transcript(TranscriptParts::default());
        assert_eq!(built.turn_count, None);
        let parts = TranscriptParts { trace: Some(json!([])), ..TranscriptParts::default() };
        assert_eq!(build_transcript(parts).turn_count, Some(json!(0)));
    }

    #[test]
    fn more_rows_than_the_cap_are_a_partial_capture() {
        let rows = vec![ToolResultRow::default(); 201];
        let parts = TranscriptParts { tool_results: Some(rows), ..TranscriptParts::default() };
        let built = build_transcript(parts);
        assert_eq!(built.results().len(), 200);
        assert_eq!(built.capture.map(|capture| capture.tool_results), Some(CaptureState::Partial));
    }

    #[test]
    fn a_long_text_is_cut_and_marked() {
        let row = ToolResultRow { text: Some("x".repeat(64_001)), ..ToolResultRow::default() };
        let parts = TranscriptParts { tool_results: Some(vec![row]), ..TranscriptParts::default() };
        let built = build_transcript(parts);
        assert_eq!(built.results()[0].truncated, Some(true));
        assert_eq!(built.results()[0].text.as_ref().map(String::len), Some(64_000));
    }

    #[test]
    fn a_list_of_declarations_alone_proves_nothing() {
        let parts =
            TranscriptParts { tool_declarations: Some(Vec::new()), ..TranscriptParts::default() };
        let built = build_transcript(parts);
        assert_eq!(built.capture.and_then(|capture| capture.tool_declarations), None);
    }
}
