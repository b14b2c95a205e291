//! What becomes of a judge's answer (friction, section B5). When in doubt it becomes `unclear`.

use howfar_wire::Vocabulary as _;
use howfar_wire::canon::{is_blank, shortened, utf16_len};
use howfar_wire::friction::{
    CallIndex, ConditionEvidence, ConditionOutcome, MAX_FIELD_PATH_CHARS, MAX_REMEDIATION_CHARS,
};
use howfar_wire::vocabulary::{ConditionConfidence, SuspectedCondition};
use serde_json::{Map, Value};

use super::window::ConditionWindow;
use crate::friction::carries::carries;
use crate::friction::closed::integer;

/// What every server's owner can change, whatever the window shows.
const LEVERS: [&str; 8] =
    ["description", "schema", "parameter", "field", "error message", "cursor", "total", "unit"];

/// The outcome of a judge's answer about a window. `None` stands for no answer at all: a broken transport, a timeout,
/// or text that is no JSON.
pub fn condition_outcome(reply: Option<&Value>, window: &ConditionWindow) -> ConditionOutcome {
    let Some(Value::Object(reply)) = reply else { return ConditionOutcome::Error {} };
    let confidence = member(reply, "confidence")
        .and_then(ConditionConfidence::from_wire)
        .unwrap_or(ConditionConfidence::Low);
    let remediation = member(reply, "remediation").filter(|text| !is_blank(text));
    let remediation = remediation.map(|text| shortened(text, MAX_REMEDIATION_CHARS).into_owned());
    let evidence = reply.get("evidence").and_then(|evidence| kept_evidence(evidence, window));
    let named = member(reply, "condition")
        .and_then(SuspectedCondition::from_wire)
        .unwrap_or(SuspectedCondition::Unclear);
    let leaks = remediation.iter().chain(evidence.iter().filter_map(|e| e.field_path.as_ref()));
    let is_doubtful = confidence == ConditionConfidence::Low
        || (named.lever().is_some() && !names_lever(remediation.as_deref(), window))
        || (named.lever().is_some()
            && leaks.into_iter().any(|text| repeats_identifier(text, window)));
    let condition = if is_doubtful { SuspectedCondition::Unclear } else { named };
    let has_lever = condition.lever().is_some();
    ConditionOutcome::Scored {
        condition,
        confidence,
        remediation: remediation.filter(|_| has_lever),
        evidence: evidence.filter(|_| has_lever),
    }
}

/// Whether a remediation is about something that the server's owner controls.
fn names_lever(remediation: Option<&str>, window: &ConditionWindow) -> bool {
    let Some(text) = remediation else { return false };
    let lower = text.to_ascii_lowercase();
    let tools = window.calls.iter().map(|call| &call.tool_name);
    tools.chain(&window.fields).any(|name| carries(text, name))
        || LEVERS.iter().any(|word| carries(&lower, word) || carries(&lower, &format!("{word}s")))
}

fn repeats_identifier(text: &str, window: &ConditionWindow) -> bool {
    window.identifiers.iter().any(|value| text.contains(value))
}

/// A pointer into the window at a call of the tool that it names; anything else is dropped.
fn kept_evidence(evidence: &Value, window: &ConditionWindow) -> Option<ConditionEvidence> {
    let evidence = evidence.as_object()?;
    let call_index = evidence.get("callIndex").and_then(integer).map(CallIndex)?;
    let tool_name = member(evidence, "toolName")?;
    let call = window.calls.iter().find(|call| call.index == call_index)?;
    let fits = |path: &&str| !path.is_empty() && utf16_len(path) <= MAX_FIELD_PATH_CHARS;
    (!tool_name.is_empty() && call.tool_name == tool_name).then(|| ConditionEvidence {
        call_index,
        tool_name: tool_name.to_owned(),
        field_path: member(evidence, "fieldPath").filter(fits).map(str::to_owned),
    })
}

fn member<'v>(object: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    object.get(key).and_then(Value::as_str)
}
