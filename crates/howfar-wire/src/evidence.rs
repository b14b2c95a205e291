//! The trial evidence document: everything that one trial recorded, and the only input of every derived document.
//!
//! The keys `authored`, `evidence`, `iteration` and `policy` are those of a derivation input
//! ([`crate::chain::StageInput`]), so every evidence document can be derived as it is; the other keys carry what the
//! checks, the timeline and later derivations read. The runner writes it; nothing here is computed from the rows.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chain::{Authored, Evidence, Iteration, Policy, StageInput};
use crate::judge::Judgement;
use crate::report::{PolicyBlock, TokenUse, ToolCallReport};
use crate::scorecard::ScorecardRow;
use crate::transcript::Transcript;
use crate::verdict::VerdictPolicy;
use crate::vocabulary::{RefusalKind, TaskVerdict, vocabulary};

/// The version of [`TrialEvidence`]. A reader refuses a newer one; an added optional key does not raise it.
pub const TRIAL_EVIDENCE_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`TrialEvidence`].
pub const TRIAL_EVIDENCE_KIND: &str = "trial-evidence";

/// Everything that one trial recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrialEvidence<'a> {
    /// [`TRIAL_EVIDENCE_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`TRIAL_EVIDENCE_KIND`].
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The suite's declared id.
    pub suite_id: String,
    /// The case's declared id.
    pub case_id: String,
    /// The case's title.
    pub title: String,
    /// The case's intent label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// The provider; absent for a case that needs no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model as planned (`provider/model`); absent for a case that needs no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Derivation input: what the case asserts.
    pub authored: Authored,
    /// Derivation input: what was recorded, with complete call lists.
    #[serde(borrow)]
    pub evidence: Evidence<'a, Value>,
    /// Derivation input: whether the trial ran.
    #[serde(borrow)]
    pub iteration: Iteration<'a>,
    /// Derivation input: a block of the whole trial by policy. Blocked single calls are in `policyBlocks`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy<'a>>,
    /// What grading decided; only for a gradeable, completed trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_verdict: Option<TaskVerdict>,
    /// `true` when a required check could not be measured on a completed trial.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub evaluator_error: bool,
    /// What kind of refusal of the model provider ended the trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<RefusalKind>,
    /// What makes the run valid, as the suite says; absent in evidence of other origin, and then the defaults hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validity: Option<VerdictPolicy>,
    /// The case as resolved.
    pub case: Value,
    /// What the checks read.
    pub transcript: Transcript,
    /// Every tool call with its outcome, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCallReport>,
    /// The conversation, as sent to and received from the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Value>,
    /// What happened when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<TimelineSpan>,
    /// Calls that the tool policy blocked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy_blocks: Vec<PolicyBlock>,
    /// What every grader of the trial found, in authored order; the built-in rows of a scorecard come from the chain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<ScorecardRow>,
    /// What the judge of the trial said; absent when the suite has none. Its row stands last in `checks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judgement>,
    /// Where a required judge grades: what every other grader decided. Absent elsewhere, and when a required check could
    /// not be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks_verdict: Option<TaskVerdict>,
    /// Sum of the end-to-end times of the trial's turns, in milliseconds.
    pub duration_ms: f64,
    /// Token use; absent when the provider reported none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenUse>,
    /// What the provider says the trial cost, in US dollars; absent when it did not say so of every model step. A trial
    /// without model calls has a measured zero. No price list is applied: absent is unknown, never free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl TrialEvidence<'_> {
    /// The document as a derivation input.
    pub fn stage_input(&self) -> StageInput<'_, Value> {
        StageInput {
            authored: self.authored.clone(),
            evidence: self.evidence.clone(),
            iteration: self.iteration.clone(),
            policy: self.policy.clone(),
        }
    }

    /// The same with owned text.
    pub fn into_owned(self) -> TrialEvidence<'static> {
        TrialEvidence {
            schema_version: self.schema_version,
            kind: self.kind,
            run_id: self.run_id,
            suite_id: self.suite_id,
            case_id: self.case_id,
            title: self.title,
            intent: self.intent,
            iteration_number: self.iteration_number,
            provider: self.provider,
            model: self.model,
            authored: self.authored,
            evidence: self.evidence.into_owned(),
            iteration: self.iteration.into_owned(),
            policy: self.policy.map(Policy::into_owned),
            task_verdict: self.task_verdict,
            evaluator_error: self.evaluator_error,
            refusal: self.refusal,
            validity: self.validity,
            case: self.case,
            transcript: self.transcript,
            calls: self.calls,
            messages: self.messages,
            timeline: self.timeline,
            policy_blocks: self.policy_blocks,
            checks: self.checks,
            judge: self.judge,
            checks_verdict: self.checks_verdict,
            duration_ms: self.duration_ms,
            tokens: self.tokens,
            cost_usd: self.cost_usd,
        }
    }
}

vocabulary! {
    /// What a span of the timeline covers (suite and runner, section B9).
    SpanCategory = "spanCategories", "What a span of the timeline covers." {
        /// One model step, with its calls.
        Step = "step" => "model step",
        /// The model's part of a step.
        Llm = "llm" => "model",
        /// One tool call.
        Tool = "tool" => "tool call",
        /// An error that ended a turn.
        Error = "error" => "error",
    }
}

vocabulary! {
    /// How a span ended.
    SpanStatus = "spanStatuses", "How a span of the timeline ended." {
        /// As it should.
        Ok = "ok" => "ok",
        /// With an error.
        Error = "error" => "error",
    }
}

/// One span of a trial's timeline. Times are milliseconds from the trial's start; `end_ms` is at least `start_ms + 1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TimelineSpan {
    /// Unique in the trial.
    pub id: String,
    /// The span around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// `Step 1`, `Model`, a tool's name, an error's text.
    pub name: String,
    /// What it covers.
    pub category: SpanCategory,
    /// Start.
    pub start_ms: f64,
    /// End.
    pub end_ms: f64,
    /// The turn, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_index: Option<u32>,
    /// The model step of the turn, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_index: Option<u32>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<SpanStatus>,
    /// The model's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The server that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Tokens sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Why the model stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// The provider's id of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_id: Option<String>,
    /// The JSON-RPC error code, or a transport-local code (-32000, -32001) when no answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_error_code: Option<i64>,
}
