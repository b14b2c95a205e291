//! Two stored runs compared: may they be, what moved, and what the gates say.

use howfar_wire::compare::{
    BaselinePolicy, CaseLinks, CompareCost, CompareInput, ComparePopulation, ComparedSide,
    FlakyCase, FlakyCases, PassRateComparison, PassRateSide, RUN_COMPARISON_KIND,
    RUN_COMPARISON_SCHEMA_VERSION, RunComparison, UndecidedRun,
};
use howfar_wire::gate::{
    Asked, GateIterations, GateOutcome, GatePolicy, GateReport, GateStatus, GateTotals,
    GateVerdict, PassRateRegression,
};
use howfar_wire::vocabulary::{
    MeasurementUnit, ParityBlocker, TaskVerdict, Verdict, Vocabulary as _,
};

use super::document::{Side, Sides, total_cost};
use super::flaky::{FlakyRow, flaky_cases};
use super::gates::{DETERMINISTIC_GATE, evaluate_compare_gates};
use super::input::{TotalsPair, compare_input};
use super::links::{LinkRule, case_links, rate_difference};
use super::statistics::{
    DEFAULT_MIN_EFFECT_SIZE, DEFAULT_MIN_SAMPLE_SIZE, PassCounts, assess_pass_rate,
};
use super::tools::catalogs;
use crate::run::analytics::{ParitySide, parity_blockers};
use crate::run::gate::{fold, p95_duration};
use crate::run::pass_rate_interval;
use crate::run::side::{RunSide, SideTrial};

/// How two runs are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareOptions {
    /// How the base run was chosen.
    pub baseline: BaselinePolicy,
    /// The gates that are asked for. The rule of `passRateRegression` also says from how many measured trials on a link
    /// gets an interval.
    pub policy: GatePolicy,
}

/// Compares two runs. Parity blockers come first: while one stands, no rate of the two runs is put side by side, and what
/// is left are facts about single cases.
pub fn compare_runs(base: &RunSide, compare: &RunSide, options: &CompareOptions) -> RunComparison {
    let sides = Sides { base: Side::new(base), compare: Side::new(compare) };
    let document = sides.document(options.baseline);
    let input =
        compare_input(&document, TotalsPair { base: totals(base), compare: totals(compare) });
    let blockers = run_parity(base, compare);
    let population = population(&input);
    let is_refused = !blockers.is_empty() || !population.is_comparable();
    let regression = regression(&options.policy);
    let undecided: Vec<_> = [(ComparedSide::Base, base), (ComparedSide::Compare, compare)]
        .into_iter()
        .filter_map(undecided)
        .collect();
    let gates = evaluate_compare_gates(&input, &options.policy);
    RunComparison {
        schema_version: RUN_COMPARISON_SCHEMA_VERSION,
        kind: RUN_COMPARISON_KIND.to_owned(),
        measurement_unit: MeasurementUnit::Trial,
        gates: held_back(gates, &blockers, &undecided),
        pass_rate: (!is_refused).then(|| pass_rate(&input, regression)),
        links: links(&sides, LinkRule { is_refused, regression }),
        parity_blockers: blockers,
        undecided,
        population,
        catalogs: catalogs(base, compare),
        deterministic_regressions: input.deterministic_score_regressions,
        score_deltas_available: input.score_deltas_available,
        flaky_cases: FlakyCases { base: flaky(base), compare: flaky(compare) },
        cost: CompareCost { base: total_cost(base), compare: total_cost(compare) },
        compare: document,
    }
}

/// What a comparison comes to: what its gates say, and never a pass when nothing was asked and nothing could be compared.
pub fn comparison_outcome(comparison: &RunComparison) -> GateOutcome {
    let gates = &comparison.gates;
    let is_open = !comparison.parity_blockers.is_empty() || !comparison.undecided.is_empty();
    if gates.verdicts.is_empty() && is_open { GateOutcome::Incomplete } else { gates.outcome }
}

/// What the gates of a comparison read of a run as a whole.
fn totals(run: &RunSide) -> GateTotals {
    GateTotals { tokens: None, e2e_p95_ms: p95_duration(run), cost: Some(total_cost(run)) }
}

/// A run without a document states no identity.
fn run_parity(base: &RunSide, compare: &RunSide) -> Vec<ParityBlocker> {
    match (&base.report.analytics, &compare.report.analytics) {
        (Some(base), Some(compare)) => {
            parity_blockers(&ParitySide::from(base), &ParitySide::from(compare))
        }
        (Some(_) | None, None) | (None, Some(_)) => vec![
            ParityBlocker::MissingRunGroup,
            ParityBlocker::MissingConfigIdentity,
            ParityBlocker::MissingCaseSetIdentity,
        ],
    }
}

fn regression(policy: &GatePolicy) -> PassRateRegression {
    let asked = policy.pass_rate_regression.and_then(|Asked(rule)| rule).unwrap_or_default();
    let sample = asked.min_sample_size.unwrap_or(DEFAULT_MIN_SAMPLE_SIZE);
    PassRateRegression {
        min_sample_size: Some(sample.max(1.0)),
        min_effect_size: Some(asked.min_effect_size.unwrap_or(DEFAULT_MIN_EFFECT_SIZE)),
    }
}

const fn population(input: &CompareInput) -> ComparePopulation {
    ComparePopulation {
        case_set_changed: input.case_set_changed,
        scenario_config_changed: input.scenario_config_changed,
        evaluation_config_changed: input.evaluation_config_changed,
        iteration_weighting_equal: input.iteration_weighting_equal,
    }
}

/// A run that decided nothing.
fn undecided((side, run): (ComparedSide, &RunSide)) -> Option<UndecidedRun> {
    let complete = run.report.metadata.complete;
    let verdict = run.report.verdict;
    let decided = match verdict {
        Verdict::Passed | Verdict::Failed => complete,
        Verdict::Inconclusive | Verdict::NotEstablished => false,
    };
    (!decided).then_some(UndecidedRun { side, complete, verdict })
}

/// The gates as far as the runs carry them. A trend needs runs that may be compared and that both decided something; a
/// deterministic regression is a fact about a case, which only a run that was cut off does not carry.
fn held_back(
    gates: GateReport,
    blockers: &[ParityBlocker],
    undecided: &[UndecidedRun],
) -> GateReport {
    let is_trend = |gate: &str| gate != DETERMINISTIC_GATE;
    let all_complete = undecided.iter().all(|run| run.complete);
    let hold = |verdict: GateVerdict| {
        let stands = match verdict.status {
            GateStatus::Passed => undecided.is_empty(),
            GateStatus::Failed if is_trend(&verdict.gate) => undecided.is_empty(),
            GateStatus::Failed => all_complete,
            GateStatus::NonGateable | GateStatus::UsageError | GateStatus::Waived => {
                return verdict;
            }
        };
        let message = if !stands {
            undecided.iter().map(undecided_words).collect::<Vec<_>>().join("; ")
        } else if is_trend(&verdict.gate) && !blockers.is_empty() {
            let names: Vec<_> = blockers.iter().map(|blocker| blocker.as_str()).collect();
            format!("the runs may not be compared: {}", names.join(", "))
        } else {
            return verdict;
        };
        GateVerdict { status: GateStatus::NonGateable, message, observed: None, ..verdict }
    };
    let verdicts: Vec<GateVerdict> = gates.verdicts.into_iter().map(hold).collect();
    GateReport { outcome: fold(&verdicts), verdicts, ..gates }
}

fn undecided_words(run: &UndecidedRun) -> String {
    let what = if run.complete { run.verdict.label() } else { "not complete" };
    format!("{} is {what}", run.side.label())
}

fn pass_rate(input: &CompareInput, rule: PassRateRegression) -> PassRateComparison {
    let (base, compare) = (input.base.iterations, input.compare.iterations);
    let counts =
        |it: GateIterations| PassCounts { passed: it.passed as f64, total: it.total as f64 };
    let assessed = assess_pass_rate(counts(base), counts(compare), rule);
    let side = |it: GateIterations| PassRateSide {
        passed: it.passed,
        total: it.total,
        interval: pass_rate_interval(it.passed, it.total),
    };
    PassRateComparison {
        unit: MeasurementUnit::Trial,
        base: side(base),
        compare: side(compare),
        difference: (base.total > 0 && compare.total > 0).then(|| rate_difference(&assessed)),
        verdict: assessed.verdict,
        min_sample_size: rule.min_sample_size.unwrap_or(DEFAULT_MIN_SAMPLE_SIZE),
        min_effect_size: rule.min_effect_size.unwrap_or(DEFAULT_MIN_EFFECT_SIZE),
    }
}

fn links(sides: &Sides<'_>, rule: LinkRule) -> Vec<CaseLinks> {
    let keys = sides.case_keys().into_iter();
    keys.map(|key| case_links(key, sides.base.trials_of(key), sides.compare.trials_of(key), rule))
        .collect()
}

fn flaky(run: &RunSide) -> Vec<FlakyCase> {
    let row = |trial: &SideTrial| {
        Some(FlakyRow {
            case_key: trial.case_id.clone(),
            passed: trial.task_verdict? == TaskVerdict::Passed,
        })
    };
    flaky_cases(&run.trials.iter().filter_map(row).collect::<Vec<_>>())
}
