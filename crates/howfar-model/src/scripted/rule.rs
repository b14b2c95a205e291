//! Rules of a script: which one answers, and what its turns hold.

use std::time::Duration;

use serde_json::Value;

use super::document::{CatalogDocument, SimulatedFailure, WhenDocument};
use super::template::{ArgumentTemplate, Template};
use crate::conversation::{ModelRequest, ToolSpec, Usage};

/// One rule: a condition and the turns that answer while it holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) line: u64,
    pub(super) when: WhenDocument,
    pub(super) turns: Vec<Turn>,
}

/// One turn of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    pub(super) line: u64,
    pub(super) delay: Duration,
    pub(super) act: Act,
}

/// What a turn does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// It fails as a provider would.
    Fail(SimulatedFailure),
    /// It answers.
    Answer {
        say: Template,
        calls: Vec<Call>,
        usage: Option<Usage>,
        cost_usd: Option<f64>,
        finish_reason: Option<String>,
    },
}

/// One scripted tool call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) tool: String,
    pub(super) arguments: CallArguments,
}

/// What a scripted call passes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CallArguments {
    /// An object whose texts may hold references.
    Object(ArgumentTemplate),
    /// Exactly this text, well-formed or not.
    Text(String),
}

impl WhenDocument {
    /// Whether the rule answers the newest prompt; every condition written must hold.
    pub(super) fn holds(&self, request: &ModelRequest) -> bool {
        let prompt = request.last_prompt().unwrap_or_default();
        self.user.as_ref().is_none_or(|text| prompt.contains(text.as_str()))
            && self.case.as_ref().is_none_or(|case| *case == request.trial.case_id)
            && self.prompt.is_none_or(|ordinal| ordinal == request.prompts())
            && self.trials.as_ref().is_none_or(|trials| trials.contains(&request.trial.trial))
            && self.catalog.as_ref().is_none_or(|catalog| catalog.holds(&request.tools))
    }

    /// Whether the rule has no condition at all.
    pub(super) fn is_always(&self) -> bool {
        *self == Self::default()
    }
}

impl CatalogDocument {
    /// Whether one and the same tool meets every condition written.
    fn holds(&self, tools: &[ToolSpec]) -> bool {
        tools.iter().any(|tool| {
            self.tool.as_ref().is_none_or(|name| *name == tool.name)
                && self.description_contains.as_ref().is_none_or(|text| describes(tool, text))
                && self.has_argument.as_ref().is_none_or(|name| takes(tool, name))
        })
    }
}

fn describes(tool: &ToolSpec, text: &str) -> bool {
    tool.description.as_ref().is_some_and(|description| description.contains(text))
}

fn takes(tool: &ToolSpec, argument: &str) -> bool {
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| properties.contains_key(argument))
}
