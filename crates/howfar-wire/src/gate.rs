//! Gates: what a run, or a pair of runs, must hold, and what came of it (run-documents, sections 8 and 9.4).

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::score::{EvaluationConfig, ScoreStatus};
use crate::shape::present;
use crate::vocabulary::{ExitCode, Verdict, vocabulary};

vocabulary! {
    /// Whether the scores of a run were verified. Without either word, nothing is known.
    ScoreIntegrity = "scoreIntegrity", "Whether the scores of a run were verified." {
        /// The recorded scores hold up.
        Valid = "valid" => "valid",
        /// The recorded scores do not hold up.
        Invalid = "invalid" => "invalid",
    }
}

vocabulary! {
    /// What a gate report says about the scores behind it.
    ReportedIntegrity = "reportedScoreIntegrity", "What a gate report says about the scores behind it." {
        /// The recorded scores hold up.
        Valid = "valid" => "valid",
        /// The recorded scores do not hold up.
        Invalid = "invalid" => "invalid",
        /// Nobody said.
        Unknown = "unknown" => "unknown",
    }
}

impl From<Option<ScoreIntegrity>> for ReportedIntegrity {
    fn from(integrity: Option<ScoreIntegrity>) -> Self {
        match integrity {
            Some(ScoreIntegrity::Valid) => Self::Valid,
            Some(ScoreIntegrity::Invalid) => Self::Invalid,
            None => Self::Unknown,
        }
    }
}

vocabulary! {
    /// What came of one gate.
    GateStatus = "gateStatuses", "What came of one gate." {
        /// It holds.
        Passed = "passed" => "passed",
        /// It does not hold.
        Failed = "failed" => "failed",
        /// Not enough was measured to say. Never a pass.
        NonGateable = "non_gateable" => "not enough measured",
        /// It cannot be asked like this.
        UsageError = "usage_error" => "cannot be asked",
        /// A failure that was waived.
        Waived = "waived" => "waived",
    }
}

vocabulary! {
    /// What came of all gates together.
    GateOutcome = "gateOutcomes", "What came of all gates together." {
        /// Every gate holds.
        Passed = "passed" => "passed",
        /// A gate does not hold.
        Failed = "failed" => "failed",
        /// Nothing failed, and something could not be decided.
        Incomplete = "incomplete" => "incomplete",
        /// A gate cannot be asked like this.
        UsageError = "usage_error" => "cannot be asked",
        /// Failures that were waived.
        Waived = "waived" => "waived",
    }
}

impl GateOutcome {
    /// How a command that reports this outcome ends.
    pub const fn exit_code(self) -> ExitCode {
        match self {
            Self::Passed | Self::Waived => ExitCode::Success,
            Self::Failed => ExitCode::MeasuredFailure,
            Self::UsageError => ExitCode::Usage,
            Self::Incomplete => ExitCode::Incomplete,
        }
    }

    /// The verdict of a run that is decided by its gates alone.
    pub const fn run_verdict(self) -> GatedVerdict {
        match self {
            Self::Passed => GatedVerdict::Passed,
            Self::Incomplete => GatedVerdict::Inconclusive,
            Self::Failed | Self::UsageError => GatedVerdict::Failed,
            Self::Waived => GatedVerdict::Waived,
        }
    }
}

vocabulary! {
    /// The verdict of a run that is decided by its gates alone.
    GatedVerdict = "gatedVerdicts", "The verdict of a run that is decided by its gates alone." {
        /// Every gate holds.
        Passed = "passed" => "passed",
        /// A gate does not hold, or cannot be asked.
        Failed = "failed" => "failed",
        /// Something could not be decided.
        Inconclusive = "inconclusive" => "inconclusive",
        /// Failures that were waived.
        Waived = "waived" => "waived",
    }
}

/// What must hold. An absent member is not asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GatePolicy {
    /// One run: the least share of iterations that passed, a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_pass_rate: Option<f64>,
    /// One run: the most tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum_total_tokens: Option<f64>,
    /// One run: the longest 95th percentile of durations, in milliseconds.
    #[serde(default, rename = "maximumP95LatencyMs", skip_serializing_if = "Option::is_none")]
    pub maximum_p95_latency_ms: Option<f64>,
    /// One run: no scorer that decides broke. `false` means not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_gating_score_errors: Option<bool>,
    /// One run: per scorer id, the least share of its rows that passed, a fraction.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, f64>"))]
    pub minimum_scorer_pass_rate: IndexMap<String, f64>,
    /// One run: per scorer id, the least mean of its scores, a fraction.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, f64>"))]
    pub minimum_mean_score: IndexMap<String, f64>,
    /// Two runs: no deterministic scorer that decides went from passed to failed. `false` means not asked.
    #[serde(default, deserialize_with = "asked", skip_serializing_if = "Option::is_none")]
    pub no_deterministic_regressions: Option<Asked<bool>>,
    /// Two runs: the pass rate did not fall by more than chance explains.
    #[serde(default, deserialize_with = "asked", skip_serializing_if = "Option::is_none")]
    pub pass_rate_regression: Option<Asked<PassRateRegression>>,
    /// Two runs: how much longer the 95th percentile of durations may be, in milliseconds.
    #[serde(
        default,
        rename = "maximumP95LatencyIncreaseMs",
        deserialize_with = "asked",
        skip_serializing_if = "Option::is_none"
    )]
    pub maximum_p95_latency_increase_ms: Option<Asked<f64>>,
    /// Two runs: by how much the cost may grow, a fraction of the base run's.
    #[serde(default, deserialize_with = "asked", skip_serializing_if = "Option::is_none")]
    pub maximum_cost_increase: Option<Asked<f64>>,
}

/// A member that was asked for, even if only with `null`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Asked<T>(pub Option<T>);

fn asked<'de, T, D>(deserializer: D) -> Result<Option<Asked<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(|value| Some(Asked(value)))
}

/// When a fall of the pass rate counts as a regression.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassRateRegression {
    /// The least number of iterations on each side; absent means 5, and at least 1 is needed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub min_sample_size: Option<f64>,
    /// The least fall that counts, a fraction; absent means 0.01.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub min_effect_size: Option<f64>,
}

/// What the gates of one run read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateInput {
    /// How many iterations there are.
    pub iterations: GateIterations,
    /// The evaluators; absent when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_config: Option<EvaluationConfig>,
    /// The score rows; absent when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<GateScore>>,
    /// Sums over the run; absent when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<GateTotals>,
    /// Whether the scores were verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_integrity: Option<ScoreIntegrity>,
}

/// Counts of iterations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateIterations {
    /// All.
    pub total: u64,
    /// Passed.
    pub passed: u64,
}

/// A score row, as far as gates read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateScore {
    /// The evaluator.
    pub scorer_id: String,
    /// Digest of its definition.
    pub definition_hash: String,
    /// What became of the score.
    pub status: ScoreStatus,
    /// The score; only when scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whether it passed; only when scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
}

/// Sums over a run. A sum is absent when one iteration lacks its part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateTotals {
    /// Tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<f64>,
    /// The 95th percentile of durations, in milliseconds.
    #[serde(default, rename = "e2eP95Ms", skip_serializing_if = "Option::is_none")]
    pub e2e_p95_ms: Option<f64>,
    /// Cost; absent when nothing counted the trials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostTotal>,
}

/// What the trials of a run that ran cost, as far as providers said so (suite and runner, section B16).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostTotal {
    /// Sum over the priced trials, in US dollars. It is the cost of the run only when they are all.
    pub usd: f64,
    /// Trials of which the cost is known.
    pub priced_trials: u64,
    /// Trials that ran.
    pub trials: u64,
}

impl CostTotal {
    /// The cost of the run in US dollars; `None` when no trial ran, or when the cost of one is not known.
    pub fn of_run(self) -> Option<f64> {
        (self.trials > 0 && self.priced_trials == self.trials).then_some(self.usd)
    }
}

/// What came of one gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateVerdict {
    /// The policy's member, for scorers with `:` and the id.
    pub gate: String,
    /// What came of it.
    pub status: GateStatus,
    /// For a person.
    pub message: String,
    /// What was compared; absent when nothing was.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub observed: Option<f64>,
    /// What it was compared with.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
}

/// What came of all gates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateReport {
    /// Together.
    pub outcome: GateOutcome,
    /// One by one.
    pub verdicts: Vec<GateVerdict>,
    /// Whether the scores behind them were verified.
    pub score_integrity: ReportedIntegrity,
    /// The waiver in force, whether or not it changed anything.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub waiver: Option<GateWaiver>,
}

/// The version of [`RunGate`].
pub const RUN_GATE_SCHEMA_VERSION: u32 = 1;

/// The `kind` of a [`RunGate`].
pub const RUN_GATE_KIND: &str = "run-gate";

/// The gates of one stored run (`howfar gate`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunGate {
    /// [`RUN_GATE_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// [`RUN_GATE_KIND`].
    pub kind: String,
    /// The run.
    pub run_id: String,
    /// The suite's declared id.
    pub suite_id: String,
    /// Whether the gates let it pass.
    pub passed: bool,
    /// What the gates came to as a verdict.
    pub verdict: GatedVerdict,
    /// The run's own verdict.
    pub run_verdict: Verdict,
    /// Whether every configured trial of the run ran.
    pub complete: bool,
    /// The gates.
    pub gates: GateReport,
}

/// Permission to pass in spite of failures, for a while. Times are milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateWaiver {
    /// Its id.
    pub id: String,
    /// Why, at most 500 UTF-16 units.
    pub reason: String,
    /// When it ends; at most 30 days after it was made.
    pub expires_at: u64,
    /// When it was made.
    pub created_at: u64,
    /// Who made it.
    pub created_by: String,
    /// Their mail address, when it is known.
    pub created_by_email: Option<String>,
    /// The policy at that time.
    pub policy_snapshot: Option<Value>,
}
