//! The gates of one run, in the order of the policy (run-documents 8.2).

use howfar_wire::gate::{
    Asked, GateInput, GatePolicy, GateReport, GateVerdict, ReportedIntegrity, ScoreIntegrity,
};
use howfar_wire::score::ScoreStatus;

use super::scorer;
use super::verdicts::{VerdictRow, fold};
use crate::run::score::definition_hash;

/// What a run's gates come to. Absent evidence is never a pass, and a comparison cannot be asked of one run.
pub fn evaluate_gates(input: &GateInput, policy: &GatePolicy) -> GateReport {
    let mut verdicts = comparative(policy);
    verdicts.extend(policy.minimum_pass_rate.map(|bar| pass_rate(input, bar)));
    let totals = input.totals.unwrap_or_default();
    verdicts.extend(
        policy
            .maximum_total_tokens
            .map(|cap| at_most("maximumTotalTokens", totals.tokens, cap, "tokens")),
    );
    verdicts.extend(
        policy
            .maximum_p95_latency_ms
            .map(|cap| at_most("maximumP95LatencyMs", totals.e2e_p95_ms, cap, "ms")),
    );
    if policy.no_gating_score_errors == Some(true) {
        verdicts.push(gating_score_errors(input));
    }
    let rates = policy.minimum_scorer_pass_rate.iter();
    verdicts.extend(rates.map(|(id, bar)| scorer::pass_rate(input, id, *bar)));
    let means = policy.minimum_mean_score.iter();
    verdicts.extend(means.map(|(id, bar)| scorer::mean_score(input, id, *bar)));
    GateReport {
        outcome: fold(&verdicts),
        verdicts,
        score_integrity: ReportedIntegrity::from(input.score_integrity),
        waiver: None,
    }
}

/// Only `false` says that a comparison is not asked for.
fn comparative(policy: &GatePolicy) -> Vec<GateVerdict> {
    let deterministic = policy.no_deterministic_regressions;
    let asked = [
        (
            "noDeterministicRegressions",
            deterministic.is_some_and(|asked| asked != Asked(Some(false))),
        ),
        ("maximumP95LatencyIncreaseMs", policy.maximum_p95_latency_increase_ms.is_some()),
        ("passRateRegression", policy.pass_rate_regression.is_some()),
        ("maximumCostIncrease", policy.maximum_cost_increase.is_some()),
    ];
    let rows = asked.into_iter().filter(|(_, asked)| *asked);
    rows.map(|(gate, _)| {
        VerdictRow { gate, threshold: None }.usage_error("it compares two runs; name a base run")
    })
    .collect()
}

fn pass_rate(input: &GateInput, bar: f64) -> GateVerdict {
    let row = VerdictRow { gate: "minimumPassRate", threshold: Some(bar) };
    if !(0.0..=1.0).contains(&bar) {
        return row.usage_error("the bar is not a fraction between 0 and 1");
    }
    let iterations = input.iterations;
    if iterations.total == 0 {
        return row.non_gateable("the run has no iteration");
    }
    let rate = iterations.passed as f64 / iterations.total as f64;
    let message = format!("{} of {} trials passed", iterations.passed, iterations.total);
    row.decided(rate >= bar, rate, message)
}

fn at_most(gate: &str, observed: Option<f64>, cap: f64, unit: &str) -> GateVerdict {
    let row = VerdictRow { gate, threshold: Some(cap) };
    match observed {
        None => row.non_gateable(format!("the {unit} of a trial that ran are not known")),
        Some(observed) => {
            let message = format!("{} {unit} against at most {cap} {unit}", tenths(observed));
            row.decided(observed <= cap, observed, message)
        }
    }
}

/// A number as a person reads it, to a tenth.
pub(in crate::run) fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// Joined by the hash of the definition, not by the scorer's id.
fn gating_score_errors(input: &GateInput) -> GateVerdict {
    let row = VerdictRow { gate: "noGatingScoreErrors", threshold: None };
    let definitions = input.evaluation_config.as_ref().map_or(&[][..], |it| &it.definitions);
    if definitions.is_empty() {
        return row.non_gateable("the run states no evaluator");
    }
    if input.score_integrity != Some(ScoreIntegrity::Valid) {
        return row.non_gateable("the scores were not verified");
    }
    let deciding: Vec<String> =
        definitions.iter().filter(|it| it.role.decides()).map(definition_hash).collect();
    let broke = |status: ScoreStatus| status == ScoreStatus::Error;
    let errors = input
        .scores
        .iter()
        .flatten()
        .filter(|score| broke(score.status) && deciding.contains(&score.definition_hash))
        .count();
    row.decided(errors == 0, errors as f64, format!("{errors} required scores broke"))
}
