//! Digests of what was asked for, what was observed and what ran it. The order of rows does not matter.

use std::cmp::Ordering;

use howfar_wire::canon;
use howfar_wire::rollup::{
    ConfiguredTrials, EffectiveModel, ExecutionIdentity, ObservedPopulation,
};
use howfar_wire::verdict::ExecutionVariant;
use serde_json::json;

/// The identity of what was asked for.
pub fn configured_trial_fingerprint(trials: &[ConfiguredTrials]) -> String {
    let mut trials: Vec<_> = trials.iter().collect();
    trials.sort_by(|a, b| {
        by_case((&a.case_id, &a.execution_variant), (&b.case_id, &b.execution_variant))
            .then(a.configured_trials.cmp(&b.configured_trials))
            .then(a.effective_pass_threshold.total_cmp(&b.effective_pass_threshold))
    });
    canon::canonical_digest(&json!(trials))
}

/// The identity of where the rows of a scorer come from.
pub fn observed_population_fingerprint(population: &[ObservedPopulation]) -> String {
    let counts = |it: &ObservedPopulation| {
        let plain = (it.countable, it.scored, it.errors, it.skipped, it.not_applicable);
        // An absent count sorts before 0.
        (plain, it.missing, it.quarantined)
    };
    let mut population: Vec<_> = population.iter().collect();
    population.sort_by(|a, b| {
        by_case((&a.case_id, &a.execution_variant), (&b.case_id, &b.execution_variant))
            .then_with(|| counts(a).cmp(&counts(b)))
    });
    canon::canonical_digest(&json!(population))
}

/// The identity of what ran the trials.
pub fn execution_fingerprint(execution: &ExecutionIdentity) -> String {
    let mut execution = execution.clone();
    if let Some(models) = &mut execution.effective_models {
        models.sort_by(by_model);
    }
    canon::canonical_digest(&json!(execution))
}

type CaseVariant<'a> = (&'a String, &'a Option<ExecutionVariant>);

fn by_case(a: CaseVariant<'_>, b: CaseVariant<'_>) -> Ordering {
    canon::utf16_cmp(a.0, b.0).then_with(|| by_variant(a.1.as_ref(), b.1.as_ref()))
}

/// By provider, or nothing, then model; no variant comes first.
fn by_variant(a: Option<&ExecutionVariant>, b: Option<&ExecutionVariant>) -> Ordering {
    let key = |variant: Option<&ExecutionVariant>| {
        variant.map_or_else(String::new, |variant| {
            format!("{}\0{}", variant.provider.as_deref().unwrap_or_default(), variant.model)
        })
    };
    canon::utf16_cmp(&key(a), &key(b))
}

fn by_model(a: &EffectiveModel, b: &EffectiveModel) -> Ordering {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    by_variant(a.execution_variant.as_ref(), b.execution_variant.as_ref())
        .then_with(|| canon::utf16_cmp(&text(&a.provider), &text(&b.provider)))
        .then_with(|| canon::utf16_cmp(&a.model, &b.model))
        .then_with(|| {
            canon::utf16_cmp(&text(&a.configuration_digest), &text(&b.configuration_digest))
        })
}
