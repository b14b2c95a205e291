//! What becomes of included trials at each stage (run-documents 7.4).

use howfar_wire::analytics::{AnalyticsTrial, LatencyTally, ReasonCount, StageTally};
use howfar_wire::chain::StageRow;
use howfar_wire::measurement::{LatencyBasis, LatencyUnit, MeasurementRow};
use howfar_wire::rate::Counts;
use howfar_wire::vocabulary::{
    ExclusionClass, Reach, Stage, StageReason, StageState, Vocabulary as _,
};

use super::Excluded;
use crate::run::measurement::{admits, reach_of_state};

/// The six tallies of one slice, while it is counted.
pub(super) struct StageTallies([(StageTally, Counts<StageReason>); 6]);

impl Default for StageTallies {
    fn default() -> Self {
        Self(std::array::from_fn(|at| (empty(Stage::ALL[at]), Counts::new())))
    }
}

impl StageTallies {
    pub(super) fn add(&mut self, trial: &AnalyticsTrial) {
        let measured = trial.measurements.as_ref().map_or(&[][..], |it| &it.rows);
        for (at, (tally, reasons)) in self.0.iter_mut().enumerate() {
            let row = trial.stage_results.get(at).filter(|row| row.stage == tally.stage);
            if let Some(row) = row {
                add_row(tally, reasons, row, measured.get(at));
            }
        }
    }

    pub(super) fn into_tallies(self) -> [StageTally; 6] {
        self.0.map(|(tally, reasons)| {
            let counts = reasons.iter().map(|(reason, count)| ReasonCount { reason, count });
            StageTally { reasons: counts.collect(), ..tally }
        })
    }
}

fn empty(stage: Stage) -> StageTally {
    StageTally {
        stage,
        applicable: 0,
        reached: 0,
        not_reached: 0,
        reach_unknown: 0,
        measured: 0,
        passed: 0,
        failed: 0,
        not_measured: 0,
        not_applicable: 0,
        excluded: Excluded::new(),
        reasons: Vec::new(),
        latency: None,
    }
}

fn add_row(
    tally: &mut StageTally,
    reasons: &mut Counts<StageReason>,
    row: &StageRow,
    measured: Option<&MeasurementRow>,
) {
    let agreeing = measured.filter(|it| it.stage == row.stage && admits(row.state, it.reach));
    if let Some(reason) = row.reason {
        reasons.add(reason, 1);
    }
    if row.state == StageState::NotApplicable {
        tally.not_applicable += 1;
        tally.excluded.add(ExclusionClass::NotApplicable, 1);
        return;
    }
    tally.applicable += 1;
    match agreeing.map_or(reach_of_state(row.state), |it| it.reach) {
        Reach::NotReached => {
            tally.not_reached += 1;
            return;
        }
        Reach::Unknown | Reach::NotApplicable => {
            tally.reach_unknown += 1;
            tally.excluded.add(ExclusionClass::ReachUnknown, 1);
            return;
        }
        Reach::Reached => tally.reached += 1,
    }
    add_state(tally, row.state);
    if let Some(latency) = agreeing.and_then(|it| it.latency)
        && latency.basis == LatencyBasis::EvidenceSpanUnion
    {
        add_sample(&mut tally.latency, latency.basis, latency.value);
    }
}

fn add_state(tally: &mut StageTally, state: StageState) {
    match state {
        StageState::Passed => {
            tally.measured += 1;
            tally.passed += 1;
        }
        StageState::Failed => {
            tally.measured += 1;
            tally.failed += 1;
        }
        StageState::NotMeasured | StageState::NotReached | StageState::NotApplicable => {
            tally.not_measured += 1;
            tally.excluded.add(ExclusionClass::NotMeasured, 1);
        }
    }
}

/// Adds a sample; a time that is not finite or is negative is none.
pub(super) fn add_sample(tally: &mut Option<LatencyTally>, basis: LatencyBasis, time: f64) {
    if !time.is_finite() || time < 0.0 {
        return;
    }
    let tally = tally.get_or_insert(LatencyTally {
        unit: LatencyUnit::Milliseconds,
        basis,
        sample_count: 0,
        total_ms: 0.0,
        min_ms: time,
        max_ms: time,
    });
    tally.sample_count += 1;
    tally.total_ms += time;
    tally.min_ms = tally.min_ms.min(time);
    tally.max_ms = tally.max_ms.max(time);
}
