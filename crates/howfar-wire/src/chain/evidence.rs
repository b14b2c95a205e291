//! What a trial recorded, as far as the chain reads it (derivation, section 2.2).

use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::judge::{JudgeEvidence, MetadataAttribution};
use super::setup::SetupSignals;
use super::text::{Elided, Text, is_false, null_as_default};

/// What a trial recorded. Every part is optional; an empty list means the same as an absent one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    bound(serialize = "D: Serialize", deserialize = "D: Deserialize<'de>, 'de: 'a")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence<'a, D = Elided> {
    /// Whether no trace at all was recorded. A hint: spans are read even so.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "is_false")]
    pub trace_absent: bool,
    /// Whether a trace exists whose executor never reports spans.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "is_false")]
    pub trace_lacks_span_channel: bool,
    /// What the trace shows, in recorded order.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub spans: Vec<Span<'a>>,
    /// The matcher's findings per prompt.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<PromptRecord<D>>,
    /// How many tools the catalogs held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_signals: Option<ToolSignals>,
    /// Results of authored checks.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub predicate_results: Vec<PredicateResult<'a>>,
    /// Tool errors.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tool_errors: Vec<ToolErrorRecord<'a>>,
    /// The error that ended a step; absent when none did.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub step_error: Option<StepError<'a>>,
    /// What was seen of rendered widgets.
    #[serde(
        borrow,
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub render_observations: Vec<RenderObservation<'a>>,
    /// How connecting and listing went.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub setup_signals: Option<SetupSignals<'a>>,
    /// Whether the grader broke.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "is_false")]
    pub evaluator_errored: bool,
    /// What a judge said about the answer.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub judge_evidence: Option<JudgeEvidence<'a>>,
    /// Whether a wrong selection is put down to the catalog's texts; decides a category only.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub metadata_attribution: Option<MetadataAttribution<'a>>,
}

impl<D> Default for Evidence<'_, D> {
    fn default() -> Self {
        Self {
            trace_absent: false,
            trace_lacks_span_channel: false,
            spans: Vec::new(),
            prompts: Vec::new(),
            tool_signals: None,
            predicate_results: Vec::new(),
            tool_errors: Vec::new(),
            step_error: None,
            render_observations: Vec::new(),
            setup_signals: None,
            evaluator_errored: false,
            judge_evidence: None,
            metadata_attribution: None,
        }
    }
}

impl<D> Evidence<'_, D> {
    /// The same evidence with owned text.
    pub fn into_owned(self) -> Evidence<'static, D> {
        Evidence {
            trace_absent: self.trace_absent,
            trace_lacks_span_channel: self.trace_lacks_span_channel,
            spans: owned(self.spans, Span::into_owned),
            prompts: self.prompts,
            tool_signals: self.tool_signals,
            predicate_results: owned(self.predicate_results, PredicateResult::into_owned),
            tool_errors: owned(self.tool_errors, ToolErrorRecord::into_owned),
            step_error: self.step_error.map(StepError::into_owned),
            render_observations: owned(self.render_observations, RenderObservation::into_owned),
            setup_signals: self.setup_signals.map(SetupSignals::into_owned),
            evaluator_errored: self.evaluator_errored,
            judge_evidence: self.judge_evidence.map(JudgeEvidence::into_owned),
            metadata_attribution: self.metadata_attribution.map(MetadataAttribution::into_owned),
        }
    }
}

/// A list with every item made owned.
pub(super) fn owned<T, O>(items: Vec<T>, into_owned: impl Fn(T) -> O) -> Vec<O> {
    items.into_iter().map(into_owned).collect()
}

/// One span of a trace. A *tool span* is one with category `tool`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span<'a> {
    /// Its id; a span without one can never be cited.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    /// What kind of work it covers; `tool` for a tool call.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Text<'a>>,
    /// `ok` or `error`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Text<'a>>,
    /// The tool, for readers.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<Text<'a>>,
    /// The prompt it belongs to, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_index: Option<Number>,
    /// The protocol error that answered instead of a result. Its presence alone makes the span failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_error_code: Option<Number>,
}

impl Span<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> Span<'static> {
        Span {
            id: self.id.map(Text::into_owned),
            category: self.category.map(Text::into_owned),
            status: self.status.map(Text::into_owned),
            tool_name: self.tool_name.map(Text::into_owned),
            prompt_index: self.prompt_index,
            mcp_error_code: self.mcp_error_code,
        }
    }
}

/// What the matcher found for one prompt. Of the lists a derivation reads only whether they are empty; a document keeps
/// them whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    bound(serialize = "D: Serialize", deserialize = "D: Deserialize<'de>")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PromptRecord<D = Elided> {
    /// The prompt's index, copied verbatim into rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_index: Option<Number>,
    /// The calls that the case expects of this turn.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub expected_tool_calls: Vec<D>,
    /// Expected calls that were not made.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<D>,
    /// Calls that were not expected, also those which the match options tolerate.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub unexpected: Vec<D>,
    /// Expected calls that were made with other arguments.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub argument_mismatches: Vec<D>,
    /// The turn's own verdict under the case's match options; absent when nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
}

impl<D> Default for PromptRecord<D> {
    fn default() -> Self {
        Self {
            prompt_index: None,
            expected_tool_calls: Vec::new(),
            missing: Vec::new(),
            unexpected: Vec::new(),
            argument_mismatches: Vec::new(),
            passed: None,
        }
    }
}

/// The result of one authored check.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredicateResult<'a> {
    /// Whether it held; only an explicit `false` is a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    /// The check's own explanation.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text<'a>>,
    /// `error` when it could not be scored; absent means scored.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Text<'a>>,
    /// Which check; a result without one decides at the last link.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<PredicateRef<'a>>,
}

impl PredicateResult<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> PredicateResult<'static> {
        PredicateResult {
            passed: self.passed,
            reason: self.reason.map(Text::into_owned),
            status: self.status.map(Text::into_owned),
            predicate: self.predicate.map(PredicateRef::into_owned),
        }
    }
}

/// Which check a result belongs to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredicateRef<'a> {
    /// The kind, as authored; an unknown kind decides at the last link.
    #[serde(rename = "type", borrow, default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Text<'a>>,
    /// The tool it names, for readers.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<Text<'a>>,
    /// `advisory` results decide nothing; any other role, or none, decides.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Text<'a>>,
}

impl PredicateRef<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> PredicateRef<'static> {
        PredicateRef {
            kind: self.kind.map(Text::into_owned),
            tool_name: self.tool_name.map(Text::into_owned),
            role: self.role.map(Text::into_owned),
        }
    }
}

/// An error that a tool call ended with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolErrorRecord<'a> {
    /// `protocol-error` (no result) or `content-error` (a result that says it is an error); others are ignored.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Text<'a>>,
    /// The tool, for readers.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<Text<'a>>,
}

impl ToolErrorRecord<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> ToolErrorRecord<'static> {
        ToolErrorRecord {
            kind: self.kind.map(Text::into_owned),
            tool_name: self.tool_name.map(Text::into_owned),
        }
    }
}

/// The error that ended a step of the trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepError<'a> {
    /// Whose error it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<StepErrorSource>,
    /// Its code, for readers.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Text<'a>>,
    /// Its HTTP status, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<Number>,
}

impl StepError<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> StepError<'static> {
        StepError {
            source: self.source,
            code: self.code.map(Text::into_owned),
            http_status: self.http_status,
        }
    }
}

/// Whose error ended a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum StepErrorSource {
    /// The model provider's.
    Model,
    /// The environment's.
    Setup,
}

/// What was seen of one rendered widget.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RenderObservation<'a> {
    /// `rendered` is success; anything else, and nothing, is not.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Text<'a>>,
}

impl RenderObservation<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> RenderObservation<'static> {
        RenderObservation { status: self.status.map(Text::into_owned) }
    }
}

/// How many tools the catalogs held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSignals {
    /// Tools listed before any filter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools_total_before: Option<u64>,
    /// Tools shown to the model, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools_exposed: Option<u64>,
}
