//! Which link of a case moved from one run to the other.
//!
//! A link's rate is passed of measured trials; trials that say nothing about the link are in no rate.

use std::collections::HashMap;

use howfar_wire::compare::{
    BrokenLink, BucketTrials, CaseLinkSide, CaseLinks, ExcludedTrials, LinkChange, LinkMovement,
    LinkTally, PassRateVerdict, RateDifference,
};
use howfar_wire::gate::PassRateRegression;
use howfar_wire::vocabulary::{
    ExclusionDetail, FailureCategory, Stage, StageState, TaskVerdict, Vocabulary as _,
};

use super::statistics::{PassCounts, PassRateAssessment, assess_pass_rate};
use crate::run::analytics::lifecycle;
use crate::run::side::{RunSide, SideTrial};

/// Whether differences may be formed at all, and from how many measured trials on.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkRule {
    pub(super) is_refused: bool,
    pub(super) regression: PassRateRegression,
}

/// The trials of a run by case.
pub(super) fn trials_by_case(side: &RunSide) -> HashMap<&str, Vec<&SideTrial>> {
    let mut cases: HashMap<&str, Vec<&SideTrial>> = HashMap::new();
    for trial in &side.trials {
        cases.entry(&trial.case_id).or_default().push(trial);
    }
    cases
}

/// The links of one case in both runs.
pub(super) fn case_links(
    case_key: &str,
    base: &[&SideTrial],
    compare: &[&SideTrial],
    rule: LinkRule,
) -> CaseLinks {
    let links: Vec<LinkMovement> = Stage::ALL
        .iter()
        .map(|stage| movement(*stage, tally(*stage, base), tally(*stage, compare), rule))
        .collect();
    CaseLinks {
        case_key: case_key.to_owned(),
        moved_link: moved_link(&links),
        base: link_side(base),
        compare: link_side(compare),
        links,
    }
}

/// Why no tally counts the trial, as the stage analytics have it (run-documents 7.2).
fn exclusion(trial: &SideTrial) -> Option<ExclusionDetail> {
    if trial.evaluator_error {
        return Some(ExclusionDetail::EvaluatorError);
    }
    let missing = trial.states.is_empty().then_some(ExclusionDetail::ChainMissing);
    lifecycle(Some(trial.status)).or(missing)
}

fn link_side(trials: &[&SideTrial]) -> CaseLinkSide {
    let count = |holds: &dyn Fn(&SideTrial) -> bool| {
        trials.iter().filter(|trial| holds(trial)).count() as u64
    };
    let excluded = ExclusionDetail::ALL.iter().map(|reason| ExcludedTrials {
        reason: *reason,
        trials: count(&|trial| exclusion(trial) == Some(*reason)),
    });
    let broken = Stage::ALL.iter().map(|stage| BrokenLink {
        stage: *stage,
        trials: count(&|trial| trial.first_failed_stage == Some(*stage)),
    });
    let buckets = FailureCategory::ALL.iter().map(|category| BucketTrials {
        category: *category,
        trials: count(&|trial| {
            trial.task_verdict == Some(TaskVerdict::Failed)
                && trial.failure_category == Some(*category)
        }),
    });
    CaseLinkSide {
        trials: trials.len() as u64,
        included_trials: count(&|trial| exclusion(trial).is_none()),
        excluded: excluded.filter(|it| it.trials > 0).collect(),
        first_failed_links: broken.filter(|it| it.trials > 0).collect(),
        failure_categories: buckets.filter(|it| it.trials > 0).collect(),
    }
}

fn tally(stage: Stage, trials: &[&SideTrial]) -> LinkTally {
    let mut tally = LinkTally::default();
    for trial in trials.iter().filter(|trial| exclusion(trial).is_none()) {
        let state = trial.states.iter().find(|(of, _)| *of == stage).map(|(_, state)| *state);
        let count = match state {
            Some(StageState::Passed) => &mut tally.passed,
            Some(StageState::Failed) => &mut tally.failed,
            Some(StageState::NotMeasured) | None => &mut tally.not_measured,
            Some(StageState::NotReached) => &mut tally.not_reached,
            Some(StageState::NotApplicable) => &mut tally.not_applicable,
        };
        *count += 1;
    }
    tally
}

fn movement(stage: Stage, base: LinkTally, compare: LinkTally, rule: LinkRule) -> LinkMovement {
    let unsaid = |change| LinkMovement { stage, base, compare, change, difference: None };
    if rule.is_refused {
        return unsaid(LinkChange::Refused);
    }
    if base.measured() == 0 || compare.measured() == 0 {
        return unsaid(LinkChange::NotMeasured);
    }
    let counts = |tally: LinkTally| PassCounts {
        passed: tally.passed as f64,
        total: tally.measured() as f64,
    };
    let assessed = assess_pass_rate(counts(base), counts(compare), rule.regression);
    if assessed.verdict == PassRateVerdict::InsufficientData {
        return unsaid(LinkChange::InsufficientData);
    }
    let change = if assessed.upper < 0.0 {
        LinkChange::Fell
    } else if assessed.lower > 0.0 {
        LinkChange::Rose
    } else {
        LinkChange::Unchanged
    };
    LinkMovement { difference: Some(rate_difference(&assessed)), ..unsaid(change) }
}

/// The difference of an assessment as documents show it.
pub(super) const fn rate_difference(assessed: &PassRateAssessment) -> RateDifference {
    RateDifference {
        delta: assessed.delta,
        confidence: 0.95,
        lower: assessed.lower,
        upper: assessed.upper,
    }
}

/// The first link beyond chance, else the first whose measured rate differs, else the first whose shares of states do.
fn moved_link(links: &[LinkMovement]) -> Option<Stage> {
    let is_beyond_chance = |link: &&LinkMovement| match link.change {
        LinkChange::Fell | LinkChange::Rose => true,
        LinkChange::Unchanged
        | LinkChange::InsufficientData
        | LinkChange::NotMeasured
        | LinkChange::Refused => false,
    };
    // Two quotients are equal when their cross products are.
    let rates_differ = |link: &&LinkMovement| {
        let (base, compare) = (link.base, link.compare);
        base.measured() > 0
            && compare.measured() > 0
            && base.passed * compare.measured() != compare.passed * base.measured()
    };
    let shares_differ = |link: &&LinkMovement| {
        let (base, compare) = (states(link.base), states(link.compare));
        let (of_base, of_compare) = (base.iter().sum::<u64>(), compare.iter().sum::<u64>());
        let differs = |(base, compare): (&u64, &u64)| base * of_compare != compare * of_base;
        of_base > 0 && of_compare > 0 && base.iter().zip(&compare).any(differs)
    };
    let first = |holds: &dyn Fn(&&LinkMovement) -> bool| links.iter().find(holds);
    let moved =
        first(&is_beyond_chance).or_else(|| first(&rates_differ)).or_else(|| first(&shares_differ));
    moved.map(|link| link.stage)
}

/// The trials of a tally by state.
const fn states(tally: LinkTally) -> [u64; 5] {
    [tally.passed, tally.failed, tally.not_measured, tally.not_reached, tally.not_applicable]
}
