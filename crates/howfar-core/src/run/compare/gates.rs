//! The gates over two runs (run-documents 9.4).

use howfar_wire::compare::{CompareInput, PassRateVerdict};
use howfar_wire::gate::{
    Asked, GatePolicy, GateReport, GateStatus, GateVerdict, PassRateRegression, ReportedIntegrity,
    ScoreIntegrity,
};

use super::statistics::{PassCounts, assess_pass_rate};
use crate::run::gate::{VerdictRow, fold};

/// The gate that compares no rates, so that a changed population does not restrict it.
pub(super) const DETERMINISTIC_GATE: &str = "noDeterministicRegressions";

/// What the gates of a comparison come to. Gates of one run are not evaluated here.
pub fn evaluate_compare_gates(input: &CompareInput, policy: &GatePolicy) -> GateReport {
    let mut verdicts = Vec::new();
    if policy.no_deterministic_regressions == Some(Asked(Some(true))) {
        verdicts.push(deterministic_regressions(input));
    }
    if let Some(Asked(rule)) = policy.pass_rate_regression {
        verdicts.push(pass_rate_regression(input, rule.unwrap_or_default()));
    }
    if let Some(Asked(increase)) = policy.maximum_p95_latency_increase_ms {
        verdicts.push(latency_increase(input, increase));
    }
    let integrity = both_integrities(input);
    GateReport { outcome: fold(&verdicts), verdicts, score_integrity: integrity, waiver: None }
}

fn both_integrities(input: &CompareInput) -> ReportedIntegrity {
    let sides = [input.base.score_integrity, input.compare.score_integrity];
    if sides.contains(&Some(ScoreIntegrity::Invalid)) {
        ReportedIntegrity::Invalid
    } else if sides.contains(&None) {
        ReportedIntegrity::Unknown
    } else {
        ReportedIntegrity::Valid
    }
}

/// A changed population does not restrict this gate: a deterministic score says the same on any case.
fn deterministic_regressions(input: &CompareInput) -> GateVerdict {
    let row = VerdictRow { gate: DETERMINISTIC_GATE, threshold: None };
    if both_integrities(input) != ReportedIntegrity::Valid {
        return row.non_gateable("the scores of both runs must be verified");
    }
    if !input.score_deltas_available {
        return row.non_gateable("no score could be compared");
    }
    let count = input.deterministic_score_regressions.len();
    row.decided(
        count == 0,
        count as f64,
        format!("required deterministic checks that went from passed to failed: {count}"),
    )
}

fn pass_rate_regression(input: &CompareInput, rule: PassRateRegression) -> GateVerdict {
    let row = VerdictRow { gate: "passRateRegression", threshold: None };
    if !is_population_comparable(input) {
        return row.non_gateable("the runs did not measure the same cases alike");
    }
    let counts = |it: &howfar_wire::gate::GateIterations| PassCounts {
        passed: it.passed as f64,
        total: it.total as f64,
    };
    let rule = PassRateRegression {
        min_sample_size: rule.min_sample_size.map(|sample| sample.max(1.0)),
        ..rule
    };
    let assessed =
        assess_pass_rate(counts(&input.base.iterations), counts(&input.compare.iterations), rule);
    let percent = |fraction: f64| fraction * 100.0;
    let interval = format!(
        "the pass rate moved by {:.1} points, 95 % interval {:.1} to {:.1}",
        percent(assessed.delta),
        percent(assessed.lower),
        percent(assessed.upper)
    );
    match assessed.verdict {
        PassRateVerdict::InsufficientData => {
            row.row(GateStatus::NonGateable, "too few graded trials", Some(assessed.delta))
        }
        PassRateVerdict::Regression => row.decided(false, assessed.delta, interval),
        PassRateVerdict::NoRegression => row.decided(true, assessed.delta, interval),
    }
}

fn latency_increase(input: &CompareInput, increase: Option<f64>) -> GateVerdict {
    let row = VerdictRow { gate: "maximumP95LatencyIncreaseMs", threshold: increase };
    let Some(most) = increase else {
        return row.usage_error("the increase is not a number");
    };
    if !is_population_comparable(input) {
        return row.non_gateable("the runs did not measure the same cases alike");
    }
    let p95 = |side: &howfar_wire::gate::GateInput| side.totals.and_then(|it| it.e2e_p95_ms);
    let (Some(base), Some(compare)) = (p95(&input.base), p95(&input.compare)) else {
        return row.non_gateable("a run lacks durations");
    };
    let moved = compare - base;
    row.decided(moved <= most, moved, format!("{moved} ms against at most {most} ms"))
}

const fn is_population_comparable(input: &CompareInput) -> bool {
    !input.case_set_changed
        && !input.scenario_config_changed
        && !input.evaluation_config_changed
        && input.iteration_weighting_equal
}
