//! What is recorded of a run beside the evidence of its trials: who ran what, how setup went, how it ended.
//!
//! Together with the evidence documents these are everything that a run report is made from, live or from a store
//! (suite and runner, sections B12 and D6). They hold no url, command, header, variable or secret.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chain::SetupSignals;
use crate::judge::JudgeRecord;
use crate::report::{RunSettings, Selection, ServerReport, SuiteIdentity};
use crate::score::EvaluationConfig;
use crate::suite::ToolPolicySnapshot;
use crate::verdict::VerdictPolicy;
use crate::vocabulary::{RunState, Termination, Verdict};

/// The version of [`RunRecord`]. A reader refuses a newer one; an added optional key does not raise it.
pub const RUN_RECORD_SCHEMA_VERSION: u32 = 1;

/// Which run of which suite, with which settings: everything that is known before anything is started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRecord {
    /// [`RUN_RECORD_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The run's id.
    pub run_id: String,
    /// When the run began: UTC, RFC 3339.
    pub started_at: String,
    /// The same in milliseconds since 1970.
    pub started_at_ms: u64,
    /// The version of the product that ran it.
    pub product_version: String,
    /// The suite file.
    pub suite: SuiteIdentity,
    /// The file's `reportingMode`.
    pub reporting_mode: String,
    /// Hosts that the file declares.
    pub declared_hosts: Vec<String>,
    /// The environment that the file declares.
    pub declared_environment: Option<String>,
    /// The selected and skipped cases.
    pub selection: Selection,
    /// The selected cases, in file order.
    pub cases: Vec<CaseRecord>,
    /// The names of the servers, in file order.
    pub servers: Vec<String>,
    /// The tool policy as declared; absent when the suite has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_policy: Option<Value>,
    /// What makes the run valid.
    pub policy: VerdictPolicy,
    /// The settings.
    pub settings: RunSettings,
    /// The system prompt as authored; absent when none is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// Advice about the suite file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The cassette that answered, as the user named it; absent for a run that asked models and servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed_from: Option<String>,
}

impl RunRecord {
    /// How many trials the selected cases ask for.
    pub fn configured_trials(&self) -> u64 {
        self.cases.iter().map(|case| u64::from(case.iterations)).sum()
    }
}

/// One selected case, as far as a run report speaks of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseRecord {
    /// The declared id.
    pub id: String,
    /// The title.
    pub title: String,
    /// The intent label; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// The model as written in the file.
    pub declared_model: String,
    /// The model that answers; absent for a case that needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRecord>,
    /// Trials.
    pub iterations: u32,
    /// The fraction of gradeable trials that must pass.
    pub pass_threshold: f64,
    /// Digest of what the case means.
    pub content_hash: String,
    /// The checks of the case as written; absent when it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertions: Option<Value>,
    /// The scorers of the case, in authored order: the matcher, when it compares anything, then the checks. Absent in
    /// records of runs that did not state them, which then have no evaluation identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_config: Option<EvaluationConfig>,
    /// The judge of the case; absent when the suite says nothing of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeRecord>,
}

/// The model of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelRecord {
    /// `provider/model`, as planned.
    pub effective: String,
    /// The provider.
    pub provider: String,
    /// Whether a script answers in place of a model.
    pub scripted: bool,
    /// SHA-256 of the script's text; absent for a model that needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_digest: Option<String>,
}

/// How setting up the servers went; every trial of the run shares it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetupRecord<'a> {
    /// One row per server, in file order.
    pub servers: Vec<ServerReport>,
    /// The phases, folded over the servers; absent when setup was not tried.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub signals: Option<SetupSignals<'a>>,
    /// The decision per tool; absent without a policy, or when no catalog could be listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_policy: Option<ToolPolicySnapshot>,
    /// Digest of the tools as the model sees them; absent when a server could not be set up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog_digest: Option<String>,
    /// Advice: names in `allow` that match no tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl SetupRecord<'_> {
    /// The same with owned text.
    pub fn into_owned(self) -> SetupRecord<'static> {
        SetupRecord {
            servers: self.servers,
            signals: self.signals.map(SetupSignals::into_owned),
            tool_policy: self.tool_policy,
            catalog_digest: self.catalog_digest,
            warnings: self.warnings,
        }
    }
}

/// How a run ended. A run without one was cut off, or still runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEnd {
    /// By itself, by the user or by a refusal.
    pub termination: Termination,
    /// Wall time in milliseconds; that of a resumed run is the sum over its parts.
    pub duration_ms: f64,
}

/// The version of [`RunList`].
pub const RUN_LIST_SCHEMA_VERSION: u32 = 1;

/// Stored runs, newest first. They stand side by side; nothing is added up over them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunList {
    /// [`RUN_LIST_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `run-list`.
    pub kind: String,
    /// The runs.
    pub runs: Vec<RunListRow>,
}

impl RunList {
    /// A list of runs.
    pub fn new(runs: Vec<RunListRow>) -> Self {
        Self { schema_version: RUN_LIST_SCHEMA_VERSION, kind: "run-list".to_owned(), runs }
    }
}

/// One stored run, as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunListRow {
    /// The run's id.
    pub run_id: String,
    /// The suite's declared id.
    pub suite_id: String,
    /// The suite's name.
    pub suite_name: String,
    /// When the run began: UTC, RFC 3339.
    pub started_at: String,
    /// Whether the run ended.
    pub state: RunState,
    /// What was decided; `notEstablished` for a run that did not end.
    pub verdict: Verdict,
    /// How the run ended; absent when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub termination: Option<Termination>,
    /// Always `case`: a verdict is decided over cases.
    pub unit: String,
    /// Selected cases.
    pub cases: u64,
    /// Cases whose verdict is `passed`; absent when nothing was decided yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases_passed: Option<u64>,
    /// Cases whose verdict is `failed`; absent when nothing was decided yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases_failed: Option<u64>,
    /// Trials that the selected cases ask for.
    pub configured_trials: u64,
    /// Trials that ran and are stored.
    pub stored_trials: u64,
}
