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

/// The authored assertions of one turn, compiled for the engine that gives one result per assertion (predicates 11.5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CompiledTurn {
    /// The turn's index, from 0.
    pub turn_index: u64,
    /// The step that opened the turn; null for a turn that an earlier step needed.
    pub opened_by: Option<String>,
    /// Whether the turn is a pinned tool call.
    pub pinned: bool,
    /// The expectations, in authored order.
    pub expectations: Vec<CallExpectation>,
    /// How the order binds.
    pub order: ToolCallOrder,
    /// The most unexpected calls that still pass; null for no limit.
    pub extras_cap: Option<u64>,
    /// Whether any call at all fails the turn.
    pub negative: bool,
    /// The expected calls as the matcher of a whole case takes them.
    pub legacy_expected: Vec<ToolCall>,
    /// The argument mode of that matcher.
    pub legacy_argument_matching: ArgumentMatching,
}

/// One authored assertion that a tool is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CallExpectation {
    /// The step's id.
    pub step_id: String,
    /// The step's place among all steps, from 0.
    pub position: u64,
    /// The tool.
    pub tool_name: String,
    /// The expected arguments.
    pub args: Value,
    /// How they are compared.
    pub argument_matching: ArgumentMatching,
    /// How many calls are expected; 1 when the authored count is invalid.
    pub min_count: u64,
    /// Present and true when the authored count is invalid, which fails the assertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid_min_count: Option<bool>,
}

/// The results of every turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AssertionReport {
    /// One result per turn.
    pub turns: Vec<TurnAssertions>,
    /// Whether every turn passed.
    pub passed: bool,
    /// What the matcher of the whole case says.
    pub matcher_equivalent: bool,
}

/// The results of one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TurnAssertions {
    /// The turn's index, from 0.
    pub turn_index: u64,
    /// One result per authored assertion.
    pub assertions: Vec<AssertionResult>,
    /// Whether the order held.
    pub sequence: SequenceResult,
    /// Whether unexpected calls stayed within the cap.
    pub extras: ExtrasResult,
    /// Whether a negative turn stayed without calls.
    pub negative: NegativeResult,
    /// Whether all of these passed.
    pub passed: bool,
    /// What the matcher of a whole case says about the turn.
    pub matcher_equivalent: bool,
    /// The lists of that matcher.
    pub matcher: MatcherLists,
}

/// The result of one authored assertion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AssertionResult {
    /// The step's id.
    pub step_id: String,
    /// The step's place among all steps, from 0.
    pub position: u64,
    /// Whether it held. Order never fails an assertion.
    pub passed: bool,
    /// What failed it; null when it held.
    pub failure_kind: Option<AssertionFailure>,
    /// Expected calls without a partner.
    pub missing_slots: u64,
    /// Expected calls whose partner has other arguments.
    pub argument_mismatch_slots: u64,
    /// Expected calls whose partner stands elsewhere.
    pub out_of_order_slots: u64,
    /// The partners among all calls of the turn, by index from 0, ascending.
    pub paired_call_indexes: Vec<u64>,
    /// The identifiers of those that have one.
    pub paired_call_ids: Vec<String>,
}

vocabulary! {
    /// What fails an authored assertion.
    AssertionFailure = "assertionFailures", "What fails an authored assertion about a tool call." {
        /// An expected call did not happen.
        Missing = "missing" => "an expected call did not happen",
        /// It happened with other arguments.
        Arguments = "arguments" => "it happened with other arguments",
    }
}

/// Whether the order held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SequenceResult {
    /// Whether no expected call stands elsewhere.
    pub passed: bool,
    /// How the order binds.
    pub mode: ToolCallOrder,
    /// Expected calls whose partner stands elsewhere.
    pub out_of_order_slots: u64,
}

/// Whether unexpected calls stayed within the cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExtrasResult {
    /// Whether they did; pinned and negative turns are exempt.
    pub passed: bool,
    /// Visible calls without a partner.
    pub count: u64,
    /// The cap; null for no limit.
    pub cap: Option<u64>,
}

/// Whether a negative turn stayed without calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NegativeResult {
    /// Whether the turn is negative.
    pub active: bool,
    /// Whether it stayed without calls; true when it is not negative.
    pub passed: bool,
    /// Visible calls.
    pub call_count: u64,
}

/// The lists of the matcher of a whole case, for one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MatcherLists {
    /// Expected calls without a partner.
    pub missing: Vec<ToolCall>,
    /// Observed calls without a partner.
    pub unexpected: Vec<ToolCall>,
    /// Pairs of the same name whose arguments differ.
    pub argument_mismatches: Vec<ArgumentMismatch>,
}
