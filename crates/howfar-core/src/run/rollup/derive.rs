//! The scorer roll-up of one run: what every scorer found, over all cases.

use howfar_wire::canon;
use howfar_wire::record::CaseRecord;
use howfar_wire::rollup::{
    ConfiguredTrials, EffectiveModel, ExecutionIdentity, HostHarness, MAX_ROLLUP_ENTRIES,
    ObservedPopulation, ROLLUP_SCHEMA_VERSION, ROLLUP_SOURCE_VERSION, RollupEntry,
    RollupTruncation, ScorerRollup, ServerEnvironment,
};
use howfar_wire::verdict::ExecutionVariant;
use howfar_wire::vocabulary::{IterationStatus, Materialization};
use indexmap::IndexMap;
use serde_json::json;

use super::fingerprint::{
    configured_trial_fingerprint, execution_fingerprint, observed_population_fingerprint,
};
use crate::run::scored::{ScoredRun, ScorerTally};
use crate::run::side::RunSide;

/// The roll-up of a run whose counts no longer change; `None` when no case states its scorers.
///
/// Entries stand by scorer and definition; the first 200 are kept. Times are those of the run's beginning.
pub fn scorer_rollup(side: &RunSide) -> Option<ScorerRollup> {
    let record = &side.record;
    if record.cases.iter().all(|case| case.evaluation_config.is_none()) {
        return None;
    }
    let scored = ScoredRun::new(side);
    let (entries, truncation) = kept(entries(side, &scored));
    let configured_trials: Vec<_> = record.cases.iter().map(configured).collect();
    let execution = execution(side);
    let analytics = side.report.analytics.as_ref();
    Some(ScorerRollup {
        schema_version: ROLLUP_SCHEMA_VERSION,
        source_version: ROLLUP_SOURCE_VERSION,
        suite_id: record.suite.id.clone(),
        run_id: record.run_id.clone(),
        run_group_id: analytics.and_then(|it| it.run_group_id.clone()),
        config_revision: analytics.and_then(|it| it.config_revision.clone()),
        case_set_fingerprint: analytics.and_then(|it| it.case_set_fingerprint.clone()),
        organization_id: None,
        workspace_id: None,
        project_id: None,
        run_completed_at: None,
        source_iteration_count: side.trials.len() as u64,
        source_max_updated_at: None,
        generation: None,
        materialization_state: Materialization::Final,
        score_integrity: scored.integrity,
        created_at: record.started_at_ms,
        updated_at: record.started_at_ms,
        configured_trial_fingerprint: configured_trial_fingerprint(&configured_trials),
        configured_trials,
        execution_fingerprint: execution_fingerprint(&execution),
        execution,
        entries,
        truncation,
    })
}

fn configured(case: &CaseRecord) -> ConfiguredTrials {
    ConfiguredTrials {
        case_id: case.id.clone(),
        execution_variant: variant(case),
        configured_trials: u64::from(case.iterations),
        effective_pass_threshold: case.pass_threshold,
    }
}

fn variant(case: &CaseRecord) -> Option<ExecutionVariant> {
    case.model.as_ref().map(|model| ExecutionVariant {
        model: model.effective.clone(),
        provider: Some(model.provider.clone()),
    })
}

/// What ran the trials: this program with its settings, the models, and the tools that they saw.
fn execution(side: &RunSide) -> ExecutionIdentity {
    let record = &side.record;
    let mut models: Vec<EffectiveModel> = Vec::new();
    for model in record.cases.iter().filter_map(|case| case.model.as_ref()) {
        if models.iter().all(|known| known.model != model.effective) {
            models.push(EffectiveModel {
                execution_variant: None,
                model: model.effective.clone(),
                provider: Some(model.provider.clone()),
                configuration_digest: None,
            });
        }
    }
    let settings = json!({
        "maxSteps": record.settings.max_steps,
        "systemPrompt": record.system_prompt,
        "temperature": record.settings.temperature,
        "toolPolicy": record.tool_policy,
    });
    let harness = HostHarness {
        kind: side.report.metadata.execution.engine.clone(),
        version: record.product_version.clone(),
        configuration_digest: canon::canonical_digest(&settings),
    };
    let servers = |digest: &String| ServerEnvironment {
        environment_id: None,
        configuration_digest: digest.clone(),
    };
    ExecutionIdentity {
        host_harness: Some(harness).filter(|harness| !harness.version.is_empty()),
        effective_models: Some(models).filter(|models| !models.is_empty()),
        server_environment: side.catalog_digest.as_ref().map(servers),
        ..ExecutionIdentity::default()
    }
}

/// One entry per scorer and definition, by id and then digest.
fn entries(side: &RunSide, scored: &ScoredRun<'_>) -> Vec<RollupEntry> {
    let mut found: IndexMap<(&str, String), (ScorerTally<'_>, Vec<ObservedPopulation>)> =
        IndexMap::new();
    for case in &side.record.cases {
        let Some(scorers) = scored.cases.get(&*case.id) else { continue };
        for (id, tally) in &scorers.scorers {
            let observed = observed(side, case, tally);
            match found.get_mut(&(*id, tally.hash.clone())) {
                Some((sum, population)) => {
                    *sum = sum.clone().merged(tally.clone());
                    population.push(observed);
                }
                None => {
                    found.insert((*id, tally.hash.clone()), (tally.clone(), vec![observed]));
                }
            }
        }
    }
    let mut entries: Vec<_> = found.into_values().map(|(sum, seen)| entry(&sum, seen)).collect();
    entries.sort_by(|a, b| {
        canon::utf16_cmp(&a.scorer_id, &b.scorer_id)
            .then_with(|| canon::utf16_cmp(&a.definition_hash, &b.definition_hash))
    });
    entries
}

fn entry(sum: &ScorerTally<'_>, observed_population: Vec<ObservedPopulation>) -> RollupEntry {
    let definition = sum.definition;
    RollupEntry {
        scorer_id: definition.scorer_id.clone(),
        definition_hash: sum.hash.clone(),
        id_source: definition.id_source,
        role: definition.role,
        deterministic: definition.deterministic,
        pass_threshold: definition.pass_threshold,
        scope: definition.scope,
        criterion: None,
        countable: sum.countable(),
        passed: sum.passed,
        failed: sum.scored - sum.passed,
        errors: sum.errors,
        skipped: sum.skipped,
        not_applicable: sum.not_applicable,
        pass_rate: sum.pass_rate(),
        mean_value: sum.mean(),
        observed_population_fingerprint: observed_population_fingerprint(&observed_population),
        observed_population,
    }
}

/// The rows of one scorer in one case. A trial that did not complete has none; the rows of one that did and does not
/// fit the definitions are quarantined.
fn observed(side: &RunSide, case: &CaseRecord, tally: &ScorerTally<'_>) -> ObservedPopulation {
    let of_case = side.trials.iter().filter(|trial| trial.case_id == case.id);
    let completed = of_case.filter(|trial| trial.status == IterationStatus::Completed);
    let completed = completed.count() as u64;
    let some = |count: u64| Some(count).filter(|count| *count > 0);
    ObservedPopulation {
        case_id: case.id.clone(),
        execution_variant: variant(case),
        countable: tally.countable(),
        scored: tally.scored,
        errors: tally.errors,
        skipped: tally.skipped,
        not_applicable: tally.not_applicable,
        missing: some(u64::from(case.iterations).saturating_sub(completed)),
        quarantined: some(completed.saturating_sub(tally.rows())),
    }
}

fn kept(mut entries: Vec<RollupEntry>) -> (Vec<RollupEntry>, Option<RollupTruncation>) {
    let total = entries.len() as u64;
    entries.truncate(MAX_ROLLUP_ENTRIES);
    let retained = entries.len() as u64;
    let truncation = RollupTruncation { retained, omitted: total - retained, total };
    (entries, Some(truncation).filter(|truncation| truncation.omitted > 0))
}

#[cfg(test)]
mod tests {
    use howfar_wire::gate::ScoreIntegrity;
    use howfar_wire::rollup::RollupBlocker;

    use super::*;
    use crate::run::fixture::{Went, run, run_of};
    use crate::run::rollup::{rollup_blockers, validate_rollup};

    fn rollup(side: &RunSide) -> ScorerRollup {
        let rollup = scorer_rollup(side).expect("the cases state their scorers");
        assert_eq!(validate_rollup(&json!(rollup)), Ok(rollup.clone()));
        rollup
    }

    #[test]
    fn one_scorer_of_two_cases_is_one_entry() {
        let trials = [Went::Well, Went::Elsewhere, Went::Unanswered];
        let rollup = rollup(&run("a", &[("one", &trials), ("two", &[Went::Well])]));
        let entry = &rollup.entries[0];
        assert_eq!((rollup.entries.len(), &*entry.scorer_id), (1, "tool-match"));
        assert_eq!((entry.countable, entry.passed, entry.failed), (3, 2, 1));
        assert_eq!((entry.pass_rate, entry.mean_value), (Some(2.0 / 3.0), Some(2.0 / 3.0)));
        let seen = |at: usize| &entry.observed_population[at];
        assert_eq!((seen(0).countable, seen(0).missing, seen(0).quarantined), (2, Some(1), None));
        assert_eq!((seen(1).countable, seen(1).missing), (1, None));
        assert_eq!(rollup.score_integrity, Some(ScoreIntegrity::Valid));
        assert_eq!((rollup.source_iteration_count, rollup.truncation), (4, None));
    }

    #[test]
    fn what_was_not_frozen_is_missing_even_against_itself() {
        let rollup = rollup(&run("a", &[("one", &[Went::Well])]));
        let expected =
            [RollupBlocker::MissingFrozenModelIdentity, RollupBlocker::MissingFrozenServerIdentity];
        assert_eq!(rollup_blockers(&rollup, &rollup, None), expected);
    }

    #[test]
    fn a_run_that_states_no_scorers_has_no_roll_up() {
        let case = json!([{
            "id": "one", "title": "One", "declaredModel": "scripted/m", "iterations": 1,
            "passThreshold": 1, "contentHash": "h",
        }]);
        let side = run_of("a", &[("one", &[Went::Well])], json!({ "cases": case }));
        assert_eq!(scorer_rollup(&side), None);
    }
}
