//! How far the trials of one run got, stage by stage (run-documents, section 7). It never decides anything.

mod inclusion;
mod parity;
mod rates;
mod setup;
mod slices;
mod tally;
mod validate;

use std::collections::BTreeSet;

use howfar_wire::analytics::{
    AnalyticsRun, AnalyticsTrial, PhaseSignal, STAGE_ANALYTICS_SCHEMA_VERSION, StageAnalytics,
};
use howfar_wire::measurement::MEASUREMENTS_SCHEMA_VERSION;
use howfar_wire::rate::Counts;
use howfar_wire::vocabulary::{ExclusionClass, ExclusionDetail, MeasurementUnit, Vocabulary as _};

pub(super) use inclusion::lifecycle;
pub use parity::{ParitySide, parity_blockers};
pub use rates::{stage_rates, stage_rates_of_document};
pub use validate::validate_analytics;

/// The analytics document of a run.
///
/// A trial is counted or excluded whole; one that is excluded is noted by class and detail, and still creates the
/// slices it belongs to. All copies of a setup signal describe one attempt.
pub fn stage_analytics(
    run: &AnalyticsRun,
    trials: &[AnalyticsTrial],
    setup_signals: &[PhaseSignal],
) -> StageAnalytics {
    let reader_schema =
        run.reader_measurements_schema_version.unwrap_or(MEASUREMENTS_SCHEMA_VERSION);
    let exclusions: Vec<Option<ExclusionDetail>> =
        trials.iter().map(|trial| inclusion::exclusion(run, reader_schema, trial)).collect();
    let included = || trials.iter().zip(&exclusions).filter(|(_, out)| out.is_none());
    let analyzers: BTreeSet<u64> =
        included().filter_map(|(trial, _)| trial.stage_analyzer_version).collect();
    let schemas: BTreeSet<u64> = included()
        .filter_map(|(trial, _)| trial.measurements.as_ref())
        .map(|measurements| measurements.schema_version)
        .collect();
    let details = exclusions.iter().flatten();
    let excluded_trial_detail: Counts<_> = details.map(|detail| (*detail, 1)).collect();
    let (slices, slice_truncation) = slices::slices(trials, &exclusions);
    StageAnalytics {
        schema_version: STAGE_ANALYTICS_SCHEMA_VERSION,
        measurement_unit: MeasurementUnit::Trial,
        run_id: run.run_id.clone(),
        suite_id: run.suite_id.clone(),
        run_group_id: run.run_group_id.clone(),
        config_revision: run.config_revision.clone(),
        case_set_fingerprint: run.case_set_fingerprint.clone(),
        organization_id: run.organization_id.clone(),
        workspace_id: run.workspace_id.clone(),
        project_id: run.project_id.clone(),
        run_completed_at: run.run_completed_at,
        source_iteration_count: trials.len() as u64,
        source_max_updated_at: run.source_max_updated_at,
        stage_analyzer_version: newest(&analyzers, run.reader_stage_analyzer_version),
        source_stage_analyzer_versions: several(analyzers),
        measurements_schema_version: newest(&schemas, reader_schema),
        source_measurements_schema_versions: several(schemas),
        materialization_state: run.materialization_state,
        created_at: run.created_at.unwrap_or(run.now),
        updated_at: run.now,
        included_trials: included().count() as u64,
        excluded_trials: inclusion::by_class(&excluded_trial_detail),
        total_trials: trials.len() as u64,
        excluded_trial_detail,
        slices,
        setup: setup::tallies(setup_signals),
        slice_truncation,
    }
}

/// The details of excluded trials as listed to a reader: in contract order, without those that did not occur.
pub fn exclusion_details(counts: &Counts<ExclusionDetail>) -> Vec<(ExclusionDetail, u64)> {
    let listed = ExclusionDetail::ALL.iter().map(|&detail| (detail, counts.get(detail)));
    listed.filter(|(_, count)| *count > 0).collect()
}

/// Counts of trials, or of stages of trials, that left a denominator.
type Excluded = Counts<ExclusionClass>;

fn newest(versions: &BTreeSet<u64>, otherwise: u64) -> u64 {
    versions.last().copied().unwrap_or(otherwise)
}

/// A list of versions is worth writing only when there is more than one.
fn several(versions: BTreeSet<u64>) -> Option<Vec<u64>> {
    (versions.len() > 1).then(|| versions.into_iter().collect())
}
