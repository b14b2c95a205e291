//! From a compare document to what its gates read (run-documents 9.1 and 9.2).

use howfar_wire::compare::{
    CompareCase, CompareDocument, CompareInput, CompareRun, CompareStatus, NumericDiff, ScoreDelta,
    ScoreRegression, SideOutcome,
};
use howfar_wire::gate::{GateInput, GateIterations, GateTotals, ScoreIntegrity};

/// What is known of both runs as a whole, beside the compare document. Its gates read durations and cost, no tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TotalsPair {
    /// The base run's.
    pub base: GateTotals,
    /// The compared run's.
    pub compare: GateTotals,
}

/// What the gates of a comparison read.
pub fn compare_input(document: &CompareDocument, totals: TotalsPair) -> CompareInput {
    let contract = &document.score_contract;
    let cases = &document.cases;
    let any = |test: fn(&CompareCase) -> bool| cases.iter().any(test);
    CompareInput {
        base: side(&document.base_run, contract.base.score_integrity, totals.base),
        compare: side(&document.compare_run, contract.compare.score_integrity, totals.compare),
        deterministic_score_regressions: regressions(cases),
        score_deltas_available: any(|case| !case.score_deltas.is_empty()),
        case_set_changed: any(|case| match case.status {
            CompareStatus::NewCase | CompareStatus::RemovedCase => true,
            CompareStatus::Regressed
            | CompareStatus::Fixed
            | CompareStatus::Changed
            | CompareStatus::UnchangedPassed
            | CompareStatus::UnchangedFailed => false,
        }),
        scenario_config_changed: any(|case| case.config_changed),
        evaluation_config_changed: contract.evaluation_config_changed
            || any(|case| case.evaluation_config_changed),
        iteration_weighting_equal: cases.iter().all(is_equally_weighted),
    }
}

/// What became of a case; the first rule that applies.
pub const fn case_status(base: SideOutcome, compare: SideOutcome, changed: bool) -> CompareStatus {
    match (base, compare) {
        (SideOutcome::Absent, SideOutcome::Passed | SideOutcome::Failed | SideOutcome::Absent) => {
            CompareStatus::NewCase
        }
        (SideOutcome::Passed | SideOutcome::Failed, SideOutcome::Absent) => {
            CompareStatus::RemovedCase
        }
        (SideOutcome::Passed, SideOutcome::Failed) => CompareStatus::Regressed,
        (SideOutcome::Failed, SideOutcome::Passed) => CompareStatus::Fixed,
        (SideOutcome::Passed, SideOutcome::Passed) | (SideOutcome::Failed, SideOutcome::Failed)
            if changed =>
        {
            CompareStatus::Changed
        }
        (SideOutcome::Passed, SideOutcome::Passed) => CompareStatus::UnchangedPassed,
        (SideOutcome::Failed, SideOutcome::Failed) => CompareStatus::UnchangedFailed,
    }
}

/// How a number moved; unknown where a side is unknown, and no percentage of a base of 0.
pub fn numeric_diff(base: Option<f64>, compare: Option<f64>) -> NumericDiff {
    let delta = base.zip(compare).map(|(base, compare)| compare - base);
    let percent_delta =
        delta.zip(base).filter(|(_, base)| *base != 0.0).map(|(delta, base)| delta / base * 100.0);
    NumericDiff { base, compare, delta, percent_delta }
}

fn side(run: &CompareRun, integrity: Option<ScoreIntegrity>, totals: GateTotals) -> GateInput {
    GateInput {
        iterations: counts(run),
        score_integrity: integrity,
        totals: (totals != GateTotals::default()).then_some(totals),
        ..GateInput::default()
    }
}

fn counts(run: &CompareRun) -> GateIterations {
    let counts = run.summary.unwrap_or_default();
    GateIterations { total: counts.total, passed: counts.passed }
}

fn regressions(cases: &[CompareCase]) -> Vec<ScoreRegression> {
    let mut regressions = Vec::new();
    for case in cases {
        let regressed = case.score_deltas.iter().filter(|delta| is_regression(delta));
        regressions.extend(regressed.map(|delta| ScoreRegression {
            case_key: case.case_key.clone(),
            scorer_id: delta.scorer_id.clone(),
        }));
    }
    regressions
}

/// A deterministic scorer that decides, with one definition, went from passed to failed.
fn is_regression(delta: &ScoreDelta) -> bool {
    let passed =
        |side: &Option<howfar_wire::compare::ScoreSide>| side.as_ref().and_then(|side| side.passed);
    delta.gating
        && delta.deterministic
        && !delta.definition_changed
        && passed(&delta.base) == Some(true)
        && passed(&delta.compare) == Some(false)
}

/// A case that is only in one run weighs nothing here.
fn is_equally_weighted(case: &CompareCase) -> bool {
    let absent = SideOutcome::Absent;
    case.base.outcome == absent
        || case.compare.outcome == absent
        || case.base.iteration_ids.len() == case.compare.iteration_ids.len()
}
