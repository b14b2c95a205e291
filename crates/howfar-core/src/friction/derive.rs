//! Calls and results to a friction document (friction, section A10).

use howfar_wire::friction::{
    FRICTION_VERSION, FrictionDocument, FrictionMeasurement, FrictionSignal, IdentifierMeasurement,
    MAX_CALLS,
};
use howfar_wire::vocabulary::{CallOrdering, FrictionGap};

use super::adjacency::adjacency_signals;
use super::arguments::ArgumentText;
use super::check::check_document;
use super::information::identifier_signals;
use super::input::FrictionInput;
use super::order::in_document_order;
use super::record::{CallRecord, call_records};
use crate::problem::Problem;

/// A derived document that the validator refuses: a bug here, or records whose indexes are no positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the derived friction document is not sound: {}", list(problems))]
pub struct UnsoundFriction {
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; ")
}

/// The friction of a trial.
///
/// # Errors
///
/// A document that is not sound is never given out; evidence of any shape derives a sound one.
pub fn derive_friction(input: &FrictionInput<'_>) -> Result<FrictionDocument, UnsoundFriction> {
    derive_records(&call_records(input), input.evidence_hole)
}

/// The friction of a trial whose calls were already joined with their results. Neighbours are neighbours by position,
/// and documents name `index`.
///
/// # Errors
///
/// A document that is not sound is never given out; that happens when indexes are not positions.
pub fn derive_records(
    records: &[CallRecord<'_>],
    evidence_hole: Option<FrictionGap>,
) -> Result<FrictionDocument, UnsoundFriction> {
    let (measurement, identifier_signals, signals) = match measurable(records, evidence_hole) {
        Ok(calls) => measured(&calls),
        Err(reason) => (
            FrictionMeasurement::NotMeasured { reason },
            IdentifierMeasurement::NotMeasured { reason },
            Vec::new(),
        ),
    };
    let count = |is_counted: fn(&CallRecord<'_>) -> bool| {
        records.iter().filter(|record| is_counted(record)).count() as u64
    };
    let document = FrictionDocument {
        version: FRICTION_VERSION,
        measurement,
        call_count: records.len() as u64,
        result_available_count: count(|record| record.result.is_some()),
        timed_call_count: count(|record| record.ordering == CallOrdering::Timed),
        identifier_signals,
        signals,
    };
    match check_document(&document) {
        Ok(()) => Ok(document),
        Err(problems) => Err(UnsoundFriction { problems }),
    }
}

/// One call with its canonical arguments.
#[derive(Debug)]
pub(super) struct Call<'r, 'a> {
    pub(super) record: &'r CallRecord<'a>,
    pub(super) arguments: ArgumentText,
}

/// The calls, or the first reason not to measure them. A call without canonical arguments is never skipped.
fn measurable<'r, 'a>(
    records: &'r [CallRecord<'a>],
    evidence_hole: Option<FrictionGap>,
) -> Result<Vec<Call<'r, 'a>>, FrictionGap> {
    if let Some(hole) = evidence_hole {
        return Err(hole);
    }
    match records.len() {
        0 => return Err(FrictionGap::NoToolCalls),
        1..=MAX_CALLS => {}
        _ => return Err(FrictionGap::Truncated),
    }
    let call = |record: &'r CallRecord<'a>| {
        ArgumentText::of(record.arguments).map(|arguments| Call { record, arguments })
    };
    records.iter().map(call).collect::<Option<_>>().ok_or(FrictionGap::EvidenceIncomplete)
}

fn measured(
    calls: &[Call<'_, '_>],
) -> (FrictionMeasurement, IdentifierMeasurement, Vec<FrictionSignal>) {
    let mut signals = adjacency_signals(calls);
    let identifier_half = match identifier_gap(calls) {
        Some(reason) => IdentifierMeasurement::NotMeasured { reason },
        None => {
            signals.extend(identifier_signals(calls));
            IdentifierMeasurement::Measured
        }
    };
    (FrictionMeasurement::Measured, identifier_half, in_document_order(signals))
}

/// Why the identifier half cannot be measured: a missing result comes before an unknown order.
fn identifier_gap(calls: &[Call<'_, '_>]) -> Option<FrictionGap> {
    if calls.iter().any(|call| call.record.result.is_none()) {
        return Some(FrictionGap::ResultsUnavailable);
    }
    let mut modes = calls.iter().map(|call| call.record.ordering);
    let first = modes.next();
    let is_ordered = first != Some(CallOrdering::Unknown) && modes.all(|mode| Some(mode) == first);
    (!is_ordered).then_some(FrictionGap::OrderingUnknown)
}
