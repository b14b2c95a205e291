//! The scorer roll-up: the tallies of every evaluator of one run, for trends (run-documents, section 11).

use serde::{Deserialize, Serialize};

use crate::gate::ScoreIntegrity;
use crate::score::{IdSource, ScoreRole, ScoreScope};
use crate::shape::{nullable, present};
use crate::verdict::ExecutionVariant;
use crate::vocabulary::{Materialization, vocabulary};

/// The version of [`ScorerRollup`].
pub const ROLLUP_SCHEMA_VERSION: u64 = 1;

/// The version of the rules that count score rows.
pub const ROLLUP_SOURCE_VERSION: u64 = 1;

/// The most entries of a roll-up.
pub const MAX_ROLLUP_ENTRIES: usize = 200;

vocabulary! {
    /// Why two roll-ups, or one scorer of them, may not be compared.
    RollupBlocker = "rollupBlockers", "Why two roll-ups may not be compared. None means that they may." {
        /// A run states no configuration identity.
        MissingConfigIdentity = "missingConfigIdentity" => "a run states no configuration identity",
        /// The runs were configured differently.
        DifferentConfigIdentity = "differentConfigIdentity" => "the runs were configured differently",
        /// A run states no case set identity.
        MissingCaseSetIdentity = "missingCaseSetIdentity" => "a run states no case set identity",
        /// The runs ran different cases.
        DifferentCaseSetIdentity = "differentCaseSetIdentity" => "the runs ran different cases",
        /// The runs configured different trials.
        DifferentConfiguredTrialIdentity = "differentConfiguredTrialIdentity" => "the runs configured different trials",
        /// A scorer states no observed population.
        MissingObservedPopulationIdentity = "missingObservedPopulationIdentity" => "a scorer states no observed population",
        /// A scorer observed different trials.
        DifferentObservedPopulationIdentity = "differentObservedPopulationIdentity" => "a scorer observed different trials",
        /// A run states no frozen host.
        MissingFrozenHostIdentity = "missingFrozenHostIdentity" => "a run states no frozen host",
        /// A run states no frozen model.
        MissingFrozenModelIdentity = "missingFrozenModelIdentity" => "a run states no frozen model",
        /// A run states no frozen server.
        MissingFrozenServerIdentity = "missingFrozenServerIdentity" => "a run states no frozen server",
        /// The runs were executed differently.
        DifferentExecutionIdentity = "differentExecutionIdentity" => "the runs were executed differently",
        /// A run does not say whether its scores were verified.
        MissingScoreIntegrity = "missingScoreIntegrity" => "a run does not say whether its scores were verified",
        /// The scores of a run do not hold up.
        InvalidScoreIntegrity = "invalidScoreIntegrity" => "the scores of a run do not hold up",
        /// A scorer changed.
        DifferentDefinition = "differentDefinition" => "a scorer changed",
        /// A scorer is only in one run.
        MissingScorer = "missingScorer" => "a scorer is only in one run",
        /// A run's counts can still change.
        Provisional = "provisional" => "a run's counts can still change",
        /// A roll-up leaves scorers out.
        Truncated = "truncated" => "a roll-up leaves scorers out",
        /// The roll-ups have different versions.
        DifferentSchemaVersion = "differentSchemaVersion" => "the roll-ups have different versions",
        /// The roll-ups were counted by different rules.
        DifferentSourceVersion = "differentSourceVersion" => "the roll-ups were counted by different rules",
    }
}

/// The tallies of every evaluator of one run. Times are milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScorerRollup {
    /// [`ROLLUP_SCHEMA_VERSION`].
    pub schema_version: u64,
    /// [`ROLLUP_SOURCE_VERSION`].
    pub source_version: u64,
    /// The suite.
    pub suite_id: String,
    /// The run.
    pub run_id: String,
    /// The group of runs that may be compared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub run_group_id: Option<String>,
    /// The identity of the run's configuration.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub config_revision: Option<String>,
    /// The identity of the cases that ran.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub case_set_fingerprint: Option<String>,
    /// The organization.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<String>,
    /// The workspace.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
    /// The project.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// When the run ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub run_completed_at: Option<u64>,
    /// How many trials were read.
    pub source_iteration_count: u64,
    /// When the newest of them changed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source_max_updated_at: Option<u64>,
    /// How often the document was made again.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// Whether the counts can still change.
    pub materialization_state: Materialization,
    /// Whether the scores were verified; absent when nobody said.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub score_integrity: Option<ScoreIntegrity>,
    /// When the document was first made.
    pub created_at: u64,
    /// When it was made this time.
    pub updated_at: u64,
    /// What was asked for.
    pub configured_trials: Vec<ConfiguredTrials>,
    /// Its digest.
    pub configured_trial_fingerprint: String,
    /// What ran it.
    pub execution: ExecutionIdentity,
    /// Its digest.
    pub execution_fingerprint: String,
    /// One per scorer and definition, at most 200.
    pub entries: Vec<RollupEntry>,
    /// How many entries were left out; absent when none were.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub truncation: Option<RollupTruncation>,
}

/// What was asked for of one case variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConfiguredTrials {
    /// The case.
    pub case_id: String,
    /// Provider and model.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_variant: Option<ExecutionVariant>,
    /// Trials, 1 to 100.
    pub configured_trials: u64,
    /// The share of gradeable trials that must pass, a fraction.
    pub effective_pass_threshold: f64,
}

/// What ran the trials. What was not frozen is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExecutionIdentity {
    /// The environment.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub environment_id: Option<String>,
    /// The host by name.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub named_host_id: Option<String>,
    /// The host that was frozen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub host_harness: Option<HostHarness>,
    /// The models that were frozen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub effective_models: Option<Vec<EffectiveModel>>,
    /// The servers that were frozen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub server_environment: Option<ServerEnvironment>,
    /// Digest of what the run overrode.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_overrides_digest: Option<String>,
}

/// A frozen host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostHarness {
    /// Its kind.
    pub kind: String,
    /// Its version.
    pub version: String,
    /// Digest of its configuration.
    pub configuration_digest: String,
}

/// A frozen model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffectiveModel {
    /// The case variants that use it; absent for all others.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_variant: Option<ExecutionVariant>,
    /// The model.
    pub model: String,
    /// Its provider.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Digest of its configuration.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub configuration_digest: Option<String>,
}

/// Frozen servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerEnvironment {
    /// The environment.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub environment_id: Option<String>,
    /// Digest of their configuration.
    pub configuration_digest: String,
}

/// The tallies of one scorer under one definition. Counts are score rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RollupEntry {
    /// The scorer.
    pub scorer_id: String,
    /// Digest of its definition.
    pub definition_hash: String,
    /// Where its id comes from.
    pub id_source: IdSource,
    /// Whether it decides.
    pub role: ScoreRole,
    /// Whether equal evidence gives equal scores.
    pub deterministic: bool,
    /// The score from which on it passes, a fraction.
    pub pass_threshold: f64,
    /// The part of the case it looks at.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScoreScope>,
    /// The criterion it stands for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub criterion: Option<String>,
    /// Rows that apply: `passed + failed + errors + skipped`.
    pub countable: u64,
    /// Passed.
    pub passed: u64,
    /// Failed.
    pub failed: u64,
    /// Broken.
    pub errors: u64,
    /// Skipped.
    pub skipped: u64,
    /// Rows that do not apply.
    pub not_applicable: u64,
    /// Passed among countable; `null` when nothing is countable.
    #[serde(deserialize_with = "nullable")]
    pub pass_rate: Option<f64>,
    /// The mean of the scores; `null` when nothing was scored.
    #[serde(deserialize_with = "nullable")]
    pub mean_value: Option<f64>,
    /// Where the rows come from.
    pub observed_population: Vec<ObservedPopulation>,
    /// Its digest; empty when it is not stated.
    #[serde(default)]
    pub observed_population_fingerprint: String,
}

/// The score rows of one case variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObservedPopulation {
    /// The case.
    pub case_id: String,
    /// Provider and model.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_variant: Option<ExecutionVariant>,
    /// Rows that apply.
    pub countable: u64,
    /// Scored.
    pub scored: u64,
    /// Broken.
    pub errors: u64,
    /// Skipped.
    pub skipped: u64,
    /// Rows that do not apply.
    pub not_applicable: u64,
    /// Trials without a row.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub missing: Option<u64>,
    /// Rows that did not verify.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub quarantined: Option<u64>,
}

/// How many entries were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RollupTruncation {
    /// Entries that are there.
    pub retained: u64,
    /// Entries that are not; at least 1.
    pub omitted: u64,
    /// Both.
    pub total: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Vocabulary as _;

    #[test]
    fn the_blockers_are_complete_and_each_has_words() {
        assert_eq!(RollupBlocker::ALL.len(), 19);
        assert!(RollupBlocker::ALL.iter().all(|member| !member.label().is_empty()));
    }
}
