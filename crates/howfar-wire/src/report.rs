//! The run report: what one `howfar run` measured and decided, as one JSON document (suite and runner, section D6).
//!
//! Renderers read this type and nothing else. Every count carries its unit in its name or in `unit`; an absent member
//! means "not there", never zero.

mod outline;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::outline::{CheckOutline, JudgeOutline, LinkOutline, ScorecardOutline, TrialOutline};

use crate::analytics::StageAnalytics;
use crate::chain::StageRow;
use crate::friction::{FrictionDocument, FrictionRollup};
use crate::judge::{JudgeRecord, Judgement};
use crate::matching::ArgumentMismatch;
use crate::scorecard::Scorecard;
use crate::transcript::ToolCall;
use crate::verdict::VerdictDecision;
use crate::vocabulary::{
    Attribution, CaseState, CaseVerdict, FailureCategory, IssueCode, IterationStatus, PolicyReason,
    RefusalCategory, RefusalKind, RefusalPhase, SafetyClass, SetupOutcome, Stage, TaskVerdict,
    Termination, Verdict,
};

/// The version of [`RunReport`] and of its metadata.
pub const RUN_REPORT_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`RunReport`].
pub const RUN_REPORT_KIND: &str = "eval-local-run";

/// One run of one suite file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunReport {
    /// [`RUN_REPORT_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`RUN_REPORT_KIND`].
    pub kind: String,
    /// Whether the verdict is `passed`. `false` says nothing about a failure: read `verdict`.
    pub passed: bool,
    /// What was decided.
    pub verdict: Verdict,
    /// Case counts.
    pub summary: ReportSummary,
    /// One row per selected case, in file order.
    pub cases: Vec<CaseReport>,
    /// Wall time of the run in milliseconds.
    pub duration_ms: f64,
    /// How far trials got; absent when no trial was planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analytics: Option<StageAnalytics>,
    /// Friction over the gradeable trials. Report-only; absent when no trial has a friction document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionRollup>,
    /// How the run was made and what affected it.
    pub metadata: RunMetadata,
}

/// Counts of cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportSummary {
    /// Selected cases.
    pub total: u64,
    /// Cases whose verdict is `passed`.
    pub passed: u64,
    /// Cases whose verdict is `failed`. Inconclusive cases are in neither count.
    pub failed: u64,
    /// The same counts by case category.
    pub by_category: std::collections::BTreeMap<String, CategoryCounts>,
}

/// Counts of cases of one category.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CategoryCounts {
    /// All.
    pub total: u64,
    /// Passed.
    pub passed: u64,
    /// Failed.
    pub failed: u64,
}

/// One case of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseReport {
    /// The case's declared id.
    pub id: String,
    /// The case's title.
    pub title: String,
    /// Always `eval-case`.
    pub category: String,
    /// Whether the case's verdict is `passed`.
    pub passed: bool,
    /// `informational` for a case that neither passed nor failed; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// Sum of the trials' durations in milliseconds.
    pub duration_ms: f64,
    /// The first execution error of the case's trials, redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The verdict and the trials.
    pub details: CaseDetails,
}

/// The verdict and the trials of one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseDetails {
    /// The case's declared id.
    pub case_id: String,
    /// The case's verdict.
    pub verdict: CaseVerdict,
    /// The model as planned (`provider/model`); absent for a case that needs no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How the model is reached: `scripted`, `direct` (the provider's own API) or `none`.
    pub rail: String,
    /// One row per trial that has one, in trial order.
    pub iterations: Vec<TrialReport>,
}

/// One trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrialReport {
    /// From 1.
    pub iteration_number: u32,
    /// Whether the trial ran.
    pub status: IterationStatus,
    /// What grading decided; only for a gradeable, completed trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_verdict: Option<TaskVerdict>,
    /// `true` when the grader broke on a completed trial; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub evaluator_error: bool,
    /// The execution error, redacted and cut to 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What kind of refusal of the model provider ended the trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<RefusalKind>,
    /// The tool calls that happened, in order.
    pub tool_calls: Vec<ToolCallReport>,
    /// Expected and actual calls, turn by turn; only turns with expectations or unexpected calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnReport>,
    /// Calls that the tool policy blocked; they never reached the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy_blocks: Vec<PolicyBlock>,
    /// The text of the last assistant message, redacted and cut to 2000 characters; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_message: Option<String>,
    /// The six rows of the chain, in order.
    pub stage_results: Vec<StageRow>,
    /// Where the chain broke first: a location, not a cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_failed_stage: Option<Stage>,
    /// The bucket of a trial that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_category: Option<FailureCategory>,
    /// The analyzer that derived the rows.
    pub stage_analyzer_version: u64,
    /// Every check of the trial with its result.
    pub scorecard: Scorecard,
    /// What the judge of the trial said, and how it was asked; absent when the suite has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judgement>,
    /// Patterns in the trial's calls that may have cost it something. Report-only: it decides nothing. Absent for a
    /// trial that never began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionDocument>,
    /// Sum of the end-to-end times of the trial's prompts and direct calls, in milliseconds.
    pub duration_ms: f64,
    /// Token use; absent when the provider reported none. A trial without model calls has a measured zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenUse>,
    /// What the provider says the trial cost, in US dollars; absent when it did not say so of every model step. Absent is
    /// unknown, never free; a trial without model calls has a measured zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// One tool call as it happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCallReport {
    /// The tool's name as the model used it.
    pub tool_name: String,
    /// The server that answered; absent for a tool that no server has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_name: Option<String>,
    /// The arguments; an empty object when their text was not a JSON object.
    pub arguments: Map<String, Value>,
    /// The argument text verbatim (bounded), only when it was not a JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_arguments: Option<String>,
    /// The prompt turn, from 0.
    pub prompt_index: u32,
    /// From the request's stamp to the answer's, in milliseconds; absent when no answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// The error text, when the call failed; redacted and cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Expected and actual calls of one turn, in the matcher's four groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnReport {
    /// The turn, from 0.
    pub prompt_index: u32,
    /// Whether the turn's calls satisfy its expectations.
    pub passed: bool,
    /// What the case expects.
    pub expected: Vec<ToolCall>,
    /// Expected and never made.
    pub missing: Vec<ToolCall>,
    /// Made and not expected; they may be tolerated.
    pub unexpected: Vec<ToolCall>,
    /// The right tool with other arguments.
    pub argument_mismatches: Vec<ArgumentMismatch>,
}

/// A call that the tool policy blocked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyBlock {
    /// The case.
    pub case_id: String,
    /// The trial, from 1.
    pub iteration_number: u32,
    /// The tool.
    pub tool_name: String,
    /// The model's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The rule that matched.
    pub reason: PolicyReason,
    /// The tool's class by its own annotations.
    pub classification: SafetyClass,
}

/// Token use of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenUse {
    /// Tokens sent to the model.
    pub input: u64,
    /// Tokens the model wrote.
    pub output: u64,
    /// `input + output`.
    pub total: u64,
}

/// How the run was made and what affected it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunMetadata {
    /// [`RUN_REPORT_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The run's id.
    pub run_id: String,
    /// When the run began: UTC, RFC 3339.
    pub started_at: String,
    /// Who ran what, with which settings.
    pub execution: Execution,
    /// Always `local-policy-v2`.
    pub verdict_authority: String,
    /// Always 2.
    pub verdict_policy_version: u32,
    /// The same verdict as at the top.
    pub verdict: Verdict,
    /// The policy's decision over what was measured; `null` when it could not be formed. When the run is not complete
    /// it describes a sample, and `verdict` is `notEstablished`.
    pub decision: Option<VerdictDecision>,
    /// How the run ended.
    pub termination: Termination,
    /// Whether the run ended by itself and every case completed.
    pub complete: bool,
    /// How many trials there were.
    pub population: Population,
    /// What affected the run and did not stop it.
    pub issues: Vec<Issue>,
    /// The suite file.
    pub suite: SuiteIdentity,
    /// The selected and skipped cases.
    pub selection: Selection,
    /// How each case was configured.
    pub cases: Vec<CaseConfiguration>,
    /// The tool policy; `null` when the suite has none.
    pub tool_policy: Option<ToolPolicyReport>,
    /// Always off: nothing is uploaded.
    pub upload: Upload,
    /// Advice about the suite file; never changes the verdict.
    pub warnings: Vec<String>,
}

/// Who ran what, with which settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Execution {
    /// Always `local`.
    pub mode: String,
    /// Always `emulated`: no host application ran.
    pub engine: String,
    /// The product's version.
    pub sdk_version: String,
    /// The analyzer level.
    pub evaluator_version: u32,
    /// Hosts that the file declares; recorded, not executed.
    pub declared_hosts: Vec<String>,
    /// The environment that the file declares; recorded, not resolved.
    pub declared_environment: Option<String>,
    /// Whether a scripted model answered in place of a real one.
    pub scripted: bool,
    /// The cassette that answered in place of models and servers, as the user named it; absent for a run that asked
    /// them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed_from: Option<String>,
    /// The servers, in file order.
    pub servers: Vec<ServerReport>,
    /// The settings.
    pub settings: RunSettings,
}

/// One server of the run: how it was bound, and what setting it up showed. No url, command, header or variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServerReport {
    /// The name in the suite file.
    pub name: String,
    /// Where the binding came from, for example `--command` or `.mcp.json`.
    pub source: String,
    /// `stdio` or `http`.
    pub transport: String,
    /// Whether the session was initialized.
    pub connection: SetupOutcome,
    /// Whether the tools were listed; absent when listing was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovery: Option<SetupOutcome>,
    /// Whose side the failure lies on; absent without a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Attribution>,
    /// The negotiated protocol revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<String>,
    /// The server's own name and version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_info: Option<String>,
    /// How many usable tools it advertised; absent when the listing failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<u64>,
    /// Entries of the catalog that were set aside, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<String>,
    /// One line on what failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The settings of a run; times in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunSettings {
    /// Trials of one case in flight.
    pub concurrency: u32,
    /// The clock of one trial's execution.
    pub iteration_timeout_ms: u64,
    /// Model steps per prompt.
    pub max_steps: u32,
    /// The clock of each setup operation.
    pub setup_timeout_ms: u64,
    /// `authored` or `default`.
    pub system_prompt: String,
    /// As authored; `null` when it is not sent.
    pub temperature: Option<f64>,
}

/// How many trials there were.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Population {
    /// Always `case`: a verdict is decided over cases.
    pub unit: String,
    /// Selected cases.
    pub cases: u64,
    /// Trials that the selected cases ask for.
    pub configured_iterations: u64,
    /// Trials that ran: neither cancelled nor skipped nor pending.
    pub executed_iterations: u64,
    /// Trials that never started.
    pub not_started_iterations: u64,
}

/// Something that affected the run and did not stop it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Issue {
    /// What kind.
    pub code: IssueCode,
    /// When.
    pub phase: RefusalPhase,
    /// What it is about.
    pub category: RefusalCategory,
    /// For a person, redacted.
    pub message: String,
    /// The case, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    /// The trial, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration_number: Option<u32>,
    /// The server, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
}

/// The suite file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuiteIdentity {
    /// The declared id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The dialect.
    pub schema_version: String,
    /// SHA-256 of the file's bytes.
    pub source_hash: String,
}

/// The selected and skipped cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Selection {
    /// The ids that were asked for; `null` when none were named.
    pub requested: Option<Vec<String>>,
    /// The ids that ran, in file order.
    pub selected: Vec<String>,
    /// The others.
    pub skipped: Vec<SkippedCase>,
}

/// A case that did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SkippedCase {
    /// The id.
    pub case_id: String,
    /// `disabled` or `notSelected`.
    pub reason: String,
}

/// How one case was configured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseConfiguration {
    /// The id.
    pub case_id: String,
    /// The title.
    pub title: String,
    /// The intent label; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// The model as written.
    pub declared_model: String,
    /// The model as planned; `null` when the case needs none.
    pub effective_model: Option<String>,
    /// The provider; `null` when the case needs no model.
    pub provider: Option<String>,
    /// Trials configured.
    pub configured_iterations: u32,
    /// The fraction of gradeable trials that must pass.
    pub pass_threshold: f64,
    /// Digest of what the case means: title, steps and expected output.
    pub content_hash: String,
    /// The judge of the case; absent when the suite says nothing of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeRecord>,
    /// How far the case got.
    pub state: CaseState,
    /// The case's verdict.
    pub verdict: CaseVerdict,
}

/// The tool policy as declared, and what it blocked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolPolicyReport {
    /// As written in the file.
    pub declared: Value,
    /// The decision per tool, frozen when the run began; `null` when no catalog could be listed.
    pub snapshot: Option<Value>,
    /// Every blocked call.
    pub blocks: Vec<PolicyBlock>,
}

/// Always off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Upload {
    /// Always `false`.
    pub requested: bool,
    /// The file's `reportingMode`.
    pub declared_reporting_mode: String,
    /// One sentence.
    pub note: String,
}
