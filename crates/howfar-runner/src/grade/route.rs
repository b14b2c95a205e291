//! The matcher over the turns of a trial, and calls whose arguments were no object.

use howfar_core::matching::{CaseMatching, TurnExpectation, match_case};
use howfar_wire::matching::{CaseMatch, MatchOptions, PromptSummary};
use howfar_wire::predicate::PredicateRow;
use howfar_wire::transcript::ToolCall;
use serde_json::{Value, json};

use crate::case::PlannedCase;
use crate::trial::{CallOutcome, CallRecord, NotSent, Recording, TurnKind};

/// The longest quote of argument text in a reason, in characters.
const QUOTED_ARGUMENTS: usize = 80;

/// What the matcher found.
pub(super) struct Route {
    /// Whether the case compares anything: without, the route neither passes nor fails.
    pub(super) applies: bool,
    /// `None` when no turn was played.
    pub(super) found: Option<CaseMatch>,
}

impl Route {
    /// The route of a trial that never began.
    pub(super) const fn unmeasured() -> Self {
        Self { applies: false, found: None }
    }

    /// Whether nothing was compared, or everything that was compared matched.
    pub(super) fn holds(&self) -> bool {
        !self.applies || self.found.as_ref().is_some_and(|found| found.passed)
    }

    /// The turns that were played.
    pub(super) fn turns(&self) -> &[PromptSummary] {
        self.found.as_ref().map(|found| found.prompt_summaries.as_slice()).unwrap_or_default()
    }
}

/// Compares the calls of every turn that was played with what the case expects of it.
pub(super) fn route(case: &PlannedCase, recording: &Recording) -> Route {
    let expectation = |(at, turn): (usize, &crate::trial::Turn)| TurnExpectation {
        prompt: turn.prompt.clone(),
        expected_tool_calls: case.expected_calls.get(at).cloned().unwrap_or_default(),
        expected_output: None,
        pinned: turn.kind == TurnKind::Direct,
    };
    let turns: Vec<_> = recording.turns.iter().enumerate().map(expectation).collect();
    let calls: Vec<Vec<ToolCall>> = recording
        .turns
        .iter()
        .map(|turn| turn.calls.iter().map(|&at| tool_call(&recording.calls[at])).collect())
        .collect();
    let matching = CaseMatching {
        options: MatchOptions::default(),
        is_negative_test: case.is_negative_test,
        skill_tools_active: false,
    };
    let found = (!turns.is_empty()).then(|| match_case(&turns, &calls, &matching));
    Route { applies: case.has_route(), found }
}

/// One failed row per call whose arguments were not a JSON object: the call stage fails on it, and says what was sent.
pub(super) fn argument_faults(recording: &Recording) -> Vec<PredicateRow> {
    let fault = |call: &CallRecord| match &call.outcome {
        CallOutcome::NotSent { reason: NotSent::Arguments, message } => {
            let raw = call.raw_arguments.as_deref().unwrap_or_default();
            let mut quoted: String = raw.chars().take(QUOTED_ARGUMENTS).collect();
            if quoted.len() < raw.len() {
                quoted.push('…');
            }
            Some(PredicateRow {
                predicate: json!({ "type": "argumentsMatchToolSchema", "toolName": call.tool_name }),
                passed: false,
                status: None,
                reason: format!("\"{}\": {message}; the model sent {quoted}", call.tool_name),
                scope: None,
            })
        }
        CallOutcome::NotSent { reason: NotSent::UnknownTool, .. }
        | CallOutcome::Result { .. }
        | CallOutcome::Failed { .. } => None,
    };
    recording.calls.iter().filter_map(fault).collect()
}

fn tool_call(call: &CallRecord) -> ToolCall {
    ToolCall {
        tool_name: call.tool_name.clone(),
        arguments: Value::Object(call.arguments.clone()),
        tool_call_id: Some(call.id.clone()),
    }
}
