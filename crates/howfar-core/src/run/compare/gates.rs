//! The gates over two runs (run-documents 9.4).

use howfar_wire::compare::{CompareInput, PassRateVerdict};
use howfar_wire::gate::{
    Asked, CostTotal, GateInput, GateIterations, GatePolicy, GateReport, GateStatus, GateVerdict,
    PassRateRegression, ReportedIntegrity, ScoreIntegrity,
};

use super::statistics::{PassCounts, assess_pass_rate};
use crate::run::gate::{VerdictRow, fold, tenths};

/// The gate that compares no rates, so that a changed population does not restrict it.
pub(super) const DETERMINISTIC_GATE: &str = "noDeterministicRegressions";

/// A growth of exactly the allowed share holds, whatever the rounding of sums of prices says.
const COST_SLACK: f64 = 1e-9;

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
    if let Some(Asked(increase)) = policy.maximum_cost_increase {
        verdicts.push(cost_increase(input, increase));
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
    let counts =
        |it: &GateIterations| PassCounts { passed: it.passed as f64, total: it.total as f64 };
    let rule = PassRateRegression {
        min_sample_size: rule.min_sample_size.map(|sample| sample.max(1.0)),
        ..rule
    };
    let assessed =
        assess_pass_rate(counts(&input.base.iterations), counts(&input.compare.iterations), rule);
    let interval = format!(
        "the pass rate moved by {} points, 95 % interval {} to {}",
        points(assessed.delta),
        points(assessed.lower),
        points(assessed.upper)
    );
    match assessed.verdict {
        PassRateVerdict::InsufficientData => {
            let few = format!(
                "too few graded trials: {} in the base run, {} in the compared run",
                input.base.iterations.total, input.compare.iterations.total
            );
            row.row(GateStatus::NonGateable, few, Some(assessed.delta))
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
    let p95 = |side: &GateInput| side.totals.and_then(|it| it.e2e_p95_ms);
    let (Some(base), Some(compare)) = (p95(&input.base), p95(&input.compare)) else {
        return row.non_gateable("a run lacks durations");
    };
    let moved = compare - base;
    let message = format!(
        "{} → {} ms: {} ms against at most {most} ms more",
        tenths(base),
        tenths(compare),
        signed(moved)
    );
    row.decided(moved <= most, moved, message)
}

/// A cost of which a part is not known is not the cost of the run, and compares with nothing.
fn cost_increase(input: &CompareInput, increase: Option<f64>) -> GateVerdict {
    let row = VerdictRow { gate: "maximumCostIncrease", threshold: increase };
    let Some(most) = increase.filter(|most| most.is_finite() && *most >= 0.0) else {
        return row.usage_error("the increase is not a fraction of the base run's cost");
    };
    if !is_population_comparable(input) {
        return row.non_gateable("the runs did not measure the same cases alike");
    }
    let total = |side: &GateInput| side.totals.and_then(|it| it.cost).unwrap_or_default();
    let (before, after) = (total(&input.base), total(&input.compare));
    let (Some(base), Some(compare)) = (before.of_run(), after.of_run()) else {
        return row.non_gateable(format!(
            "the cost is not known: base run {}, compared run {}",
            priced(before),
            priced(after)
        ));
    };
    if base == 0.0 && compare > 0.0 {
        return row.non_gateable("the base run cost nothing, so there is no percentage of it");
    }
    let moved = if base == 0.0 { 0.0 } else { (compare - base) / base };
    let message = format!(
        "{base:.6} → {compare:.6} US dollars: {} % against at most {} % more",
        points(moved),
        tenths(most * 100.0)
    );
    row.decided(moved <= most + COST_SLACK, moved, message)
}

/// A fraction in points with its sign, to a tenth.
fn points(fraction: f64) -> String {
    signed(fraction * 100.0)
}

/// A number with its sign, to a tenth.
fn signed(number: f64) -> String {
    match tenths(number) {
        below if below < 0.0 => format!("−{}", -below),
        above if above > 0.0 => format!("+{above}"),
        _ => "0".to_owned(),
    }
}

/// "3 of 6 trials priced".
fn priced(cost: CostTotal) -> String {
    format!("{} of {} trials priced", cost.priced_trials, cost.trials)
}

const fn is_population_comparable(input: &CompareInput) -> bool {
    !input.case_set_changed
        && !input.scenario_config_changed
        && !input.evaluation_config_changed
        && input.iteration_weighting_equal
}
