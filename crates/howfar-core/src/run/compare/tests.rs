//! Comparisons of small runs.

use howfar_wire::compare::{
    BaselinePolicy, CompareStatus, LinkChange, LinkMovement, PassRateVerdict, RunComparison,
};
use howfar_wire::gate::{
    Asked, GateOutcome, GatePolicy, GateStatus, GateVerdict, PassRateRegression,
};
use howfar_wire::vocabulary::{FailureCategory, ParityBlocker, Stage};
use serde_json::json;

use super::{CompareOptions, compare_report, compare_runs, comparison_outcome};
use crate::run::fixture::Went::{Elsewhere, Unanswered, Well};
use crate::run::fixture::{Went, run, run_of};
use crate::run::side::RunSide;

const WELL: &[Went] = &[Well; 6];
const ELSEWHERE: &[Went] = &[Elsewhere; 6];

fn gated() -> GatePolicy {
    GatePolicy {
        pass_rate_regression: Some(Asked(Some(PassRateRegression::default()))),
        no_deterministic_regressions: Some(Asked(Some(true))),
        ..GatePolicy::default()
    }
}

fn compared(base: &RunSide, compare: &RunSide, policy: GatePolicy) -> RunComparison {
    compare_runs(base, compare, &CompareOptions { baseline: BaselinePolicy::Run, policy })
}

fn link(comparison: &RunComparison, stage: Stage) -> LinkMovement {
    comparison.links[0].links[stage.index()]
}

#[test]
fn a_fall_names_the_case_the_link_and_the_interval() {
    let comparison = compared(&run("a", &[("c", WELL)]), &run("b", &[("c", ELSEWHERE)]), gated());
    assert_eq!(comparison.parity_blockers, []);
    assert_eq!(comparison.compare.cases[0].status, CompareStatus::Regressed);
    assert_eq!(comparison.links[0].moved_link, Some(Stage::Selection));
    let selection = link(&comparison, Stage::Selection);
    assert_eq!((selection.base.passed, selection.compare.failed), (6, 6));
    assert_eq!(selection.change, LinkChange::Fell);
    let difference = selection.difference.expect("six trials suffice");
    assert!(difference.delta == -1.0 && difference.upper < -0.4, "{difference:?}");
    assert_eq!(comparison.pass_rate.expect("comparable").verdict, PassRateVerdict::Regression);
    assert_eq!(comparison.gates.outcome, GateOutcome::Failed);
    assert_eq!(comparison.deterministic_regressions[0].scorer_id, "tool-match");
}

#[test]
fn a_link_after_the_break_is_not_compared() {
    let comparison = compared(&run("a", &[("c", WELL)]), &run("b", &[("c", ELSEWHERE)]), gated());
    let call = link(&comparison, Stage::Call);
    assert_eq!((call.compare.not_reached, call.change), (6, LinkChange::NotMeasured));
    assert_eq!(call.difference, None);
}

#[test]
fn few_trials_give_no_interval() {
    let comparison =
        compared(&run("a", &[("c", &WELL[..2])]), &run("b", &[("c", &ELSEWHERE[..2])]), gated());
    let selection = link(&comparison, Stage::Selection);
    assert_eq!((selection.change, selection.difference), (LinkChange::InsufficientData, None));
    assert_eq!(comparison.links[0].moved_link, Some(Stage::Selection));
    let statuses: Vec<_> = comparison.gates.verdicts.iter().map(|it| it.status).collect();
    assert_eq!(statuses, [GateStatus::Failed, GateStatus::NonGateable]);
}

#[test]
fn other_cases_block_the_trend_and_leave_the_cases() {
    let base = run("a", &[("c", WELL)]);
    let compare = run("b", &[("c", ELSEWHERE), ("d", WELL)]);
    let comparison = compared(&base, &compare, gated());
    assert_eq!(
        comparison.parity_blockers,
        [ParityBlocker::DifferentConfigIdentity, ParityBlocker::DifferentCaseSetIdentity]
    );
    assert_eq!(comparison.pass_rate, None);
    assert_eq!(link(&comparison, Stage::Selection).change, LinkChange::Refused);
    assert_eq!(comparison.compare.cases[1].status, CompareStatus::NewCase);
    let statuses: Vec<_> = comparison.gates.verdicts.iter().map(|it| it.status).collect();
    assert_eq!(statuses, [GateStatus::Failed, GateStatus::NonGateable]);
}

#[test]
fn another_model_is_another_run_group() {
    let base = run("a", &[("c", WELL)]);
    let compare = run_of("b", &[("c", ELSEWHERE)], json!({ "servers": ["other"] }));
    let comparison = compared(&base, &compare, gated());
    assert_eq!(comparison.parity_blockers, [ParityBlocker::DifferentRunGroup]);
    assert!(comparison.population.is_comparable());
    assert_eq!(comparison.gates.verdicts[1].status, GateStatus::NonGateable);
}

#[test]
fn another_script_is_another_model() {
    let scripted = |id: &str, digest: &str| {
        let plain = run(id, &[("c", WELL)]);
        let mut case = serde_json::to_value(&plain.record.cases[0]).expect("a case is JSON");
        case["model"] = json!({ "effective": "scripted/m", "provider": "scripted", "scripted": true,
            "scriptDigest": digest });
        run_of(id, &[("c", WELL)], json!({ "cases": [case] }))
    };
    let blockers =
        |compare: RunSide| compared(&scripted("a", "1"), &compare, gated()).parity_blockers;
    assert_eq!(blockers(scripted("b", "1")), []);
    assert_eq!(blockers(scripted("b", "2")), [ParityBlocker::DifferentRunGroup]);
}

#[test]
fn an_outage_is_no_regression() {
    let comparison =
        compared(&run("a", &[("c", WELL)]), &run("b", &[("c", &[Unanswered; 6])]), gated());
    assert_eq!(comparison.undecided.len(), 1);
    assert_eq!(comparison.gates.outcome, GateOutcome::Incomplete);
    assert_eq!(comparison_outcome(&comparison), GateOutcome::Incomplete);
}

#[test]
fn runs_that_may_not_be_compared_never_pass_unasked() {
    let compare = run("b", &[("d", WELL)]);
    let comparison = compared(&run("a", &[("c", WELL)]), &compare, GatePolicy::default());
    assert_eq!(comparison.gates.outcome, GateOutcome::Passed);
    assert_eq!(comparison_outcome(&comparison), GateOutcome::Incomplete);
}

#[test]
fn a_case_of_both_outcomes_is_flaky_and_not_gated() {
    let mixed = [Well, Well, Well, Elsewhere, Well, Well];
    let policy = GatePolicy {
        pass_rate_regression: Some(Asked(Some(PassRateRegression::default()))),
        ..GatePolicy::default()
    };
    let comparison = compared(&run("a", &[("c", WELL)]), &run("b", &[("c", &mixed)]), policy);
    assert_eq!(comparison.flaky_cases.compare[0].failed, 1);
    assert_eq!(link(&comparison, Stage::Selection).change, LinkChange::Unchanged);
    assert_eq!(comparison.gates.outcome, GateOutcome::Passed);
}

#[test]
fn a_red_exit_has_a_red_row() {
    let comparison = compared(&run("a", &[("c", WELL)]), &run("b", &[("d", WELL)]), gated());
    let report = compare_report(comparison);
    let last = report.cases.last().expect("the row of the gates");
    assert_eq!((last.id.as_str(), last.passed, report.passed), ("gate", false, false));
}

/// A run whose trials cost this much each, in US dollars.
fn priced(id: &str, costs: &[Option<f64>; 6]) -> RunSide {
    let mut side = run(id, &[("c", WELL)]);
    for (trial, cost) in side.trials.iter_mut().zip(costs) {
        trial.cost_usd = *cost;
    }
    side
}

fn cost_gate(base: &RunSide, compare: &RunSide, increase: f64) -> GateVerdict {
    let policy =
        GatePolicy { maximum_cost_increase: Some(Asked(Some(increase))), ..GatePolicy::default() };
    compared(base, compare, policy).gates.verdicts.remove(0)
}

#[test]
fn a_cost_may_grow_by_its_share_and_no_more() {
    let (base, compare) = (priced("a", &[Some(0.1); 6]), priced("b", &[Some(0.11); 6]));
    assert_eq!(cost_gate(&base, &compare, 0.1).status, GateStatus::Passed);
    let failed = cost_gate(&base, &compare, 0.09);
    assert_eq!(failed.status, GateStatus::Failed);
    assert!(failed.message.contains("+10 % against at most 9 %"), "{}", failed.message);
    assert_eq!(cost_gate(&compare, &base, 0.0).status, GateStatus::Passed);
}

#[test]
fn a_cost_of_which_a_part_is_not_known_is_not_gateable() {
    let whole = priced("a", &[Some(0.1); 6]);
    let mut costs = [Some(0.0); 6];
    costs[2] = None;
    let partly = priced("b", &costs);
    let open = cost_gate(&whole, &partly, 5.0);
    assert_eq!((open.status, open.observed), (GateStatus::NonGateable, None));
    assert!(open.message.contains("compared run 5 of 6 trials priced"), "{}", open.message);
    let comparison = compared(&whole, &partly, GatePolicy::default());
    let metrics = comparison.compare.metrics.expect("there are some");
    assert_eq!(metrics.estimated_cost_usd.compare, None);
    assert_eq!(comparison.cost.compare.priced_trials, 5);
}

#[test]
fn a_base_that_cost_nothing_has_no_percentage() {
    let (free, paid) = (priced("a", &[Some(0.0); 6]), priced("b", &[Some(0.1); 6]));
    assert_eq!(cost_gate(&free, &paid, 5.0).status, GateStatus::NonGateable);
    assert_eq!(cost_gate(&free, &free, 0.0).status, GateStatus::Passed);
}

#[test]
fn the_row_of_the_gates_names_what_does_not_hold() {
    let comparison = compared(&run("a", &[("c", WELL)]), &run("b", &[("c", ELSEWHERE)]), gated());
    let report = compare_report(comparison);
    let gate = report.cases.last().and_then(|row| row.error.clone()).expect("it failed");
    assert!(gate.contains("passRateRegression failed: the pass rate moved by −100"), "{gate}");
}

#[test]
fn failed_trials_are_counted_by_the_bucket_that_says_who_looks_next() {
    let side =
        &compared(&run("a", &[("c", WELL)]), &run("b", &[("c", ELSEWHERE)]), gated()).links[0];
    assert_eq!(side.base.failure_categories, []);
    let bucket = side.compare.failure_categories[0];
    assert_eq!((bucket.category, bucket.trials), (FailureCategory::Selection, 6));
}
