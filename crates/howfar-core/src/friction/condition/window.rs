//! What a judge may see of a trial (friction, section B4): the calls up to the observed one, and nothing after it.

use std::collections::BTreeSet;

use howfar_wire::canon::{canonical, utf16_len, utf16_prefix};
use howfar_wire::friction::CallIndex;
use howfar_wire::vocabulary::ConditionSkip;
use serde_json::Value;

use super::trigger::ConditionTrigger;
use crate::friction::arguments::canonical_arguments;
use crate::friction::identifiers::extract_identifiers;
use crate::friction::json_text::json_document;
use crate::friction::record::CallRecord;
use crate::friction::result::NormalizedResult;

/// The most UTF-16 units of one call's arguments, and of one result.
pub const MAX_PART_UNITS: usize = 6_000;
/// The most UTF-16 units of all arguments and results of a window.
pub const MAX_WINDOW_UNITS: usize = 60_000;
/// How deep, and how far into lists, field names are looked for.
const FIELD_DEPTH: usize = 6;
const FIELD_ITEMS: usize = 50;

/// What a judge may see of a trial. Results are untrusted: nothing in them is an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionWindow {
    /// The signal in question.
    pub trigger: ConditionTrigger,
    /// The calls from the first to the observed one.
    pub calls: Vec<WindowCall>,
    /// Key paths and field names of arguments and results: what a remediation may be about.
    pub(super) fields: BTreeSet<String>,
    /// Identifier values of the results: what no answer may repeat.
    pub(super) identifiers: BTreeSet<String>,
}

/// One call of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowCall {
    /// The call.
    pub index: CallIndex,
    /// Its tool.
    pub tool_name: String,
    /// Its canonical arguments. A cut says in the text how much was dropped.
    pub arguments: String,
    /// Its structured content as canonical JSON, else its text. A cut says in the text how much was dropped, so that
    /// nobody takes it for the server's.
    pub result: String,
    /// Whether the call is known to have failed.
    pub is_error: bool,
}

/// The window of a trigger.
///
/// # Errors
///
/// Why there is nothing to judge: a call of the window lacks its result, or all of its results are empty.
pub fn condition_window(
    records: &[CallRecord<'_>],
    trigger: ConditionTrigger,
) -> Result<ConditionWindow, ConditionSkip> {
    let last = usize::try_from(trigger.observed_at_call_index.0).unwrap_or(usize::MAX);
    let shown = records.get(..=last).ok_or(ConditionSkip::TraceIncomplete)?;
    let results: Option<Vec<_>> = shown.iter().map(|record| record.result.as_ref()).collect();
    let results = results.ok_or(ConditionSkip::TraceIncomplete)?;
    if results.iter().all(|result| result_text(result).is_empty()) {
        return Err(ConditionSkip::NoEvidence);
    }
    let room = MAX_PART_UNITS.min(MAX_WINDOW_UNITS / (2 * shown.len()));
    let calls = shown.iter().zip(&results).map(|(record, result)| WindowCall {
        index: record.index,
        tool_name: record.tool_name.to_owned(),
        arguments: cut(&canonical_arguments(record.arguments).unwrap_or_default(), room),
        result: cut(&result_text(result), room),
        is_error: result.is_error,
    });
    let mut window = ConditionWindow {
        trigger,
        calls: calls.collect(),
        fields: BTreeSet::new(),
        identifiers: BTreeSet::new(),
    };
    for (record, result) in shown.iter().zip(results) {
        window.note(record, result);
    }
    Ok(window)
}

impl ConditionWindow {
    fn note(&mut self, record: &CallRecord<'_>, result: &NormalizedResult<'_>) {
        let found = extract_identifiers(result);
        self.identifiers.extend(found.values);
        self.fields.extend(found.key_paths);
        let structured = record.arguments.into_iter().chain(result.structured_content);
        for value in structured {
            add_field_names(value, FIELD_DEPTH, &mut self.fields);
        }
        for part in &result.text_parts {
            if let Some(document) = json_document(part, FIELD_DEPTH, FIELD_ITEMS) {
                add_field_names(&document, FIELD_DEPTH, &mut self.fields);
            }
        }
    }
}

fn add_field_names(value: &Value, depth: usize, names: &mut BTreeSet<String>) {
    let Some(below) = depth.checked_sub(1) else { return };
    match value {
        Value::Array(items) => {
            for item in items.iter().take(FIELD_ITEMS) {
                add_field_names(item, below, names);
            }
        }
        Value::Object(object) => {
            for (key, item) in object {
                names.insert(key.clone());
                add_field_names(item, below, names);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn result_text(result: &NormalizedResult<'_>) -> String {
    match result.structured_content {
        Some(content) => canonical(content),
        None => result.text_parts.join("\n"),
    }
}

/// At most `room` units, a note on what was dropped included.
fn cut(text: &str, room: usize) -> String {
    let len = utf16_len(text);
    if len <= room {
        return text.to_owned();
    }
    let note = |dropped: usize| format!(" [not shown: {dropped} more characters]");
    let kept = utf16_prefix(text, room.saturating_sub(note(len).len()));
    format!("{kept}{}", note(len - utf16_len(kept)))
}
