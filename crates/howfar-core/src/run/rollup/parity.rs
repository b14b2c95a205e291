//! May two roll-ups, or one scorer of them, be compared?

use std::collections::BTreeSet;

use howfar_wire::gate::ScoreIntegrity;
use howfar_wire::rollup::{ExecutionIdentity, RollupBlocker as Blocker, RollupEntry, ScorerRollup};
use howfar_wire::vocabulary::Materialization;

/// One scorer, under one definition or under any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScorerKey<'a> {
    /// The scorer.
    pub scorer_id: &'a str,
    /// Digest of its definition; any when absent.
    pub definition_hash: Option<&'a str>,
}

/// Every reason why two roll-ups may not be compared, in contract order; none is the only yes. With a key, only the
/// entries of that scorer count.
pub fn rollup_blockers(
    a: &ScorerRollup,
    b: &ScorerRollup,
    key: Option<ScorerKey<'_>>,
) -> Vec<Blocker> {
    let mut blockers = BTreeSet::new();
    let mut when = |holds: bool, blocker: Blocker| {
        if holds {
            blockers.insert(blocker);
        }
    };
    let (missing, different) = identities(&a.config_revision, &b.config_revision);
    when(missing, Blocker::MissingConfigIdentity);
    when(different, Blocker::DifferentConfigIdentity);
    let (missing, different) = identities(&a.case_set_fingerprint, &b.case_set_fingerprint);
    when(missing, Blocker::MissingCaseSetIdentity);
    when(different, Blocker::DifferentCaseSetIdentity);
    when(
        a.configured_trial_fingerprint != b.configured_trial_fingerprint,
        Blocker::DifferentConfiguredTrialIdentity,
    );
    when(a.execution_fingerprint != b.execution_fingerprint, Blocker::DifferentExecutionIdentity);
    let either = |test: fn(&ExecutionIdentity) -> bool| test(&a.execution) || test(&b.execution);
    when(either(|it| it.host_harness.is_none()), Blocker::MissingFrozenHostIdentity);
    when(
        either(|it| it.effective_models.as_ref().is_none_or(Vec::is_empty)),
        Blocker::MissingFrozenModelIdentity,
    );
    when(either(|it| it.server_environment.is_none()), Blocker::MissingFrozenServerIdentity);
    let integrities = [a.score_integrity, b.score_integrity];
    let missing = integrities.contains(&None);
    when(missing, Blocker::MissingScoreIntegrity);
    when(
        !missing && integrities.contains(&Some(ScoreIntegrity::Invalid)),
        Blocker::InvalidScoreIntegrity,
    );
    let provisional = |it: &ScorerRollup| it.materialization_state == Materialization::Provisional;
    when(provisional(a) || provisional(b), Blocker::Provisional);
    when(a.truncation.is_some() || b.truncation.is_some(), Blocker::Truncated);
    when(a.schema_version != b.schema_version, Blocker::DifferentSchemaVersion);
    when(a.source_version != b.source_version, Blocker::DifferentSourceVersion);
    scorer_blockers(&a.entries, &b.entries, key, &mut blockers);
    blockers.into_iter().collect()
}

/// Whether an identity is missing, and whether two are different. Two absent identities are not equal ones.
fn identities(a: &Option<String>, b: &Option<String>) -> (bool, bool) {
    match (a, b) {
        (Some(a), Some(b)) => (false, a != b),
        (Some(_) | None, None) | (None, Some(_)) => (true, false),
    }
}

fn scorer_blockers(
    left: &[RollupEntry],
    right: &[RollupEntry],
    key: Option<ScorerKey<'_>>,
    blockers: &mut BTreeSet<Blocker>,
) {
    let is_asked = |entry: &&RollupEntry| key.is_none_or(|key| entry.scorer_id == key.scorer_id);
    let left: Vec<_> = left.iter().filter(is_asked).collect();
    let right: Vec<_> = right.iter().filter(is_asked).collect();
    if key.is_some() && (left.is_empty() || right.is_empty()) {
        blockers.insert(Blocker::MissingScorer);
        return;
    }
    let keyed_hash = key.and_then(|key| key.definition_hash);
    for entry in &left {
        blockers.extend(entry_blocker(entry, &right, keyed_hash));
    }
    if let Some(hash) = keyed_hash {
        let holds = |entries: &[&RollupEntry]| entries.iter().any(|it| it.definition_hash == hash);
        if holds(&left) && !holds(&right) {
            blockers.insert(Blocker::DifferentDefinition);
        }
    }
    let only_right = |entry: &&RollupEntry| left.iter().all(|it| it.scorer_id != entry.scorer_id);
    if key.is_none() && right.iter().any(only_right) {
        blockers.insert(Blocker::MissingScorer);
    }
}

fn entry_blocker(
    entry: &RollupEntry,
    right: &[&RollupEntry],
    keyed_hash: Option<&str>,
) -> Option<Blocker> {
    let mut same_id = right.iter().filter(|other| other.scorer_id == entry.scorer_id).peekable();
    if same_id.peek().is_none() {
        return Some(Blocker::MissingScorer);
    }
    if keyed_hash.is_some_and(|hash| hash != entry.definition_hash) {
        return None;
    }
    let Some(other) = same_id.find(|other| other.definition_hash == entry.definition_hash) else {
        return Some(Blocker::DifferentDefinition);
    };
    let (a, b) = (&entry.observed_population_fingerprint, &other.observed_population_fingerprint);
    if a.is_empty() || b.is_empty() {
        Some(Blocker::MissingObservedPopulationIdentity)
    } else if a != b {
        Some(Blocker::DifferentObservedPopulationIdentity)
    } else {
        None
    }
}
