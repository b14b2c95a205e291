//! The rates of one stage tally (run-documents 7.8).

use howfar_wire::analytics::{StageRates, StageTally};
use howfar_wire::rate::Rate;
use howfar_wire::vocabulary::{ExclusionClass, Vocabulary as _};
use serde_json::Value;

use super::Excluded;
use crate::number::count;

/// The rates of a tally: derived when shown, never stored. A rate over nothing is not measured.
pub fn stage_rates(tally: &StageTally) -> StageRates {
    TallyCounts::of(tally).rates()
}

/// The rates of a stored tally of which nothing is trusted: a count that is no whole number measures nothing.
pub fn stage_rates_of_document(tally: &Value) -> StageRates {
    TallyCounts::of_document(tally).rates()
}

/// What rates are made from; a count that is unknown is `None`.
struct TallyCounts {
    reached: Option<u64>,
    not_reached: Option<u64>,
    reach_unknown: Option<u64>,
    measured: Option<u64>,
    passed: Option<u64>,
    not_measured: Option<u64>,
    excluded: Excluded,
    latency_mean_ms: Option<f64>,
}

impl TallyCounts {
    fn of(tally: &StageTally) -> Self {
        let latency = tally.latency.filter(|latency| latency.sample_count > 0);
        Self {
            reached: Some(tally.reached),
            not_reached: Some(tally.not_reached),
            reach_unknown: Some(tally.reach_unknown),
            measured: Some(tally.measured),
            passed: Some(tally.passed),
            not_measured: Some(tally.not_measured),
            excluded: tally.excluded.clone(),
            latency_mean_ms: latency.map(|it| it.total_ms / it.sample_count as f64),
        }
    }

    fn of_document(tally: &Value) -> Self {
        let stored =
            |class: &ExclusionClass| Some((*class, count(&tally["excluded"][class.as_str()])?));
        let latency = &tally["latency"];
        let samples = count(&latency["sampleCount"]).filter(|samples| *samples > 0);
        Self {
            reached: count(&tally["reached"]),
            not_reached: count(&tally["notReached"]),
            reach_unknown: count(&tally["reachUnknown"]),
            measured: count(&tally["measured"]),
            passed: count(&tally["passed"]),
            not_measured: count(&tally["notMeasured"]),
            excluded: ExclusionClass::ALL.iter().filter_map(stored).collect(),
            latency_mean_ms: latency["totalMs"]
                .as_f64()
                .zip(samples)
                .map(|(total, samples)| total / samples as f64),
        }
    }

    fn rates(self) -> StageRates {
        let with = |class, also: Option<u64>| {
            let mut excluded = self.excluded.clone();
            if let Some(count) = also.filter(|count| *count > 0) {
                excluded.set(class, count);
            }
            excluded
        };
        let unmeasured = with(ExclusionClass::NotMeasured, self.not_measured);
        let unreached = with(ExclusionClass::ReachUnknown, self.reach_unknown);
        let both = self.reached.zip(self.not_reached);
        let got_somewhere = both.and_then(|(reached, not)| reached.checked_add(not));
        StageRates {
            measurement_coverage: rate(self.measured, self.reached, unmeasured.clone()),
            measured_pass: rate(self.passed, self.measured, unmeasured),
            reach: rate(self.reached, got_somewhere, unreached),
            latency_mean_ms: self.latency_mean_ms,
        }
    }
}

/// A numerator beyond its denominator is no rate, and neither is one of an unknown count.
fn rate(
    numerator: Option<u64>,
    denominator: Option<u64>,
    excluded: Excluded,
) -> Rate<ExclusionClass> {
    match numerator.zip(denominator).filter(|(numerator, denominator)| numerator <= denominator) {
        Some((numerator, denominator)) => Rate::of(numerator, denominator, excluded),
        None => Rate::not_measured(excluded),
    }
}
