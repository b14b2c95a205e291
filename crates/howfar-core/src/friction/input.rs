//! What a trial leaves for this measurement (friction, section A3).

use std::collections::BTreeMap;

use howfar_wire::Vocabulary as _;
use howfar_wire::vocabulary::FrictionGap;
use serde_json::Value;

/// The calls of one trial and what came back.
#[derive(Debug, Clone)]
pub struct FrictionInput<'a> {
    /// The graded calls, narrated ones first. Anything may stand here: what is no object is a call without a name.
    pub tools_called: &'a [Value],
    /// What came back, by call id.
    pub results: CallResults<'a>,
    /// A gap in the evidence that the producer knows of.
    pub evidence_hole: Option<FrictionGap>,
}

/// What came back, by call id.
pub type CallResults<'a> = BTreeMap<&'a str, ResultEntry<'a>>;

/// What came back for one call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResultEntry<'a> {
    /// The result as stored; null counts as a result.
    pub raw: &'a Value,
    /// Whether the producer knows that the call failed from something that the result does not say.
    pub is_error: bool,
    /// When the call was sent, in milliseconds.
    pub started_at_ms: Option<f64>,
    /// When its result arrived, on the same clock.
    pub settled_at_ms: Option<f64>,
}

/// Why a text is no input. Bad evidence inside an input is never an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrictionInputError {
    /// The graded calls are missing.
    #[error("`toolsCalled` is not a list")]
    ToolsCalled,
    /// The declared hole is no known reason.
    #[error("`evidenceHole` is not a known reason")]
    EvidenceHole,
}

impl<'a> FrictionInput<'a> {
    /// Reads `{toolsCalled, results?, evidenceHole?}`, with `results` an object keyed by call id.
    ///
    /// # Errors
    ///
    /// What the producer got wrong: no list of calls, or an unknown hole.
    pub fn parse(input: &'a Value) -> Result<Self, FrictionInputError> {
        let tools_called = input.get("toolsCalled").and_then(Value::as_array);
        let evidence_hole = match input.get("evidenceHole") {
            None => None,
            Some(hole) => {
                let known = hole.as_str().and_then(FrictionGap::from_wire);
                Some(known.ok_or(FrictionInputError::EvidenceHole)?)
            }
        };
        Ok(Self {
            tools_called: tools_called.ok_or(FrictionInputError::ToolsCalled)?,
            results: results(input.get("results")),
            evidence_hole,
        })
    }
}

/// The results in a transcript. Items that hold only what the model saw are none, and a later item replaces an earlier.
pub fn results_of_messages(messages: &[Value]) -> CallResults<'_> {
    tool_result_items(messages)
        .filter(|(_, item)| item.get("result").is_some())
        .map(untimed)
        .collect()
}

/// The `tool-result` items of a transcript that name a call, each with the call's id.
pub(super) fn tool_result_items(messages: &[Value]) -> impl Iterator<Item = (&str, &Value)> {
    let is_tool = |message: &&Value| message.get("role").is_some_and(|role| role == "tool");
    let contents = messages.iter().filter(is_tool).filter_map(|message| message.get("content"));
    let items = contents.filter_map(Value::as_array).flatten();
    items.filter(|item| item.get("type").is_some_and(|kind| kind == "tool-result")).filter_map(
        |item| {
            let id = item.get("toolCallId")?.as_str().filter(|id| !id.is_empty())?;
            Some((id, item))
        },
    )
}

fn untimed<'a>((id, raw): (&'a str, &'a Value)) -> (&'a str, ResultEntry<'a>) {
    (id, ResultEntry { raw, is_error: false, started_at_ms: None, settled_at_ms: None })
}

fn results(results: Option<&Value>) -> CallResults<'_> {
    let entries = results.and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(id, entry)| Some((id.as_str(), result_entry(entry)?))).collect()
}

fn result_entry(entry: &Value) -> Option<ResultEntry<'_>> {
    let entry = entry.as_object()?;
    let number = |key: &str| entry.get(key).and_then(Value::as_f64);
    Some(ResultEntry {
        raw: entry.get("raw").unwrap_or(&Value::Null),
        is_error: entry.get("isError") == Some(&Value::Bool(true)),
        started_at_ms: number("startedAtMs"),
        settled_at_ms: number("settledAtMs"),
    })
}
