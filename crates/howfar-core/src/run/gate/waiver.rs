//! Waivers: permission to pass in spite of failures, for a while (run-documents 8.3).

use howfar_wire::gate::{GateOutcome, GateReport, GateStatus, GateWaiver};

use super::verdicts::VerdictRow;

/// The report under a waiver. `now` is in milliseconds since the epoch.
///
/// A waiver in force turns failures into `waived` and is noted otherwise; usage errors and what could not be decided
/// stay what they are. An expired one does nothing.
pub fn apply_waiver(report: GateReport, waiver: Option<&GateWaiver>, now: u64) -> GateReport {
    let Some(waiver) = waiver.filter(|waiver| waiver.expires_at > now) else {
        return report;
    };
    let mut report = GateReport { waiver: Some(waiver.clone()), ..report };
    let outcome = waived_outcome(report.outcome, Some(waiver), now);
    if outcome != report.outcome {
        let row = VerdictRow { gate: "waiver", threshold: None };
        report.verdicts.insert(0, row.row(GateStatus::Waived, &*waiver.reason, None));
        report.outcome = outcome;
    }
    report
}

/// An outcome under a waiver.
pub fn waived_outcome(outcome: GateOutcome, waiver: Option<&GateWaiver>, now: u64) -> GateOutcome {
    match outcome {
        GateOutcome::Failed if waiver.is_some_and(|waiver| waiver.expires_at > now) => {
            GateOutcome::Waived
        }
        GateOutcome::Passed
        | GateOutcome::Failed
        | GateOutcome::Incomplete
        | GateOutcome::UsageError
        | GateOutcome::Waived => outcome,
    }
}
