//! Whether a stored roll-up holds up.

use howfar_wire::rollup::{
    MAX_ROLLUP_ENTRIES, ROLLUP_SCHEMA_VERSION, ROLLUP_SOURCE_VERSION, RollupEntry, ScorerRollup,
};
use serde_json::Value;

use super::fingerprint::{
    configured_trial_fingerprint, execution_fingerprint, observed_population_fingerprint,
};
use crate::problem::{Problem, Problems, read_closed};

/// A roll-up that holds up, or everything that is wrong with it.
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_rollup(document: &Value) -> Result<ScorerRollup, Vec<Problem>> {
    let rollup: ScorerRollup = read_closed(document)?;
    let mut problems = Problems::default();
    let schema = rollup.schema_version == ROLLUP_SCHEMA_VERSION;
    problems.check(schema, "schemaVersion", "is not 1");
    let source = rollup.source_version == ROLLUP_SOURCE_VERSION;
    problems.check(source, "sourceVersion", "is not 1");
    check_configured(&rollup, &mut problems);
    let execution = rollup.execution_fingerprint == execution_fingerprint(&rollup.execution);
    problems.check(execution, "executionFingerprint", "is not the digest of the execution");
    let few = rollup.entries.len() <= MAX_ROLLUP_ENTRIES;
    problems.check(few, "entries", "are too many");
    for (at, entry) in rollup.entries.iter().enumerate() {
        let key = |entry: &RollupEntry| (entry.scorer_id.clone(), entry.definition_hash.clone());
        let unique = rollup.entries[..at].iter().all(|other| key(other) != key(entry));
        problems.check(unique, format!("entries.{at}"), "stands twice");
        check_entry(entry, at, &mut problems);
    }
    let truncation = rollup.truncation.is_none_or(|it| {
        it.retained == rollup.entries.len() as u64
            && it.omitted >= 1
            && it.retained.checked_add(it.omitted) == Some(it.total)
    });
    problems.check(truncation, "truncation", "does not match the entries");
    problems.or(rollup)
}

fn check_configured(rollup: &ScorerRollup, problems: &mut Problems) {
    for (at, trials) in rollup.configured_trials.iter().enumerate() {
        let in_range = (1..=100).contains(&trials.configured_trials)
            && (0.0..=1.0).contains(&trials.effective_pass_threshold);
        problems.check(in_range, format!("configuredTrials.{at}"), "is out of range");
    }
    let digest = configured_trial_fingerprint(&rollup.configured_trials);
    let same = rollup.configured_trial_fingerprint == digest;
    problems.check(same, "configuredTrialFingerprint", "is not the digest of the trials");
}

fn check_entry(entry: &RollupEntry, at: usize, problems: &mut Problems) {
    let path = |key: &str| format!("entries.{at}.{key}");
    let parts = [entry.passed, entry.failed, entry.errors, entry.skipped];
    let sum = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(*part));
    problems.check(sum == Some(entry.countable), path("countable"), "does not add up");
    let rate = (entry.countable > 0).then(|| entry.passed as f64 / entry.countable as f64);
    problems.check(entry.pass_rate == rate, path("passRate"), "is not passed over countable");
    let scored = entry.passed.saturating_add(entry.failed) > 0;
    let mean = if scored {
        entry.mean_value.is_none_or(|mean| (0.0..=1.0).contains(&mean))
    } else {
        entry.mean_value.is_none()
    };
    problems.check(mean, path("meanValue"), "is there without a score");
    let threshold = (0.0..=1.0).contains(&entry.pass_threshold);
    problems.check(threshold, path("passThreshold"), "is not from 0 to 1");
    let digest = observed_population_fingerprint(&entry.observed_population);
    let same = entry.observed_population_fingerprint == digest;
    problems.check(same, path("observedPopulationFingerprint"), "is not the population's digest");
}
