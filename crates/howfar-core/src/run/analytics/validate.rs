//! Whether a stored analytics document holds up (run-documents 7.7).

use howfar_wire::analytics::{
    LatencyTally, STAGE_ANALYTICS_SCHEMA_VERSION, SetupTally, Slice, SliceRow, StageAnalytics,
    StageTally,
};
use howfar_wire::vocabulary::{MeasurementUnit, Stage, Vocabulary as _};
use serde_json::Value;

use crate::problem::{Problem, Problems, read_closed};

/// The most slices of a document: one overall, 50 intents, 25 models, 25 hosts.
const MAX_SLICES: usize = 101;

/// A stored document that holds up, or everything that is wrong with it.
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_analytics(document: &Value) -> Result<StageAnalytics, Vec<Problem>> {
    let analytics: StageAnalytics = read_closed(document)?;
    let mut problems = Problems::default();
    check_header(&analytics, &mut problems);
    check_slices(&analytics, &mut problems);
    for (at, setup) in analytics.setup.iter().enumerate() {
        let repeated = analytics.setup[..at].iter().any(|other| other.phase == setup.phase);
        let sound = !repeated && is_setup_sound(setup);
        problems.check(sound, format!("setup.{at}"), "does not add up");
    }
    problems.or(analytics)
}

fn check_header(analytics: &StageAnalytics, problems: &mut Problems) {
    let schema = analytics.schema_version == STAGE_ANALYTICS_SCHEMA_VERSION;
    problems.check(schema, "schemaVersion", "is not 1");
    let unit = analytics.measurement_unit == MeasurementUnit::Trial;
    problems.check(unit, "measurementUnit", "is not trial");
    let analyzer = analytics.stage_analyzer_version >= 1;
    problems.check(analyzer, "stageAnalyzerVersion", "is not positive");
    let measured = analytics.measurements_schema_version >= 1;
    problems.check(measured, "measurementsSchemaVersion", "is not positive");
    let is_list = |versions: &Option<Vec<u64>>| {
        versions
            .as_deref()
            .is_none_or(|versions| versions.len() >= 2 && versions.iter().all(|it| *it >= 1))
    };
    let analyzers = is_list(&analytics.source_stage_analyzer_versions);
    problems.check(analyzers, "sourceStageAnalyzerVersions", "is not a list of versions");
    let schemas = is_list(&analytics.source_measurements_schema_versions);
    problems.check(schemas, "sourceMeasurementsSchemaVersions", "is not a list of versions");
    let included = analytics.included_trials <= analytics.total_trials;
    problems.check(included, "includedTrials", "exceeds the trials");
}

fn check_slices(analytics: &StageAnalytics, problems: &mut Problems) {
    let slices = &analytics.slices;
    problems.check(slices.len() <= MAX_SLICES, "slices", "are too many");
    let mut overall = slices.iter().filter(|row| matches!(row.slice, Slice::Overall {}));
    let one = match (overall.next(), overall.next()) {
        (Some(row), None) => row.included_trials == analytics.included_trials,
        (Some(_), Some(_)) | (None, Some(_) | None) => false,
    };
    problems.check(one, "slices", "do not hold one overall slice with the document's count");
    for (at, row) in slices.iter().enumerate() {
        check_slice(row, at, problems);
    }
}

fn check_slice(row: &SliceRow, at: usize, problems: &mut Problems) {
    let counted = row.failure_categories.iter().all(|it| it.count >= 1);
    problems.check(counted, format!("slices.{at}.failureCategories"), "list a count of 0");
    let stages = row.stages.iter().map(|tally| tally.stage);
    let ordered = stages.eq(Stage::ALL.iter().copied());
    problems.check(ordered, format!("slices.{at}.stages"), "are not the six stages");
    for (stage, tally) in row.stages.iter().enumerate() {
        let sound = is_tally_sound(tally);
        problems.check(sound, format!("slices.{at}.stages.{stage}"), "does not add up");
    }
}

fn is_tally_sound(tally: &StageTally) -> bool {
    let adds_up = |parts: &[u64], whole: u64| {
        parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(*part)) == Some(whole)
    };
    adds_up(&[tally.passed, tally.failed], tally.measured)
        && adds_up(&[tally.measured, tally.not_measured], tally.reached)
        && adds_up(&[tally.reached, tally.not_reached, tally.reach_unknown], tally.applicable)
        && tally.reasons.iter().all(|it| it.count >= 1)
        && tally.latency.is_none_or(|latency| is_latency_sound(&latency, tally.reached))
}

fn is_setup_sound(setup: &SetupTally) -> bool {
    let phase = match setup.phase {
        Stage::Connection | Stage::Discovery => true,
        Stage::Selection | Stage::Call | Stage::Response | Stage::UserValue => false,
    };
    phase
        && setup.failed_attempts <= setup.unique_attempts
        && setup.server_attributed_failures <= setup.failed_attempts
        && setup.latency.is_none_or(|latency| is_latency_sound(&latency, setup.unique_attempts))
}

/// At least one sample and at most `samples`, with a sum between the smallest and the largest times their number.
fn is_latency_sound(latency: &LatencyTally, samples: u64) -> bool {
    // A sum of doubles may miss the product by a few units in the last place.
    const ROUNDING: f64 = 1e-9;
    let n = latency.sample_count as f64;
    let times = [latency.total_ms, latency.min_ms, latency.max_ms];
    (1..=samples).contains(&latency.sample_count)
        && times.iter().all(|time| time.is_finite() && *time >= 0.0)
        && latency.min_ms <= latency.max_ms
        && latency.min_ms * n * (1.0 - ROUNDING) <= latency.total_ms
        && latency.total_ms <= latency.max_ms * n * (1.0 + ROUNDING)
}
