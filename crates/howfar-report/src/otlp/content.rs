//! What was said in a trial; written only when it is asked for.

use howfar_wire::evidence::{TimelineSpan, TrialEvidence};
use serde_json::Value;

use super::document::Attributes;

/// The conversation and the last answer.
pub(super) fn of_trial(evidence: &TrialEvidence<'_>, attributes: &mut Attributes) {
    if !evidence.messages.is_empty() {
        let messages = Value::Array(evidence.messages.clone());
        attributes.text("gen_ai.input.messages", messages.to_string());
    }
    if let Some(answer) = &evidence.transcript.final_assistant_message {
        attributes.text("howfar.final_message", answer.clone());
    }
}

/// The arguments and the result of the call that a span covers.
pub(super) fn of_span(
    evidence: &TrialEvidence<'_>,
    span: &TimelineSpan,
    attributes: &mut Attributes,
) {
    let Some(id) = &span.tool_call_id else { return };
    let transcript = &evidence.transcript;
    let same = |other: &Option<String>| other.as_ref() == Some(id);
    if let Some(call) = transcript.tool_calls.iter().find(|call| same(&call.tool_call_id)) {
        attributes.text("gen_ai.tool.call.arguments", call.arguments.to_string());
    }
    if let Some(result) = transcript.results().iter().find(|row| same(&row.tool_call_id)) {
        let data = || result.structured_content.as_ref().or(result.json.as_ref());
        let text = result.text.clone().or_else(|| data().map(Value::to_string));
        text.into_iter().for_each(|text| attributes.text("gen_ai.tool.call.result", text));
    }
    if let Some(error) = transcript.errors().iter().find(|error| same(&error.tool_call_id)) {
        let message = error.message.clone();
        message.into_iter().for_each(|text| attributes.text("howfar.error.message", text));
    }
}
