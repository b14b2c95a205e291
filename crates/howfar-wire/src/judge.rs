//! What a judge said about one trial, and how it was asked (suite and runner, sections C1 and C2).
//!
//! A judgement is recorded once and never changed. It carries what a later reader needs to hold two judgements against
//! each other: the identity of the judge, the digest of what it read, and the model.

use serde::{Deserialize, Serialize};

use crate::chain::{JudgeStatus, JudgeVerdict, PendingKind};
use crate::report::TokenUse;
use crate::scorecard::Role;
use crate::suite::Rubric;
use crate::vocabulary::vocabulary;

/// The version of [`Judgement`]. A reader refuses a newer one; an added optional key does not raise it.
pub const JUDGEMENT_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`Judgement`].
pub const JUDGEMENT_KIND: &str = "goal-judgement";

vocabulary! {
    /// Why a judge gave no score. It blames nobody: an errored judge is never a low score.
    JudgeErrorCode = "judgeErrorCodes", "Why a judge gave no score. An errored judge is never a low score." {
        /// The record of the trial is missing, of another version or not complete, so it is not graded.
        EvidenceUnavailable = "judge_evidence_unavailable" => "the record of the trial is not complete",
        /// Nobody said how much the judge's model reads at once.
        ModelLimitsUnknown = "judge_model_limits_unknown" => "the context window of the judge's model is not known",
        /// The record holds media that the judge's model does not read.
        EvidenceUnsupported = "judge_evidence_unsupported" => "the judge's model does not read what the record holds",
        /// The record is too big for the judge's model; it is never summarized.
        ContextLimit = "judge_context_limit" => "the record is too big for the judge's model",
        /// The judge's answer is not a score, a reason and a list of texts.
        OutputInvalid = "judge_output_invalid" => "the judge's answer has another shape",
        /// The calls that the judge may make are used up.
        BudgetExhausted = "judge_budget_exhausted" => "the calls that the judge may make are used up",
        /// The judge's own clock fired.
        DeadlineExceeded = "judge_deadline_exceeded" => "the judge did not answer in time",
        /// The judge could not be asked, or its provider refused.
        CallFailed = "judge_call_failed" => "the judge could not be asked",
    }
}

vocabulary! {
    /// What a judge grades against; absent when only the request itself is there.
    RubricSource = "rubricSources", "What a judge grades against; nothing of it when only the request itself is there." {
        /// The expected output of the case.
        ExpectedOutput = "expected_output" => "the expected output",
        /// The calls that the case expects.
        Assertions = "assertions" => "the expected route",
        /// The criteria of the suite.
        SuiteCriteria = "suite_criteria" => "the criteria of the suite",
    }
}

vocabulary! {
    /// Why a judge was not asked.
    JudgeSkipReason = "judgeSkipReasons", "Why a judge was not asked." {
        /// The case or the suite switched it off.
        Disabled = "disabled" => "switched off",
        /// The suite does not let a run judge by itself.
        NotAutomatic = "notAutomatic" => "not asked for: `autoRun` is off",
        /// No model is named for it.
        NoModel = "noModel" => "no model is named for the judge",
        /// The case has no prompt, so there is no request to grade.
        NoRequest = "noRequest" => "the case has no prompt, so there is no request to grade",
        /// The trial did not complete.
        TrialNotCompleted = "trialNotCompleted" => "the trial did not complete",
    }
}

/// How the judge of a case is set up. Recorded with the run, so that stored evidence can be graded later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JudgeRecord {
    /// Why no judge is asked; absent when one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<JudgeSkipReason>,
    /// Whether a low score fails the trial.
    pub role: Role,
    /// The score that passes, a fraction.
    pub threshold: f64,
    /// `provider/model`; absent when none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether a script answers in place of a model.
    pub scripted: bool,
    /// SHA-256 of the script's text; absent for a model that needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_digest: Option<String>,
    /// What the suite says that it grades against; absent when it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric: Option<Rubric>,
    /// Digest of the judge's wording, its answer's shape and its numbers. Judgements of different identities are not
    /// comparable.
    pub identity: String,
}

/// What a judge said about one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Judgement {
    /// [`JUDGEMENT_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`JUDGEMENT_KIND`].
    pub kind: String,
    /// The case's declared id.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// Whether a low score fails the trial.
    pub role: Role,
    /// The score that passes, a fraction.
    pub threshold: f64,
    /// Digest of the judge's wording, its answer's shape and its numbers.
    pub identity: String,
    /// `provider/model`; absent when none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether a script answered in place of a model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scripted: bool,
    /// How far the judging got.
    pub status: JudgeStatus,
    /// With `pending`: whether a verdict is owed at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_kind: Option<PendingKind>,
    /// With `skipped`: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<JudgeSkipReason>,
    /// With `error`: what broke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<JudgeError>,
    /// With `scored`: the score that counts, a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// With `scored`: whether the score reached the threshold. The judge does not say this; it follows from the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    /// With `scored`: the band of the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<JudgeVerdict>,
    /// With `scored`: the judge's reason, cut to 2000 UTF-16 units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With `scored`: what the judge cites; unmet expectations start with `missing: `. At most 20 of at most 300 units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rubric_hits: Vec<String>,
    /// What it was graded against; absent when only the request itself was there, and then the score counts up to 0.85.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric_source: Option<RubricSource>,
    /// SHA-256 over the evidence as the judge read it; absent when no request could be built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_hash: Option<String>,
    /// What the judge was shown; absent when no request could be built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<JudgeManifest>,
    /// Tokens of the judge's call; absent when it was not asked, or its provider reported none. Never part of the
    /// trial's own tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenUse>,
    /// How long the judge took, in milliseconds; absent when it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
}

/// Why a judge gave no score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JudgeError {
    /// What kind.
    pub code: JudgeErrorCode,
    /// For a person, redacted and cut to 500 UTF-16 units.
    pub message: String,
    /// The HTTP status of the provider's answer; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
}

/// What a judge was shown of one trial. Names and counts only, no content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JudgeManifest {
    /// The version of the evidence block.
    pub version: u32,
    /// Always `true`: a truncated record is never graded.
    pub trace_complete: bool,
    /// The fields of the trace, sorted.
    pub trace_fields: Vec<String>,
    /// Messages of the trace.
    pub messages: u64,
    /// Spans of the trace.
    pub spans: u64,
    /// Where each piece of media comes from, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifact_sources: Vec<String>,
    /// What was seen and not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncaptured: Vec<String>,
    /// Bytes of the two messages in UTF-8.
    pub input_bytes: u64,
}

/// One grading of a run: the judge of each case that was graded, over evidence that was stored before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Grading {
    /// The judge of each case, in file order. A case that is not named here keeps the judgements it has.
    pub cases: Vec<GradedCase>,
}

/// The judge of one case in a grading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GradedCase {
    /// The case's declared id.
    pub case_id: String,
    /// Its judge.
    pub judge: JudgeRecord,
}
