//! What one trial leaves while it runs. It grows in place, so that whatever ends the trial finds it complete up to that
//! moment.

use std::time::{Duration, Instant};

use howfar_model::{Message, ModelError, Usage};
use howfar_wire::evidence::{SpanCategory, SpanStatus, TimelineSpan};
use howfar_wire::report::{PolicyBlock, TokenUse};
use howfar_wire::transcript::{
    Capture, CaptureState, InventoryTool, ResultSize, SizeBasis, TimingProvenance, ToolCall,
    ToolCallTiming, ToolDeclaration, ToolError, ToolErrorKind, ToolResultRow, Transcript,
};
use howfar_wire::{canon, transcript};
use serde_json::{Map, Value};

use super::StepRow;
use crate::clock::milliseconds;

/// The longest argument text kept of a call whose arguments were not a JSON object, in UTF-16 units.
const MAX_RAW_ARGUMENTS: usize = 10_000;

/// How one turn began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TurnKind {
    /// A prompt: the model chooses.
    Prompt,
    /// A pinned call: nobody chooses.
    Direct,
}

/// One turn of the trial.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) kind: TurnKind,
    /// The prompt's text; the pinned call's tool otherwise.
    pub(crate) prompt: String,
    /// The turn's calls, as indexes into [`Recording::calls`].
    pub(crate) calls: Vec<usize>,
}

/// One tool call.
#[derive(Debug, Clone)]
pub(crate) struct CallRecord {
    /// The model's id of the call, or ours for a pinned one.
    pub(crate) id: String,
    /// The id of the call's span.
    pub(crate) span_id: String,
    pub(crate) tool_name: String,
    /// The server that has the tool; `None` when no server has it.
    pub(crate) server: Option<String>,
    /// Empty when the text was not a JSON object.
    pub(crate) arguments: Map<String, Value>,
    /// The argument text, only when it was not a JSON object.
    pub(crate) raw_arguments: Option<String>,
    pub(crate) turn: usize,
    /// From the trial's start, in milliseconds.
    pub(crate) start_ms: f64,
    pub(crate) end_ms: f64,
    pub(crate) outcome: CallOutcome,
}

/// What became of a call.
#[derive(Debug, Clone)]
pub(crate) enum CallOutcome {
    /// The server answered with a result.
    Result {
        /// As the model reads it.
        text: String,
        /// `None` when the key is absent; a null is kept.
        structured: Option<Value>,
        /// The result says that the tool failed.
        is_error: bool,
        /// The size of the result as the server sent it, in bytes.
        raw_bytes: u64,
        /// From the request's stamp to the answer's, in milliseconds.
        duration_ms: f64,
    },
    /// No result: a JSON-RPC error, or a transport-local code when no answer came.
    Failed {
        code: i64,
        message: String,
        /// `None` when no answer came.
        duration_ms: Option<f64>,
    },
    /// The call never left.
    NotSent { reason: NotSent, message: String },
}

/// Why a call never left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotSent {
    /// The model's argument text is not a JSON object: the model's doing, no tool was involved.
    Arguments,
    /// No server has the tool.
    UnknownTool,
}

/// Why the execution of a trial broke off.
#[derive(Debug, Clone)]
pub(crate) enum Breakdown {
    /// The model gave no turn.
    Model(ModelError),
    /// A server was lost and could not be reached again.
    Server { message: String },
    /// The trial's clock fired.
    Clock { limit: Duration },
}

/// Everything one trial left.
pub(crate) struct Recording {
    clock: Instant,
    pub(crate) messages: Vec<Message>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) calls: Vec<CallRecord>,
    pub(crate) timeline: Vec<TimelineSpan>,
    pub(crate) policy_blocks: Vec<PolicyBlock>,
    pub(crate) step_rows: Vec<StepRow>,
    /// What the checks read, up to now.
    pub(crate) transcript: Transcript,
    /// The model steps so far; each gives usage or does not.
    model_steps: u32,
    steps_without_usage: u32,
    used: Usage,
    /// The sum of what model steps cost in US dollars; nothing when one did not say.
    cost_usd: Option<f64>,
}

impl Recording {
    /// An empty recording over a frozen catalog.
    pub(crate) fn new(
        clock: Instant,
        inventory: Vec<InventoryTool>,
        declarations: Vec<ToolDeclaration>,
        declarations_state: CaptureState,
    ) -> Self {
        let capture = Capture {
            tool_results: CaptureState::Complete,
            tool_call_timings: CaptureState::Complete,
            tool_inventory: CaptureState::Complete,
            tool_declarations: Some(declarations_state),
        };
        let transcript = Transcript {
            tool_errors: Some(Vec::new()),
            tool_results: Some(Vec::new()),
            tool_call_timings: Some(Vec::new()),
            turn_count: Some(Value::from(0)),
            tool_inventory: Some(inventory),
            tool_declarations: Some(declarations),
            capture: Some(capture),
            ..Transcript::default()
        };
        Self {
            clock,
            messages: Vec::new(),
            turns: Vec::new(),
            calls: Vec::new(),
            timeline: Vec::new(),
            policy_blocks: Vec::new(),
            step_rows: Vec::new(),
            transcript,
            model_steps: 0,
            steps_without_usage: 0,
            used: Usage::default(),
            cost_usd: Some(0.0),
        }
    }

    /// Milliseconds since the trial began.
    pub(crate) fn now_ms(&self) -> f64 {
        milliseconds(self.clock.elapsed())
    }

    /// Opens a turn and gives its index.
    pub(crate) fn open_turn(&mut self, kind: TurnKind, prompt: &str) -> usize {
        self.turns.push(Turn { kind, prompt: prompt.to_owned(), calls: Vec::new() });
        self.turns.len() - 1
    }

    /// Adds a message and keeps what the checks read of it: the user turns and the last assistant message.
    pub(crate) fn push_message(&mut self, message: Message) {
        match &message {
            Message::User(_) => {
                let users = self.messages.iter().filter(|m| matches!(m, Message::User(_))).count();
                self.transcript.turn_count = Some(Value::from(users + 1));
            }
            Message::Assistant(assistant) => {
                let text = &assistant.text;
                self.transcript.final_assistant_message =
                    (!canon::is_blank(text)).then(|| text.clone());
            }
            Message::ToolResults(_) => {}
        }
        self.messages.push(message);
    }

    /// Adds what one model step used.
    pub(crate) fn add_usage(&mut self, usage: Option<Usage>) {
        self.model_steps += 1;
        match usage {
            Some(usage) => {
                self.used.input = self.used.input.saturating_add(usage.input);
                self.used.output = self.used.output.saturating_add(usage.output);
            }
            None => self.steps_without_usage += 1,
        }
        self.transcript.usage = self.tokens().map(|tokens| transcript::Usage {
            input_tokens: Some(tokens.input as f64),
            output_tokens: Some(tokens.output as f64),
            total_tokens: Some(tokens.total as f64),
        });
    }

    /// Adds what one model step cost.
    pub(crate) fn add_cost(&mut self, cost_usd: Option<f64>) {
        self.cost_usd = self.cost_usd.zip(cost_usd).map(|(sum, cost)| sum + cost);
    }

    /// The cost of the trial in US dollars: a measured zero without model steps, nothing when a step stated none.
    pub(crate) const fn cost_usd(&self) -> Option<f64> {
        self.cost_usd
    }

    /// The tokens of the trial: a measured zero without model steps, nothing when a step reported none.
    pub(crate) fn tokens(&self) -> Option<TokenUse> {
        (self.steps_without_usage == 0).then_some(TokenUse {
            input: self.used.input,
            output: self.used.output,
            total: self.used.total(),
        })
    }

    /// The id of the next call's span.
    pub(crate) fn next_span_id(&self, offset: usize) -> String {
        format!("call-{}", self.calls.len() + offset + 1)
    }

    /// Adds a finished call: to the flat list, to its turn, to the transcript and to the timeline.
    pub(crate) fn push_call(
        &mut self,
        call: CallRecord,
        parent: Option<String>,
        step: Option<u32>,
    ) {
        self.turns[call.turn].calls.push(self.calls.len());
        self.timeline.push(call_span(&call, parent, step));
        self.add_to_transcript(&call);
        self.calls.push(call);
    }

    fn add_to_transcript(&mut self, call: &CallRecord) {
        self.transcript.tool_calls.push(ToolCall {
            tool_name: call.tool_name.clone(),
            arguments: Value::Object(call.arguments.clone()),
            tool_call_id: Some(call.id.clone()),
        });
        if let Some(error) = tool_error(call) {
            self.transcript.tool_errors.get_or_insert_default().push(error);
        }
        if let Some(duration_ms) = call.duration_ms() {
            let timings = self.transcript.tool_call_timings.get_or_insert_default();
            timings.push(ToolCallTiming {
                tool_name: call.tool_name.clone(),
                duration_ms,
                provenance: TimingProvenance::Evidence,
                tool_call_id: Some(call.id.clone()),
            });
        }
        if let Some(row) = result_row(call) {
            self.transcript.tool_results.get_or_insert_default().push(row);
        }
        self.keep_within_caps();
    }

    /// Rows beyond the caps are dropped, and the channel then says that it is partial (predicates, section 4.1).
    fn keep_within_caps(&mut self) {
        let results = self.transcript.tool_results.get_or_insert_default();
        let results_cut = results.len() > Transcript::MAX_RESULTS;
        results.truncate(Transcript::MAX_RESULTS);
        let timings = self.transcript.tool_call_timings.get_or_insert_default();
        let timings_cut = timings.len() > Transcript::MAX_TIMINGS;
        timings.truncate(Transcript::MAX_TIMINGS);
        if let Some(capture) = &mut self.transcript.capture {
            if results_cut {
                capture.tool_results = CaptureState::Partial;
            }
            if timings_cut {
                capture.tool_call_timings = CaptureState::Partial;
            }
        }
    }

    /// Adds a span that is no call; its end is at least one millisecond after its start.
    pub(crate) fn push_span(&mut self, mut span: TimelineSpan) {
        span.end_ms = span.end_ms.max(span.start_ms + 1.0);
        self.timeline.push(span);
    }
}

impl CallRecord {
    /// From the request's stamp to the answer's; `None` when no answer came.
    pub(crate) fn duration_ms(&self) -> Option<f64> {
        match &self.outcome {
            CallOutcome::Result { duration_ms, .. } => Some(*duration_ms),
            CallOutcome::Failed { duration_ms, .. } => *duration_ms,
            CallOutcome::NotSent { .. } => None,
        }
    }

    /// The error code of the call's span: numeric when the call got no result.
    pub(crate) fn error_code(&self) -> Option<i64> {
        match &self.outcome {
            CallOutcome::Failed { code, .. } => Some(*code),
            CallOutcome::Result { .. } | CallOutcome::NotSent { .. } => None,
        }
    }

    /// Whether the call left for a server. A call that did not has no span: there is nothing to cite.
    pub(crate) fn was_sent(&self) -> bool {
        match &self.outcome {
            CallOutcome::Result { .. } | CallOutcome::Failed { .. } => true,
            CallOutcome::NotSent { .. } => false,
        }
    }

    /// The error text, when the call failed.
    pub(crate) fn error_text(&self) -> Option<&str> {
        match &self.outcome {
            CallOutcome::Result { is_error: true, text, .. } => Some(text),
            CallOutcome::Result { is_error: false, .. } => None,
            CallOutcome::Failed { message, .. } | CallOutcome::NotSent { message, .. } => {
                Some(message)
            }
        }
    }

    /// `ok`, unless the call failed in any way.
    pub(crate) fn status(&self) -> SpanStatus {
        if self.error_text().is_some() { SpanStatus::Error } else { SpanStatus::Ok }
    }
}

/// Argument text as it is kept: bounded, with its length said.
pub(crate) fn bounded_arguments(text: &str) -> String {
    let kept = canon::utf16_prefix(text, MAX_RAW_ARGUMENTS);
    if kept.len() == text.len() {
        text.to_owned()
    } else {
        format!("{kept}… ({} bytes)", text.len())
    }
}

fn tool_error(call: &CallRecord) -> Option<ToolError> {
    let kind = match &call.outcome {
        CallOutcome::Result { is_error: true, .. } => ToolErrorKind::ContentError,
        CallOutcome::Result { is_error: false, .. } => return None,
        CallOutcome::NotSent { reason: NotSent::Arguments, .. } => return None,
        CallOutcome::Failed { .. } | CallOutcome::NotSent { reason: NotSent::UnknownTool, .. } => {
            ToolErrorKind::ProtocolError
        }
    };
    Some(ToolError {
        kind,
        tool_name: Some(call.tool_name.clone()),
        message: call.error_text().map(str::to_owned),
        tool_call_id: Some(call.id.clone()),
    })
}

fn result_row(call: &CallRecord) -> Option<ToolResultRow> {
    let CallOutcome::Result { text, structured, is_error, raw_bytes, .. } = &call.outcome else {
        return None;
    };
    let kept = canon::utf16_prefix(text, Transcript::MAX_RESULT_TEXT_UNITS);
    let size = ResultSize {
        bytes: text.len() as u64,
        basis: SizeBasis::ModelVisibleOutput,
        complete: true,
    };
    Some(ToolResultRow {
        tool_name: call.tool_name.clone(),
        tool_call_id: Some(call.id.clone()),
        text: Some(kept.to_owned()),
        truncated: (kept.len() < text.len()).then_some(true),
        structured_content: structured.clone(),
        json: None,
        is_error: is_error.then_some(true),
        size: Some(size),
        raw_bytes: Some(*raw_bytes),
    })
}

fn call_span(call: &CallRecord, parent: Option<String>, step: Option<u32>) -> TimelineSpan {
    TimelineSpan {
        id: call.span_id.clone(),
        parent_id: parent,
        name: call.tool_name.clone(),
        category: SpanCategory::Tool,
        start_ms: call.start_ms,
        end_ms: call.end_ms.max(call.start_ms + 1.0),
        prompt_index: u32::try_from(call.turn).ok(),
        step_index: step,
        status: Some(call.status()),
        tool_call_id: Some(call.id.clone()),
        tool_name: Some(call.tool_name.clone()),
        server_id: call.server.clone(),
        model_id: None,
        input_tokens: None,
        output_tokens: None,
        finish_reason: None,
        response_id: None,
        mcp_error_code: call.error_code(),
    }
}
