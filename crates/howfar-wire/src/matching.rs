//! What the tool-call matcher takes and gives (predicates, section 11).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::transcript::ToolCall;
use crate::vocabulary::vocabulary;

vocabulary! {
    /// How the order of expected calls binds.
    ToolCallOrder = "toolCallOrders", "How the order of expected tool calls binds." {
        /// Any order.
        Ignore = "ignore" => "in any order",
        /// The same position.
        Strict = "strict" => "at the same position",
        /// The same order, with other calls between.
        Superset = "superset" => "in order, with other calls between",
    }
}

vocabulary! {
    /// How arguments are compared.
    ArgumentMatching = "argumentMatchings", "How expected arguments are compared with observed ones." {
        /// Every expected top-level key, with placeholders.
        Partial = "partial" => "expected keys only",
        /// The whole object.
        Exact = "exact" => "the whole object",
        /// Not at all.
        Ignore = "ignore" => "not compared",
    }
}

/// The settled options of the matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MatchOptions {
    /// How the order binds.
    pub tool_call_order: ToolCallOrder,
    /// How arguments are compared.
    pub argument_matching: ArgumentMatching,
    /// The most unexpected calls that still pass; null means that they are reported and never fatal.
    pub max_extra_tool_calls: Option<u64>,
}

impl Default for MatchOptions {
    /// Any order, partial arguments, extra calls never fatal.
    fn default() -> Self {
        Self {
            tool_call_order: ToolCallOrder::Ignore,
            argument_matching: ArgumentMatching::Partial,
            max_extra_tool_calls: None,
        }
    }
}

/// An expected call that was paired with an observed one of the same name and other arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArgumentMismatch {
    /// The tool of both.
    pub tool_name: String,
    /// The expected arguments.
    pub expected_args: Value,
    /// The observed arguments.
    pub actual_args: Value,
}

/// The outcome of matching one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MatchResult {
    /// Expected calls without a partner.
    pub missing: Vec<ToolCall>,
    /// Observed calls without a partner. Reports and turn summaries call them unexpected.
    pub extra: Vec<ToolCall>,
    /// Always empty; kept because readers expect the key.
    pub out_of_order: Vec<ToolCall>,
    /// Pairs of the same name whose arguments differ.
    pub argument_mismatches: Vec<ArgumentMismatch>,
    /// Whether nothing is missing or mismatched and the extra calls are within the cap.
    pub passed: bool,
}

/// The outcome of one turn in a whole case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromptSummary {
    /// The turn's index, from 0.
    pub prompt_index: u64,
    /// The prompt's text.
    pub prompt: String,
    /// The outcome that the author described; absent when none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_output: Option<String>,
    /// The calls of the turn.
    pub actual_tool_calls: Vec<ToolCall>,
    /// The calls that were expected of the turn.
    pub expected_tool_calls: Vec<ToolCall>,
    /// Expected calls without a partner.
    pub missing: Vec<ToolCall>,
    /// Observed calls without a partner.
    pub unexpected: Vec<ToolCall>,
    /// Pairs of the same name whose arguments differ.
    pub argument_mismatches: Vec<ArgumentMismatch>,
    /// Whether the turn passed.
    pub passed: bool,
}

/// The outcome of a whole case, turn by turn (predicates 11.3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CaseMatch {
    /// The expected calls of every turn.
    pub expected_tool_calls: Vec<ToolCall>,
    /// The observed calls of every turn.
    pub tools_called: Vec<ToolCall>,
    /// Expected calls without a partner, of every turn.
    pub missing: Vec<ToolCall>,
    /// Observed calls without a partner, of every turn.
    pub unexpected: Vec<ToolCall>,
    /// Mismatched pairs of every turn.
    pub argument_mismatches: Vec<ArgumentMismatch>,
    /// Whether no asserted turn failed; true when no turn asserts anything.
    pub passed: bool,
    /// One summary per turn.
    pub prompt_summaries: Vec<PromptSummary>,
    /// The number of turns.
    pub turn_count: u64,
    /// The number of asserted turns that failed.
    pub failed_turn_count: u64,
    /// The index of the first failed turn; absent when none failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_failed_turn_index: Option<u64>,
}
