//! Was each stage reached, and how long did it take (run-documents, section 6)?

use std::collections::HashMap;

use howfar_wire::chain::{STAGE_ANALYZER_VERSION, StageRow};
use howfar_wire::measurement::{
    LatencyBasis, LatencyUnit, MEASUREMENTS_SCHEMA_VERSION, MeasurementRow, StageLatency,
    StageMeasurements, TimedSpan,
};
use howfar_wire::vocabulary::{Reach, Stage, StageState, Vocabulary as _};
use serde_json::Value;

use crate::problem::{Problem, Problems, read_closed};

/// The measurements beside a chain. An absent analyzer version means the current one.
pub fn derive_measurements(
    rows: &[StageRow],
    stage_analyzer_version: Option<u64>,
    spans: &[TimedSpan],
) -> StageMeasurements {
    let spans: HashMap<&str, &TimedSpan> = spans
        .iter()
        .filter_map(|span| Some((span.id.as_deref().filter(|id| !id.is_empty())?, span)))
        .collect();
    let measure = |stage: &Stage| {
        let row = rows.iter().rfind(|row| row.stage == *stage);
        measure_stage(*stage, row, &spans)
    };
    StageMeasurements {
        schema_version: MEASUREMENTS_SCHEMA_VERSION,
        stage_analyzer_version: stage_analyzer_version.unwrap_or(u64::from(STAGE_ANALYZER_VERSION)),
        rows: Stage::ALL.iter().map(measure).collect(),
    }
}

/// Stored measurements that hold up, or everything that is wrong with them (run-documents 6.2).
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_measurements(document: &Value) -> Result<StageMeasurements, Vec<Problem>> {
    let measurements: StageMeasurements = read_closed(document)?;
    let mut problems = Problems::default();
    let schema = measurements.schema_version == MEASUREMENTS_SCHEMA_VERSION;
    problems.check(schema, "schemaVersion", "is not 1");
    let analyzer = measurements.stage_analyzer_version >= 1;
    problems.check(analyzer, "stageAnalyzerVersion", "is not positive");
    let stages = measurements.rows.iter().map(|row| row.stage);
    problems.check(stages.eq(Stage::ALL.iter().copied()), "rows", "are not the six stages");
    for (at, row) in measurements.rows.iter().enumerate() {
        let sound = row.latency.is_none_or(|latency| is_latency_sound(row, latency));
        problems.check(sound, format!("rows.{at}.latency"), "has no place there");
    }
    problems.or(measurements)
}

/// One way in which measurements and the chain beside them differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disagreement {
    /// They name different analyzer levels.
    AnalyzerVersion,
    /// A stage has a row on one side only.
    MissingRow(Stage),
    /// A stage's row stands at another stage's place.
    OutOfOrder(Stage),
    /// A state does not admit the reach.
    Reach(Stage),
}

/// Every way in which measurements and a chain differ (run-documents 6.3); none means that they agree.
pub fn disagreements(
    measurements: &StageMeasurements,
    rows: &[StageRow],
    stage_analyzer_version: u64,
) -> Vec<Disagreement> {
    let mut found = Vec::new();
    if measurements.stage_analyzer_version != stage_analyzer_version {
        found.push(Disagreement::AnalyzerVersion);
    }
    for (at, &stage) in Stage::ALL.iter().enumerate() {
        let (Some(row), Some(measured)) = (rows.get(at), measurements.rows.get(at)) else {
            found.push(Disagreement::MissingRow(stage));
            continue;
        };
        if row.stage != stage || measured.stage != stage {
            found.push(Disagreement::OutOfOrder(stage));
        } else if !admits(row.state, measured.reach) {
            found.push(Disagreement::Reach(stage));
        }
    }
    found
}

/// Whether a row of this state may stand beside this reach.
pub(super) const fn admits(state: StageState, reach: Reach) -> bool {
    match state {
        StageState::Passed | StageState::Failed => matches!(reach, Reach::Reached),
        StageState::NotReached => matches!(reach, Reach::NotReached),
        StageState::NotApplicable => matches!(reach, Reach::NotApplicable),
        StageState::NotMeasured => matches!(reach, Reach::Unknown | Reach::Reached),
    }
}

/// The reach that a state alone tells.
pub(super) const fn reach_of_state(state: StageState) -> Reach {
    match state {
        StageState::Passed | StageState::Failed => Reach::Reached,
        StageState::NotReached => Reach::NotReached,
        StageState::NotApplicable => Reach::NotApplicable,
        StageState::NotMeasured => Reach::Unknown,
    }
}

fn measure_stage(
    stage: Stage,
    row: Option<&StageRow>,
    spans: &HashMap<&str, &TimedSpan>,
) -> MeasurementRow {
    let cited: Vec<&TimedSpan> = row
        .and_then(|row| row.evidence.as_ref()?.span_ids.as_deref())
        .unwrap_or_default()
        .iter()
        .filter_map(|id| spans.get(&**id).copied())
        .collect();
    let reach = match row.map_or(Reach::Unknown, |row| reach_of_state(row.state)) {
        Reach::Unknown if !cited.is_empty() => Reach::Reached,
        reach @ (Reach::Unknown | Reach::Reached | Reach::NotReached | Reach::NotApplicable) => {
            reach
        }
    };
    let timed = has_latency(stage) && reach == Reach::Reached;
    let latency = if timed { union_length(&cited).map(span_latency) } else { None };
    MeasurementRow { stage, reach, latency }
}

/// The stages that take time of a trial's own.
const fn has_latency(stage: Stage) -> bool {
    match stage {
        Stage::Selection | Stage::Call | Stage::Response => true,
        Stage::Connection | Stage::Discovery | Stage::UserValue => false,
    }
}

/// The length of the union of the spans' intervals; `None` when no span has one.
fn union_length(spans: &[&TimedSpan]) -> Option<f64> {
    let mut intervals: Vec<(f64, f64)> = spans.iter().filter_map(|span| interval(span)).collect();
    intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut intervals = intervals.into_iter();
    let (mut start, mut end) = intervals.next()?;
    let mut total = 0.0;
    for (next_start, next_end) in intervals {
        if next_start > end {
            total += end - start;
            (start, end) = (next_start, next_end);
        } else {
            end = end.max(next_end);
        }
    }
    Some(total + (end - start))
}

/// An interval needs two finite ends, in order.
fn interval(span: &TimedSpan) -> Option<(f64, f64)> {
    let (start, end) = (span.started_at?, span.ended_at?);
    (start.is_finite() && end.is_finite() && end >= start).then_some((start, end))
}

const fn span_latency(value: f64) -> StageLatency {
    StageLatency { unit: LatencyUnit::Milliseconds, basis: LatencyBasis::EvidenceSpanUnion, value }
}

fn is_latency_sound(row: &MeasurementRow, latency: StageLatency) -> bool {
    has_latency(row.stage)
        && row.reach == Reach::Reached
        && latency.basis == LatencyBasis::EvidenceSpanUnion
        && latency.value.is_finite()
        && latency.value >= 0.0
}
