//! Rows of gates, and what they come to together (run-documents 8.2).

use howfar_wire::gate::{GateOutcome, GateStatus, GateVerdict};

/// A gate that is being decided.
#[derive(Clone, Copy)]
pub(in crate::run) struct VerdictRow<'a> {
    pub(in crate::run) gate: &'a str,
    pub(in crate::run) threshold: Option<f64>,
}

impl VerdictRow<'_> {
    pub(in crate::run) fn usage_error(self, message: impl Into<String>) -> GateVerdict {
        GateVerdict { threshold: None, ..self.row(GateStatus::UsageError, message, None) }
    }

    pub(in crate::run) fn non_gateable(self, message: impl Into<String>) -> GateVerdict {
        self.row(GateStatus::NonGateable, message, None)
    }

    /// Decided by what was observed.
    pub(in crate::run) fn decided(
        self,
        holds: bool,
        observed: f64,
        message: impl Into<String>,
    ) -> GateVerdict {
        let status = if holds { GateStatus::Passed } else { GateStatus::Failed };
        self.row(status, message, Some(observed))
    }

    pub(in crate::run) fn row(
        self,
        status: GateStatus,
        message: impl Into<String>,
        observed: Option<f64>,
    ) -> GateVerdict {
        GateVerdict {
            gate: self.gate.to_owned(),
            status,
            message: message.into(),
            observed,
            threshold: self.threshold,
        }
    }
}

/// A usage error outranks a failure, a failure what could not be decided; no gate at all passes.
pub(in crate::run) fn fold(verdicts: &[GateVerdict]) -> GateOutcome {
    let any = |status: GateStatus| verdicts.iter().any(|verdict| verdict.status == status);
    if any(GateStatus::UsageError) {
        GateOutcome::UsageError
    } else if any(GateStatus::Failed) {
        GateOutcome::Failed
    } else if any(GateStatus::NonGateable) {
        GateOutcome::Incomplete
    } else {
        GateOutcome::Passed
    }
}
