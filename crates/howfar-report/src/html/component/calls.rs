//! Expected and actual calls of a trial in four groups (missing, extra, out of order, argument mismatch), then every
//! call that was made.

use askama::Template;
use howfar_wire::matching::ArgumentMismatch;
use howfar_wire::report::{PolicyBlock, ToolCallReport, TrialReport, TurnReport};
use howfar_wire::transcript::ToolCall;
use howfar_wire::vocabulary::Vocabulary as _;
use serde_json::Value;

use super::{JsonView, Level, LongText};
use crate::call_groups::CallGroups;
use crate::html::units;
use crate::text::clip;

/// How many calls of one group, or of the list of all, are shown.
const CALLS: usize = 60;

/// How many characters of a tool's name are shown.
const NAME: usize = 128;

/// The calls of one trial.
#[derive(Debug, Template)]
#[template(path = "component/calls.html")]
pub struct CallsPanel<'a> {
    level: Level,
    turns: Vec<Turn<'a>>,
    made: Vec<Made<'a>>,
    made_in_all: usize,
    blocked: &'a [PolicyBlock],
}

/// One turn with expectations or unexpected calls.
#[derive(Debug)]
struct Turn<'a> {
    /// From 1; absent when the trial has one turn only.
    number: Option<u32>,
    passed: bool,
    expected: usize,
    groups: Vec<Group<'a>>,
    mismatches: Vec<Mismatch<'a>>,
    mismatches_in_all: usize,
}

/// A group of calls with its words.
#[derive(Debug)]
struct Group<'a> {
    name: &'static str,
    note: &'static str,
    calls: Vec<Call<'a>>,
    in_all: usize,
}

#[derive(Debug)]
struct Call<'a> {
    tool: String,
    arguments: Option<JsonView<'a>>,
}

#[derive(Debug)]
struct Mismatch<'a> {
    tool: String,
    expected: JsonView<'a>,
    actual: JsonView<'a>,
    /// The keys whose values differ, in the expected order and then the actual one.
    keys: String,
}

#[derive(Debug)]
struct Made<'a> {
    number: usize,
    turn: Option<u32>,
    tool: String,
    server: Option<&'a str>,
    arguments: Value,
    raw: Option<LongText<'a>>,
    duration: Option<String>,
    error: Option<LongText<'a>>,
}

impl<'a> CallsPanel<'a> {
    /// The calls of a trial.
    pub fn new(trial: &'a TrialReport, level: Level) -> Self {
        let several = trial.turns.len() > 1
            || trial.turns.iter().any(|turn| turn.prompt_index > 0)
            || trial.tool_calls.iter().any(|call| call.prompt_index > 0);
        let made = trial.tool_calls.iter().enumerate().take(CALLS);
        Self {
            level,
            turns: trial.turns.iter().map(|turn| Turn::new(turn, several)).collect(),
            made: made.map(|(index, call)| Made::new(index, call, several)).collect(),
            made_in_all: trial.tool_calls.len(),
            blocked: &trial.policy_blocks,
        }
    }
}

impl<'a> Turn<'a> {
    fn new(turn: &'a TurnReport, several: bool) -> Self {
        let groups = CallGroups::of(turn);
        let extra_note =
            if turn.passed { "made, not expected, tolerated" } else { "made, not expected" };
        Self {
            number: several.then_some(turn.prompt_index + 1),
            passed: turn.passed,
            expected: turn.expected.len(),
            mismatches: groups.mismatches.iter().take(CALLS).map(Mismatch::new).collect(),
            mismatches_in_all: groups.mismatches.len(),
            groups: vec![
                Group::new("Missing", "expected, never made", &groups.missing),
                Group::new("Extra", extra_note, &groups.extra),
                Group::new("Out of order", "made at another place", &groups.out_of_order),
            ],
        }
    }
}

impl<'a> Group<'a> {
    fn new(name: &'static str, note: &'static str, calls: &[&'a ToolCall]) -> Self {
        let call = |call: &&'a ToolCall| Call {
            tool: clip(&call.tool_name, NAME).into_owned(),
            arguments: (!call.arguments.is_null()).then_some(JsonView(&call.arguments)),
        };
        Self {
            name,
            note,
            calls: calls.iter().take(CALLS).map(call).collect(),
            in_all: calls.len(),
        }
    }
}

impl<'a> Mismatch<'a> {
    fn new(mismatch: &'a ArgumentMismatch) -> Self {
        Self {
            tool: clip(&mismatch.tool_name, NAME).into_owned(),
            expected: JsonView(&mismatch.expected_args),
            actual: JsonView(&mismatch.actual_args),
            keys: differing_keys(&mismatch.expected_args, &mismatch.actual_args),
        }
    }
}

impl<'a> Made<'a> {
    fn new(index: usize, call: &'a ToolCallReport, several: bool) -> Self {
        Self {
            number: index + 1,
            turn: several.then_some(call.prompt_index + 1),
            tool: clip(&call.tool_name, NAME).into_owned(),
            server: call.server_name.as_deref(),
            arguments: Value::Object(call.arguments.clone()),
            raw: call.raw_arguments.as_deref().map(LongText::new),
            duration: call.duration_ms.map(units::duration),
            error: call.error.as_deref().map(LongText::new),
        }
    }

    fn arguments(&self) -> JsonView<'_> {
        JsonView(&self.arguments)
    }
}

/// The top-level keys that are expected with another value, or not there at all.
fn differing_keys(expected: &Value, actual: &Value) -> String {
    let Some(expected) = expected.as_object() else { return String::new() };
    let differs = |(key, value): &(&String, &Value)| actual.get(key.as_str()) != Some(*value);
    let keys: Vec<&str> =
        expected.iter().filter(differs).take(12).map(|(key, _)| key.as_str()).collect();
    keys.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture::{call, held, turn};

    fn shown(turn: TurnReport) -> String {
        let mut trial = held();
        trial.tool_calls = vec![call("find<b>", &json!({"q": 1}))];
        trial.turns = vec![turn];
        CallsPanel::new(&trial, Level::Case).to_string()
    }

    #[test]
    fn the_four_groups_are_always_named_with_their_counts() {
        let missing = vec![ToolCall::new("a", json!({})), ToolCall::new("b", json!({}))];
        let unexpected = vec![ToolCall::new("b", json!({})), ToolCall::new("c", json!({"x": 1}))];
        let shown = shown(TurnReport { missing, unexpected, ..turn() });
        for words in
            ["Missing <b>1</b>", "Extra <b>1</b>", "Out of order <b>1</b>", "mismatch <b>0</b>"]
        {
            assert!(shown.contains(words), "{words}: {shown}");
        }
        assert!(shown.contains("find&#60;b&#62;"), "{shown}");
    }

    #[test]
    fn a_mismatch_names_the_keys_that_differ() {
        let mismatch = ArgumentMismatch {
            tool_name: "t".to_owned(),
            expected_args: json!({"a": 1, "b": 2}),
            actual_args: json!({"a": 1, "b": 3}),
        };
        let shown = shown(TurnReport { argument_mismatches: vec![mismatch], ..turn() });
        assert!(shown.contains("differs at <code>b</code>"), "{shown}");
    }

    #[test]
    fn tolerated_extra_calls_are_called_so() {
        let unexpected = vec![ToolCall::new("c", json!({}))];
        assert!(shown(TurnReport { unexpected, passed: true, ..turn() }).contains("tolerated"));
    }
}
