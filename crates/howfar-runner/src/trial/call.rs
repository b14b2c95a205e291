//! Tool calls: the model's, several at once, and pinned ones (suite and runner, sections B6 and B7).

use futures::future::join_all;
use howfar_model::{AssistantMessage, ContentPart, Message, ToolCall, ToolResult};
use howfar_wire::Vocabulary as _;
use howfar_wire::cassette::TrialRef;
use howfar_wire::report::PolicyBlock;
use serde_json::{Map, Value};

use super::Executor;
use super::recording::{CallOutcome, CallRecord, NotSent, TurnKind, bounded_arguments};
use crate::case::PinnedCall;
use crate::environment::{Environment, PolicyDenial};

/// A call with what the model is told about it.
struct Answered {
    record: CallRecord,
    result: ToolResult,
}

/// A call that the policy does not allow, with what the model is told.
struct Blocked {
    block: PolicyBlock,
    result: ToolResult,
}

/// What happens to one call of the model.
enum Handled {
    Called(Box<Answered>),
    Blocked(Box<Blocked>),
}

impl Executor<'_> {
    /// Runs all calls of one model step at once, and records them in the model's order.
    pub(super) async fn model_calls(
        &mut self,
        turn: usize,
        step: u32,
        step_id: &str,
        calls: &[ToolCall],
    ) -> Vec<ToolResult> {
        let this = &*self;
        let running = calls.iter().enumerate().map(|(at, call)| this.model_call(turn, at, call));
        let handled = join_all(running).await;
        let mut results = Vec::with_capacity(handled.len());
        for one in handled {
            match one {
                Handled::Called(answered) => {
                    self.recording.push_call(answered.record, Some(step_id.to_owned()), Some(step));
                    results.push(answered.result);
                }
                Handled::Blocked(blocked) => {
                    self.recording.policy_blocks.push(blocked.block);
                    results.push(blocked.result);
                }
            }
        }
        results
    }

    async fn model_call(&self, turn: usize, at: usize, call: &ToolCall) -> Handled {
        let environment = self.context.environment;
        if let Some(denial) = environment.denial(&call.name) {
            return Handled::Blocked(Box::new(self.blocked(&denial, &call.name, &call.id)));
        }
        let mut record = self.new_record(turn, at, &call.id, &call.name);
        let content = match &call.arguments {
            Err(fault) => {
                record.raw_arguments = Some(bounded_arguments(&call.arguments_text));
                let message = format!("the call was not sent: {fault}");
                not_sent(&mut record, NotSent::Arguments, message)
            }
            Ok(arguments) => {
                record.arguments.clone_from(arguments);
                match environment.server_of(&call.name) {
                    Some(server) => {
                        record.server = Some(server.to_owned());
                        self.send(&mut record).await
                    }
                    None => {
                        let message = environment.unknown_tool(&call.name);
                        not_sent(&mut record, NotSent::UnknownTool, message)
                    }
                }
            }
        };
        record.end_ms = self.recording.now_ms();
        Handled::Called(Box::new(answered(record, content)))
    }

    /// Runs a pinned call: nobody chooses, so nothing is compared. The conversation gets a line for it, so that a later
    /// prompt knows what happened.
    pub(super) async fn pinned_call(&mut self, call: &PinnedCall) {
        let turn = self.recording.open_turn(TurnKind::Direct, &call.tool_name);
        let arguments = Value::Object(call.arguments.clone());
        let line = format!("Call {} with {arguments}", call.tool_name);
        self.recording.push_message(Message::User(line));
        let id = format!("pinned-{}", turn + 1);
        if let Some(denial) = self.context.environment.denial(&call.tool_name) {
            let Blocked { block, result } = self.blocked(&denial, &call.tool_name, &id);
            self.recording.policy_blocks.push(block);
            self.push_summary(&call.tool_name, &result);
            return;
        }
        let mut record = self.new_record(turn, 0, &id, &call.tool_name);
        record.arguments.clone_from(&call.arguments);
        record.server = Some(call.server_name.clone());
        let content = self.send(&mut record).await;
        record.end_ms = self.recording.now_ms();
        let answered = answered(record, content);
        self.recording.push_call(answered.record, None, None);
        self.push_summary(&call.tool_name, &answered.result);
    }

    fn push_summary(&mut self, tool: &str, result: &ToolResult) {
        let verb = if result.is_error { "failed with" } else { "returned" };
        let text = format!("{tool} {verb}: {}", result.text());
        self.recording.push_message(Message::Assistant(AssistantMessage {
            text,
            ..AssistantMessage::default()
        }));
    }

    fn blocked(&self, denial: &PolicyDenial, tool: &str, id: &str) -> Blocked {
        let text = format!(
            "the suite's tool policy does not allow {tool}: {}. The call was not made.",
            denial.reason.label()
        );
        let block = PolicyBlock {
            case_id: self.context.case.id.clone(),
            iteration_number: self.context.number,
            tool_name: tool.to_owned(),
            tool_call_id: Some(id.to_owned()),
            reason: denial.reason,
            classification: denial.classification,
        };
        let result = ToolResult {
            call_id: id.to_owned(),
            tool_name: tool.to_owned(),
            content: vec![ContentPart::Text(text)],
            structured: None,
            is_error: true,
        };
        Blocked { block, result }
    }

    fn new_record(&self, turn: usize, at: usize, id: &str, tool: &str) -> CallRecord {
        let start_ms = self.recording.now_ms();
        CallRecord {
            id: id.to_owned(),
            span_id: self.recording.next_span_id(at),
            tool_name: tool.to_owned(),
            server: None,
            arguments: Map::new(),
            raw_arguments: None,
            turn,
            start_ms,
            end_ms: start_ms,
            // Replaced as soon as the outcome is known.
            outcome: CallOutcome::NotSent { reason: NotSent::UnknownTool, message: String::new() },
        }
    }

    /// Sends the call to its server and keeps the outcome; gives what the model reads.
    async fn send(&self, record: &mut CallRecord) -> Vec<ContentPart> {
        let environment: &Environment = self.context.environment;
        let server = record.server.as_deref().unwrap_or_default();
        let trial = TrialRef { case_id: self.context.case.id.clone(), number: self.context.number };
        let (outcome, content) =
            environment.call(server, &record.tool_name, &record.arguments, trial).await;
        record.outcome = outcome;
        content
    }
}

fn not_sent(record: &mut CallRecord, reason: NotSent, message: String) -> Vec<ContentPart> {
    record.outcome = CallOutcome::NotSent { reason, message: message.clone() };
    vec![ContentPart::Text(message)]
}

fn answered(record: CallRecord, content: Vec<ContentPart>) -> Answered {
    let structured = match &record.outcome {
        CallOutcome::Result { structured, .. } => structured.clone(),
        CallOutcome::Failed { .. } | CallOutcome::NotSent { .. } => None,
    };
    let result = ToolResult {
        call_id: record.id.clone(),
        tool_name: record.tool_name.clone(),
        content,
        structured,
        is_error: record.error_text().is_some(),
    };
    Answered { record, result }
}
