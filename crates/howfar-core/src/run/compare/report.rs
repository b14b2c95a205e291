//! The rows and counts of a compare report (run-documents 9.5).

use std::collections::BTreeMap;

use howfar_wire::compare::{
    COMPARE_REPORT_KIND, COMPARE_REPORT_SCHEMA_VERSION, Classification, CompareCase, CompareReport,
    CompareRow, CompareStatus, CompareSummary, RunComparison,
};
use howfar_wire::gate::{GateOutcome, GateStatus};
use howfar_wire::report::CategoryCounts;
use howfar_wire::vocabulary::Vocabulary as _;

use super::runs::comparison_outcome;

/// The rows of a report with their counts.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareRows {
    /// Whether the gates let the comparison pass.
    pub passed: bool,
    /// Counts of rows.
    pub summary: CompareSummary,
    /// One row per case, and a last one for the gates.
    pub rows: Vec<CompareRow>,
}

/// The report of a comparison. `duration_ms` is the wall time of the compared run.
pub fn compare_report(comparison: RunComparison) -> CompareReport {
    let outcome = comparison_outcome(&comparison);
    let CompareRows { passed, summary, mut rows } =
        compare_rows(&comparison.compare.cases, outcome);
    if let Some(gate) = rows.last_mut().filter(|gate| gate.error.is_some()) {
        gate.error = Some(open_words(&comparison, outcome));
    }
    let wall = comparison.compare.metrics.and_then(|metrics| metrics.wall_duration_ms.compare);
    CompareReport {
        schema_version: COMPARE_REPORT_SCHEMA_VERSION,
        kind: COMPARE_REPORT_KIND.to_owned(),
        passed,
        verdict: outcome.run_verdict(),
        summary,
        cases: rows,
        duration_ms: wall.unwrap_or_default(),
        metadata: comparison,
    }
}

/// Which gates do not hold or are not decided, each with its message; without a gate, why nothing was compared.
fn open_words(comparison: &RunComparison, outcome: GateOutcome) -> String {
    let open = comparison.gates.verdicts.iter().filter(|gate| gate.status != GateStatus::Passed);
    let gates = open.map(|gate| format!("{} {}: {}", gate.gate, gate.status.label(), gate.message));
    let blockers = comparison.parity_blockers.iter().map(|blocker| blocker.label().to_owned());
    let runs = comparison.undecided.iter().map(|run| {
        let what = if run.complete { run.verdict.label() } else { "not complete" };
        format!("{} is {what}", run.side.label())
    });
    let why: Vec<String> = match comparison.gates.verdicts.is_empty() {
        true => blockers.chain(runs).collect(),
        false => gates.collect(),
    };
    format!("the gates: {}; {}", outcome.label(), why.join("; "))
}

/// The rows of a comparison whose gates came to `outcome`.
pub fn compare_rows(cases: &[CompareCase], outcome: GateOutcome) -> CompareRows {
    let mut rows: Vec<_> = cases.iter().map(case_row).collect();
    let gate = gate_row(outcome);
    let passed = gate.passed;
    rows.push(gate);
    CompareRows { passed, summary: summary(&rows), rows }
}

fn case_row(case: &CompareCase) -> CompareRow {
    let classification = match case.status {
        CompareStatus::Regressed => Classification::Breaking,
        CompareStatus::Fixed | CompareStatus::UnchangedPassed => Classification::NonBreaking,
        CompareStatus::Changed
        | CompareStatus::NewCase
        | CompareStatus::RemovedCase
        | CompareStatus::UnchangedFailed => Classification::Informational,
    };
    let regressed = case.status == CompareStatus::Regressed;
    let error = case.compare.error.clone().unwrap_or_else(|| "passed before, failed now".into());
    CompareRow {
        id: case.case_key.clone(),
        title: Some(case.title.clone()),
        category: case.status.as_str().to_owned(),
        passed: !regressed,
        classification,
        error: regressed.then_some(error),
    }
}

fn gate_row(outcome: GateOutcome) -> CompareRow {
    let (passed, classification) = match outcome {
        GateOutcome::Passed => (true, Classification::NonBreaking),
        GateOutcome::Waived => (true, Classification::Informational),
        GateOutcome::Failed => (false, Classification::Breaking),
        GateOutcome::Incomplete | GateOutcome::UsageError => (false, Classification::Informational),
    };
    CompareRow {
        id: "gate".to_owned(),
        title: None,
        category: "gate".to_owned(),
        passed,
        classification,
        error: (!passed).then(|| format!("the gates: {}", outcome.label())),
    }
}

fn summary(rows: &[CompareRow]) -> CompareSummary {
    let mut all = CategoryCounts::default();
    let mut by_category: BTreeMap<String, CategoryCounts> = BTreeMap::new();
    let mut by_classification: BTreeMap<String, CategoryCounts> = BTreeMap::new();
    for row in rows {
        let class = row.classification.as_str().to_owned();
        let counts = [
            &mut all,
            by_category.entry(row.category.clone()).or_default(),
            by_classification.entry(class).or_default(),
        ];
        for count in counts {
            count.total += 1;
            *(if row.passed { &mut count.passed } else { &mut count.failed }) += 1;
        }
    }
    let CategoryCounts { total, passed, failed } = all;
    CompareSummary { total, passed, failed, by_category, by_classification }
}
