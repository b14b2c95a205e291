//! The suite file (suite and runner, sections A2 to A9).
//!
//! These types hold a file that was already checked: `howfar-suite` reports everything that is wrong before it builds
//! them. The names are those of dialect 2; the words of dialect 1 are read as well. Absent keys stay absent: no default
//! is added here, and an explicit null reads like an absent key.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Vocabulary as _;
use crate::predicate::EffectiveRole;
use crate::shape::present;
use crate::transcript::ToolCall;
use crate::vocabulary::{
    CaseKind, Dialect, ImportStatus, PolicyReason, PredicateKind, SafetyClass, StandardCheckId,
    StepKind, ToolPolicyMode, vocabulary,
};

/// A whole suite file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuiteFile {
    /// The dialect.
    pub schema_version: Dialect,
    /// What kind of evaluation the file asks for.
    pub mode: SuiteMode,
    /// Who may see the results.
    pub reporting_mode: ReportingMode,
    /// Identity.
    pub suite: SuiteIdentity,
    /// The servers under test.
    pub target: Target,
    /// What holds for every case.
    pub defaults: Defaults,
    /// Where an imported file comes from; absent for a file written by hand.
    pub provenance: Option<Provenance>,
    /// The cases, in file order.
    pub cases: Vec<Case>,
}

vocabulary! {
    /// What kind of evaluation a file asks for.
    SuiteMode = "suiteModes", "What kind of evaluation a suite file asks for." {
        /// A model uses the servers for a user's request.
        AgentWorkflow = "agentWorkflow" => "a model works for a user",
    }
}

vocabulary! {
    /// Who may see the results.
    ReportingMode = "reportingModes", "Who may see the results of a suite." {
        /// Whoever holds the report.
        Standard = "standard" => "standard",
    }
}

vocabulary! {
    /// How much evidence is kept.
    CaptureLevel = "captureLevels", "How much evidence a run keeps." {
        /// All of it.
        Full = "full" => "all evidence",
    }
}

/// The identity of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuiteIdentity {
    /// The opaque id: 1 to 128 of `A-Za-z0-9_-`.
    pub id: String,
    /// The name, for display.
    pub name: String,
    /// What the suite is for.
    pub description: Option<String>,
}

/// The servers under test. Connection details never stand in a suite file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Target {
    /// The servers by name; empty when the target names an environment only.
    #[serde(default)]
    pub servers: Vec<ServerRef>,
    /// The name of a run environment; declared, never resolved by a local run.
    pub environment: Option<String>,
    /// Hosts; declared, never emulated by a local run.
    #[serde(default)]
    pub hosts: Vec<HostRef>,
}

/// A server as a suite names it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServerRef {
    /// The name that a binding uses.
    pub name: String,
    /// An id of another system.
    pub id: Option<String>,
}

/// A host as a suite names it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HostRef {
    /// The name.
    pub name: String,
    /// An id of another system.
    pub id: Option<String>,
    /// The servers that this host sees. An empty list says none; absence says nothing.
    pub servers: Option<Vec<ServerRef>>,
}

/// What holds for every case that does not say otherwise.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Defaults {
    /// The model, `provider/model` or a bare id with `provider`.
    pub model: String,
    /// The provider of a bare model id.
    pub provider: Option<String>,
    /// The system prompt; absent when none is sent.
    pub system_prompt: Option<String>,
    /// The temperature; absent when none is sent.
    pub temperature: Option<f64>,
    /// Trials per case, 1 to 100.
    #[serde(alias = "repetitions")]
    pub iterations: u32,
    /// The judge.
    pub judge: Option<JudgeSettings>,
    /// The fraction of gradeable trials that a case must pass, 0 to 1.
    pub pass_threshold: f64,
    /// When a run has measured enough to decide.
    pub validity: Validity,
    /// What the model may call; absent for no restraint at all.
    pub tool_policy: Option<ToolPolicy>,
    /// How much evidence is kept.
    pub capture_level: Option<CaptureLevel>,
}

/// When a run has measured enough to decide, as declared; the three floors are independent. A declared 0 is no omission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Validity {
    /// How many gradeable trials a run needs, at least 1. Absence does not mean no minimum: then every configured trial
    /// must have been attempted, which is the stricter rule.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub min_eligible_trials: Option<u64>,
    /// The least fraction of attempted trials that completed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub min_completion_rate: Option<f64>,
    /// The greatest fraction of attempted trials whose grader broke.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_evaluator_error_rate: Option<f64>,
}

/// What the model may call (suite and runner, section B6).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolPolicy {
    /// The rule for tools in neither list.
    pub mode: ToolPolicyMode,
    /// Tools exempt from the mode. Not a list of the only tools allowed.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Tools that are never called.
    #[serde(default)]
    pub deny: Vec<String>,
}

/// The decision per tool, frozen when the run began (suite and runner, section B6). At call time it is looked up only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolPolicySnapshot {
    /// The rule for tools in neither list.
    pub mode: ToolPolicyMode,
    /// The tools that are not called, in catalog order.
    pub denied: IndexMap<String, DeniedTool>,
    /// Every tool of the catalog, in catalog order.
    pub known: Vec<String>,
    /// What happens to a tool that came later: always `deny`.
    pub unknown_tool: UnknownTool,
}

/// Why a tool is not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeniedTool {
    /// The rule that matched.
    pub reason: PolicyReason,
    /// What the tool declares about itself.
    pub classification: SafetyClass,
}

vocabulary! {
    /// What a policy does with a tool that was not in the catalog when the run began.
    UnknownTool = "unknownTools", "What a policy does with a tool that came after the run began." {
        /// It is not called.
        Deny = "deny" => "denied",
    }
}

/// The suite's judge settings; what is absent has a default (suite and runner, sections A5 and C1).
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JudgeSettings {
    /// Whether cases are judged; true when absent.
    pub enabled: Option<bool>,
    /// The judge's model.
    pub model: Option<String>,
    /// Whether a run judges by itself; false when absent, and then enabling alone grades nothing.
    pub auto_run: Option<bool>,
    /// The score that passes; 0.7 when absent.
    pub threshold: Option<f64>,
    /// `advisory`, `gating` or `required`; the last two mean the same.
    pub role: Option<String>,
    /// `warn`, for an advisory judge.
    pub severity: Option<String>,
    /// What the judge grades against, beside each case's own expected output.
    pub rubric: Option<Rubric>,
}

/// What a judge grades against.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rubric {
    /// The criteria; empty when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Criterion>,
    /// Extra rules. They are not an expected outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}

/// One criterion of a rubric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Criterion {
    /// The id, unique within the rubric.
    pub id: String,
    /// The label.
    pub label: String,
    /// Details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the criterion must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
}

/// Where an imported file comes from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Provenance {
    /// Names the source artifact; by convention `sha256:` and a digest.
    pub source_hash: String,
    /// The format of the source.
    pub source_format: String,
    /// The version of that format.
    pub source_format_version: Option<String>,
    /// The converter.
    pub converter: Option<String>,
    /// Its version.
    pub converter_version: Option<String>,
    /// The model that helped to convert.
    pub model: Option<String>,
    /// Names the catalog that the conversion saw.
    pub discovery_snapshot_hash: Option<String>,
    /// Names the mapping report.
    pub report_hash: String,
    /// When, in UTC.
    pub imported_at: Option<String>,
}

/// The id of a case. History joins on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct CaseId(pub String);

/// The id of a step, unique within its case; may be empty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct StepId(pub String);

impl std::fmt::Display for CaseId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for StepId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// One scenario: the unit that a verdict is decided over.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// The identity.
    pub id: CaseId,
    /// The title, for display only.
    pub title: String,
    /// A label to group by.
    pub intent: Option<String>,
    /// A label of the author.
    pub kind: Option<CaseKind>,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// Checks over the finished transcript. Dialect 1 calls them `checks`, and once called them `assertions`.
    #[serde(default, alias = "checks")]
    pub assertions: Vec<Predicate>,
    /// Suite-standard checks that this case leaves out. An empty list clears, absence keeps.
    pub suppressed_suite_standard_check_ids: Option<Vec<StandardCheckId>>,
    /// Whether the case is judged.
    pub judge: Option<CaseJudge>,
    /// Reference text for judges.
    pub expected_output: Option<String>,
    /// Whether the case passes only when no tool was called.
    pub is_negative_test: Option<bool>,
    /// Overrides the default model.
    pub model: Option<String>,
    /// Overrides the default number of trials.
    #[serde(alias = "repetitions")]
    pub iterations: Option<u32>,
    /// Overrides the default threshold.
    pub pass_threshold: Option<f64>,
    /// Whether runs leave the case out.
    pub disabled: Option<bool>,
    /// How the case was imported; absent for a case written by hand.
    pub import: Option<CaseImport>,
}

/// The judge settings of one case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseJudge {
    /// Overrides the suite's setting.
    pub enabled: Option<bool>,
}

/// How a case was imported.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseImport {
    /// How faithful the case is.
    pub status: ImportStatus,
    /// Where the case stands in the source.
    pub source_case_key: Option<String>,
    /// The rules that license the claim, or what was lost.
    pub note: Option<String>,
}

/// One step of a case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Step {
    /// The user says something.
    Prompt {
        /// The step's id.
        id: StepId,
        /// What the user says.
        prompt: String,
    },
    /// A tool is called with fixed arguments, without a model.
    ToolCall {
        /// The step's id.
        id: StepId,
        /// An id of another system.
        server_id: Option<String>,
        /// The server, as the target names it.
        server_name: String,
        /// The tool.
        tool_name: String,
        /// The arguments, an object.
        arguments: Map<String, Value>,
        /// How long a widget may take to render, in milliseconds.
        render_timeout_ms: Option<u32>,
    },
    /// A widget is operated. Needs a live document, which a local run has not.
    Interact {
        /// The step's id.
        id: StepId,
        /// The tool whose widget is meant.
        tool_name: String,
        /// What is done, discriminated by `kind`.
        action: Value,
    },
    /// Something must hold at this position.
    Assert {
        /// The step's id.
        id: StepId,
        /// What must hold.
        assertion: Assertion,
    },
}

impl Step {
    /// The step's id.
    pub const fn id(&self) -> &StepId {
        match self {
            Self::Prompt { id, .. }
            | Self::ToolCall { id, .. }
            | Self::Interact { id, .. }
            | Self::Assert { id, .. } => id,
        }
    }

    /// What the step does.
    pub const fn kind(&self) -> StepKind {
        match self {
            Self::Prompt { .. } => StepKind::Prompt,
            Self::ToolCall { .. } => StepKind::ToolCall,
            Self::Interact { .. } => StepKind::Interact,
            Self::Assert { .. } => StepKind::Assert,
        }
    }

    /// The check of an `assert` step; `None` for every other step and for widget assertions.
    pub const fn predicate(&self) -> Option<&Predicate> {
        match self {
            Self::Assert { assertion: Assertion::Predicate(predicate), .. } => Some(predicate),
            Self::Assert { assertion: Assertion::Widget(_), .. }
            | Self::Prompt { .. }
            | Self::ToolCall { .. }
            | Self::Interact { .. } => None,
        }
    }
}

/// What an `assert` step asserts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Assertion {
    /// A check of the transcript, discriminated by `type`.
    Predicate(Predicate),
    /// An assertion on a live widget, discriminated by `kind`.
    Widget(Value),
}

/// An authored check: an object with a known `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Predicate {
    kind: PredicateKind,
    value: Value,
}

/// A check without a known `type`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPredicate {
    /// The `type` as it was met; absent when it is missing or not a text.
    pub found: Option<String>,
}

impl std::fmt::Display for UnknownPredicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.found {
            Some(found) => write!(f, "{found:?} is not a kind of check"),
            None => f.write_str("a check needs a text in `type`"),
        }
    }
}

impl std::error::Error for UnknownPredicate {}

impl Predicate {
    /// The kind.
    pub const fn kind(&self) -> PredicateKind {
        self.kind
    }

    /// The whole check as authored, `type` and policy included.
    pub const fn value(&self) -> &Value {
        &self.value
    }

    /// What a failed row of this check means for the trial.
    pub fn role(&self) -> EffectiveRole {
        EffectiveRole::of(&self.value)
    }

    /// The tool that the check names; `None` when it names none.
    pub fn tool_name(&self) -> Option<&str> {
        self.value.get("toolName").and_then(Value::as_str)
    }

    /// The call that a `toolCalledWith` check expects; `None` for every other kind.
    pub fn expected_call(&self) -> Option<ToolCall> {
        if self.kind != PredicateKind::ToolCalledWith {
            return None;
        }
        let arguments = self.value.pointer("/args/args").cloned().unwrap_or_default();
        Some(ToolCall::new(self.tool_name().unwrap_or_default(), arguments))
    }
}

impl TryFrom<Value> for Predicate {
    type Error = UnknownPredicate;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let found = value.get("type").and_then(Value::as_str);
        match found.and_then(PredicateKind::from_wire) {
            Some(kind) => Ok(Self { kind, value }),
            None => Err(UnknownPredicate { found: found.map(str::to_owned) }),
        }
    }
}

impl From<Predicate> for Value {
    fn from(predicate: Predicate) -> Self {
        predicate.value
    }
}

impl TryFrom<Value> for Assertion {
    type Error = UnknownPredicate;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        if value.get("kind").is_some() {
            return Ok(Self::Widget(value));
        }
        Predicate::try_from(value).map(Self::Predicate)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Assertion, Predicate};

    impl JsonSchema for Predicate {
        fn schema_name() -> Cow<'static, str> {
            "Predicate".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let kind = generator.subschema_for::<crate::vocabulary::PredicateKind>();
            json_schema!({
                "description": "An authored check; further fields belong to its kind.",
                "type": "object",
                "properties": {
                    "type": kind,
                    "role": { "enum": ["gating", "required", "advisory"] },
                    "severity": { "const": "warn" },
                },
                "required": ["type"],
            })
        }
    }

    impl JsonSchema for Assertion {
        fn schema_name() -> Cow<'static, str> {
            "Assertion".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let predicate = generator.subschema_for::<Predicate>();
            let widget = json_schema!({
                "description": "An assertion on a live widget.",
                "type": "object",
                "required": ["kind", "toolName"],
            });
            json_schema!({ "anyOf": [predicate, widget] })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_check_knows_its_kind_and_its_call() {
        let check = json!({"type": "toolCalledWith", "toolName": "t", "args": {"args": {"a": 1}}});
        let check = Predicate::try_from(check).expect("a known kind");
        assert_eq!(check.role(), EffectiveRole::Gating);
        assert_eq!(check.expected_call(), Some(ToolCall::new("t", json!({"a": 1}))));
    }

    #[test]
    fn an_unknown_kind_is_refused() {
        let error = Predicate::try_from(json!({"type": "toolArgumentsMatch"})).expect_err("gone");
        assert_eq!(error.to_string(), "\"toolArgumentsMatch\" is not a kind of check");
    }

    #[test]
    fn a_kind_makes_a_widget_assertion() {
        let step = json!({"id": "w", "kind": "assert", "assertion": {"kind": "textVisible"}});
        let step: Step = serde_json::from_value(step).expect("a step");
        assert_eq!(step.predicate(), None);
        assert_eq!(step.kind(), StepKind::Assert);
    }
}
