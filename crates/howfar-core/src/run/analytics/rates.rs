//! The rates of one stage tally (run-documents 7.8).

use howfar_wire::analytics::{StageRates, StageTally};
use howfar_wire::rate::Rate;
use howfar_wire::vocabulary::ExclusionClass;

use super::Excluded;

/// The rates of a tally: derived when shown, never stored. A rate over nothing is not measured.
pub fn stage_rates(tally: &StageTally) -> StageRates {
    let with = |class, count| {
        let mut excluded = tally.excluded.clone();
        if count > 0 {
            excluded.set(class, count);
        }
        excluded
    };
    let unmeasured = with(ExclusionClass::NotMeasured, tally.not_measured);
    let unreached = with(ExclusionClass::ReachUnknown, tally.reach_unknown);
    let got_somewhere = tally.reached.saturating_add(tally.not_reached);
    StageRates {
        measurement_coverage: rate(tally.measured, tally.reached, unmeasured.clone()),
        measured_pass: rate(tally.passed, tally.measured, unmeasured),
        reach: rate(tally.reached, got_somewhere, unreached),
        latency_mean_ms: tally
            .latency
            .filter(|latency| latency.sample_count > 0)
            .map(|latency| latency.total_ms / latency.sample_count as f64),
    }
}

/// A numerator beyond its denominator is no rate.
fn rate(numerator: u64, denominator: u64, excluded: Excluded) -> Rate<ExclusionClass> {
    if numerator > denominator {
        return Rate::not_measured(excluded);
    }
    Rate::of(numerator, denominator, excluded)
}
