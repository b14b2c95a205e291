//! Whether a trial is counted, and if not, why (run-documents 7.2).

use howfar_wire::analytics::{AnalyticsRun, AnalyticsTrial};
use howfar_wire::rate::Counts;
use howfar_wire::vocabulary::{ExclusionDetail as Detail, IterationStatus};

use super::Excluded;

/// Why the trial is excluded whole; `None` when it is counted.
///
/// A trial whose execution failed is counted: its chain may say where it broke.
pub(super) fn exclusion(
    run: &AnalyticsRun,
    reader_schema: u64,
    trial: &AnalyticsTrial,
) -> Option<Detail> {
    if trial.evaluator_errored {
        return Some(Detail::EvaluatorError);
    }
    if let Some(detail) = lifecycle(trial.status) {
        return Some(detail);
    }
    let chain_version = trial.stage_analyzer_version;
    let measurements = trial.measurements.as_ref();
    if chain_version.is_some_and(|version| version > run.reader_stage_analyzer_version) {
        Some(Detail::ChainVersionAhead)
    } else if measurements.is_some_and(|it| it.schema_version > reader_schema) {
        Some(Detail::MeasurementsVersionAhead)
    } else if trial.stage_results.is_empty() {
        Some(Detail::ChainMissing)
    } else if !trial.chain_verified {
        Some(Detail::ChainUnverified)
    } else if let Some(measurements) = measurements {
        let measured = measurements.stage_analyzer_version;
        if !trial.measurements_verified {
            Some(Detail::MeasurementsInvalid)
        } else if chain_version.is_some_and(|version| version != measured) {
            Some(Detail::AnalyzerMismatch)
        } else {
            None
        }
    } else {
        Some(Detail::MeasurementsMissing)
    }
}

/// Why a trial of this status has no observation to compare; an unknown status is a broken execution.
pub(in crate::run) const fn lifecycle(status: Option<IterationStatus>) -> Option<Detail> {
    match status {
        Some(IterationStatus::Completed | IterationStatus::Failed) => None,
        Some(IterationStatus::Pending | IterationStatus::Running) => Some(Detail::NotTerminal),
        Some(IterationStatus::Skipped) => Some(Detail::Skipped),
        Some(IterationStatus::Cancelled) => Some(Detail::Cancelled),
        Some(IterationStatus::SetupFailed) => Some(Detail::SetupFailed),
        Some(IterationStatus::TimedOut) => Some(Detail::TimedOut),
        None => Some(Detail::ExecutionFailed),
    }
}

pub(super) fn by_class(details: &Counts<Detail>) -> Excluded {
    details.iter().map(|(detail, count)| (detail.class(), count)).collect()
}
