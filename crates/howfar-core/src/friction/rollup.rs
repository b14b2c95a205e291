//! Friction over the trials of a run (friction, section A16).

use std::collections::BTreeSet;

use howfar_wire::canon::utf16_cmp;
use howfar_wire::friction::{
    CaseFriction, FRICTION_VERSION, FrictionDocument, FrictionRate, FrictionRates, FrictionRollup,
    FrictionTally, ToolFriction,
};
use howfar_wire::rate::Counts;
use howfar_wire::vocabulary::{FrictionGap, FrictionSignalKind, MeasurementUnit};
use indexmap::IndexMap;

/// One included trial of a run. Which trials are included is decided by the verdict's rules, never here.
#[derive(Debug, Clone, Copy)]
pub struct FrictionTrial<'a> {
    /// The case.
    pub case_id: &'a str,
    /// The model; `None` for a case that needs none.
    pub model: Option<&'a str>,
    /// The trial's sound document; `None` when it has none, or one that is not sound.
    pub document: Option<&'a FrictionDocument>,
}

/// The friction of a run over its included trials; `None` when no trial has a document.
pub fn friction_rollup(trials: &[FrictionTrial<'_>]) -> Option<FrictionRollup> {
    let mut variants: IndexMap<(&str, Option<&str>), Vec<&FrictionTrial<'_>>> = IndexMap::new();
    for trial in trials {
        variants.entry((trial.case_id, trial.model)).or_default().push(trial);
    }
    let case = |((case_id, model), trials): (&(&str, Option<&str>), &Vec<&FrictionTrial<'_>>)| {
        Some(CaseFriction {
            case_id: (*case_id).to_owned(),
            model: model.map(str::to_owned),
            friction: tally(trials)?,
        })
    };
    Some(FrictionRollup {
        version: FRICTION_VERSION,
        unit: MeasurementUnit::Trial,
        run: tally(&trials.iter().collect::<Vec<_>>())?,
        cases: variants.iter().filter_map(case).collect(),
        tools: tools(trials),
    })
}

/// `None` when no trial has a document.
fn tally(trials: &[&FrictionTrial<'_>]) -> Option<FrictionTally> {
    let documents: Vec<_> = trials.iter().filter_map(|trial| trial.document).collect();
    let measured = documents.iter().filter(|document| document.gap().is_none());
    let identifiers = measured.clone().filter(|document| document.identifier_gap().is_none());
    (!documents.is_empty()).then(|| FrictionTally {
        trial_count: trials.len() as u64,
        document_count: documents.len() as u64,
        measured_trial_count: measured.count() as u64,
        identifier_measured_trial_count: identifiers.count() as u64,
        rates: FrictionRates::from_fn(|kind| rate(&documents, kind)),
    })
}

/// A kind counts once per trial, among the trials in which it could have been seen.
fn rate(documents: &[&FrictionDocument], kind: FrictionSignalKind) -> FrictionRate {
    let mut exclusions = Counts::new();
    let (mut numerator, mut denominator) = (0, 0);
    for document in documents {
        match gap_for(document, kind) {
            Some(reason) => exclusions.add(reason, 1),
            None => {
                denominator += 1;
                let is_seen = document.signals.iter().any(|signal| signal.kind() == kind);
                numerator += u64::from(is_seen);
            }
        }
    }
    FrictionRate::of(numerator, denominator, exclusions)
}

fn gap_for(document: &FrictionDocument, kind: FrictionSignalKind) -> Option<FrictionGap> {
    let identifier_gap = document.identifier_gap().filter(|_| kind.needs_results());
    document.gap().or(identifier_gap)
}

fn tools(trials: &[FrictionTrial<'_>]) -> Vec<ToolFriction> {
    let mut counts: IndexMap<(&str, FrictionSignalKind), u64> = IndexMap::new();
    for document in trials.iter().filter_map(|trial| trial.document) {
        let seen = document.signals.iter().map(|signal| (signal.tool_name(), signal.kind()));
        for tool_and_kind in seen.collect::<BTreeSet<_>>() {
            *counts.entry(tool_and_kind).or_default() += 1;
        }
    }
    counts.sort_by(|(tool_a, kind_a), _, (tool_b, kind_b), _| {
        utf16_cmp(tool_a, tool_b).then(kind_a.cmp(kind_b))
    });
    let row = |((tool_name, kind), trial_count): ((&str, FrictionSignalKind), u64)| ToolFriction {
        tool_name: tool_name.to_owned(),
        kind,
        trial_count,
    };
    counts.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::RateState;
    use serde_json::{Value, json};

    use super::*;
    use crate::friction::{FrictionInput, derive_friction};

    fn document(calls: &Value) -> FrictionDocument {
        let input = json!({"toolsCalled": calls});
        derive_friction(&FrictionInput::parse(&input).expect("an input")).expect("sound")
    }

    fn trial<'a>(case_id: &'a str, document: Option<&'a FrictionDocument>) -> FrictionTrial<'a> {
        FrictionTrial { case_id, model: None, document }
    }

    #[test]
    fn trials_are_counted_and_signals_are_not() {
        let repeating = document(&json!([{"name": "t"}, {"name": "t"}, {"name": "t"}]));
        let single = document(&json!([{"name": "t"}]));
        let trials = [trial("a", Some(&repeating)), trial("a", Some(&single)), trial("a", None)];
        let rollup = friction_rollup(&trials).expect("documents exist");
        let rate = &rollup.run.rates.identical_retry;
        assert_eq!((rate.numerator, rate.denominator, rate.value), (1, 2, Some(0.5)));
        assert_eq!((rollup.run.trial_count, rollup.run.document_count), (3, 2));
        assert_eq!(rollup.tools[0].trial_count, 1);
    }

    #[test]
    fn a_kind_that_could_not_be_seen_has_no_rate() {
        let blind = document(&json!([{"name": "t"}]));
        let empty = document(&json!([]));
        let trials = [trial("a", Some(&blind)), trial("a", Some(&empty))];
        let rollup = friction_rollup(&trials).expect("documents exist");
        let rate = &rollup.run.rates.identifier_surfaced_unused;
        assert_eq!((rate.state, rate.value), (RateState::NotMeasured, None));
        assert_eq!(json!(rate.exclusions), json!({"noToolCalls": 1, "resultsUnavailable": 1}));
        assert_eq!(rollup.run.rates.identical_retry.denominator, 1);
    }

    #[test]
    fn a_case_without_documents_has_no_row() {
        let single = document(&json!([{"name": "t"}]));
        let rollup = friction_rollup(&[trial("a", None), trial("b", Some(&single))]);
        let cases = rollup.expect("a document exists").cases;
        assert_eq!(cases.iter().map(|case| &*case.case_id).collect::<Vec<_>>(), ["b"]);
        assert_eq!(friction_rollup(&[trial("a", None)]), None);
    }
}
