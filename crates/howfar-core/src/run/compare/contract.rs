//! How the scores of two runs relate: the score contract, and the deltas of a case (run-documents 9.1).
//!
//! Several trials of a case are taken together: a scorer passed when every scored row did, and its value is the mean.

use std::collections::BTreeSet;

use howfar_wire::canon;
use howfar_wire::compare::{
    CompareScoreContract, CompareScoreSide, CountDiff, ScoreDelta, ScoreSide, ScorerComparison,
};
use howfar_wire::score::ScoreStatus;
use howfar_wire::vocabulary::Vocabulary as _;

use super::input::numeric_diff;
use crate::run::scored::{ScoredCase, ScoredRun, ScorerTally};

/// The score contract of two runs.
pub(super) fn score_contract(
    base: &ScoredRun<'_>,
    compare: &ScoredRun<'_>,
) -> CompareScoreContract {
    let ids = sorted_ids(base.cases.values().chain(compare.cases.values()));
    CompareScoreContract {
        base: side(base),
        compare: side(compare),
        evaluation_config_changed: is_changed(
            base.config_hash.as_deref(),
            compare.config_hash.as_deref(),
        ),
        scorers: ids.into_iter().map(|id| scorer(id, base, compare)).collect(),
    }
}

/// Two absent identities are not equal ones.
pub(super) fn is_changed(base: Option<&str>, compare: Option<&str>) -> bool {
    base.is_none() || base != compare
}

/// How the scores of one case moved, by scorer.
pub(super) fn score_deltas(
    base: Option<&ScoredCase<'_>>,
    compare: Option<&ScoredCase<'_>>,
) -> Vec<ScoreDelta> {
    let ids = sorted_ids(base.into_iter().chain(compare));
    ids.into_iter().filter_map(|id| score_delta(id, tally(base, id), tally(compare, id))).collect()
}

fn tally<'a>(case: Option<&ScoredCase<'a>>, id: &str) -> Option<ScorerTally<'a>> {
    case?.scorers.get(id).cloned()
}

fn side(run: &ScoredRun<'_>) -> CompareScoreSide {
    CompareScoreSide {
        evaluation_config_hash: run.config_hash.clone(),
        score_integrity: run.integrity,
        scored_iterations: run.scored_trials,
        quarantined_iterations: run.quarantined_trials,
    }
}

/// Every scorer id once, by code unit.
fn sorted_ids<'a>(cases: impl Iterator<Item = &'a ScoredCase<'a>>) -> Vec<&'a str> {
    let ids: BTreeSet<&str> = cases.flat_map(|case| case.scorers.keys().copied()).collect();
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_by(|a, b| canon::utf16_cmp(a, b));
    ids
}

/// One scorer over the cases of both runs.
fn scorer(id: &str, base: &ScoredRun<'_>, compare: &ScoredRun<'_>) -> ScorerComparison {
    let (before, after) = (tallies(id, base), tallies(id, compare));
    let definitions = || before.iter().chain(&after).map(|(_, tally)| tally.definition);
    let hash_before =
        |key: &str| before.iter().find(|(other, _)| *other == key).map(|(_, tally)| &tally.hash);
    let shared = || after.iter().filter_map(|(key, tally)| Some((hash_before(key)?, &tally.hash)));
    let (sum_before, sum_after) = (sum(&before), sum(&after));
    let rate = |sum: &Option<ScorerTally<'_>>| sum.as_ref().and_then(ScorerTally::pass_rate);
    let mean = |sum: &Option<ScorerTally<'_>>| sum.as_ref().and_then(ScorerTally::mean);
    let errors = |sum: &Option<ScorerTally<'_>>| sum.as_ref().map_or(0, |sum| sum.errors);
    ScorerComparison {
        scorer_id: id.to_owned(),
        gating: definitions().any(|definition| definition.role.decides()),
        deterministic: definitions().all(|definition| definition.deterministic),
        definition_changed: shared().next().is_none() || shared().any(|(a, b)| a != b),
        pass_rate: numeric_diff(rate(&sum_before), rate(&sum_after)),
        mean_value: numeric_diff(mean(&sum_before), mean(&sum_after)),
        error_count: CountDiff { base: errors(&sum_before), compare: errors(&sum_after) },
    }
}

/// The tallies of one scorer by case, in the order of the case keys.
fn tallies<'a>(id: &str, run: &ScoredRun<'a>) -> Vec<(&'a str, ScorerTally<'a>)> {
    let tallies =
        run.cases.iter().filter_map(|(key, case)| Some((*key, case.scorers.get(id)?.clone())));
    let mut tallies: Vec<_> = tallies.collect();
    tallies.sort_by(|a, b| canon::utf16_cmp(a.0, b.0));
    tallies
}

fn sum<'a>(tallies: &[(&str, ScorerTally<'a>)]) -> Option<ScorerTally<'a>> {
    tallies.iter().map(|(_, tally)| tally.clone()).reduce(ScorerTally::merged)
}

/// `None` when the scorer has no row on either side.
fn score_delta(
    id: &str,
    base: Option<ScorerTally<'_>>,
    compare: Option<ScorerTally<'_>>,
) -> Option<ScoreDelta> {
    let definition = compare.as_ref().or(base.as_ref())?.definition;
    let has_rows = |tally: &ScorerTally<'_>| tally.rows() > 0;
    let definition_changed = match (&base, &compare) {
        (Some(base), Some(compare)) => base.hash != compare.hash,
        (Some(_) | None, None) | (None, Some(_)) => true,
    };
    let (base, compare) = (base.filter(has_rows), compare.filter(has_rows));
    if base.is_none() && compare.is_none() {
        return None;
    }
    let mean = |tally: &Option<ScorerTally<'_>>| tally.as_ref().and_then(ScorerTally::mean);
    Some(ScoreDelta {
        scorer_id: id.to_owned(),
        gating: definition.role.decides(),
        deterministic: definition.deterministic,
        definition_changed,
        value: Some(numeric_diff(mean(&base), mean(&compare))),
        base: base.as_ref().map(score_side),
        compare: compare.as_ref().map(score_side),
    })
}

fn score_side(tally: &ScorerTally<'_>) -> ScoreSide {
    let status = if tally.scored > 0 {
        ScoreStatus::Scored
    } else if tally.errors > 0 {
        ScoreStatus::Error
    } else if tally.skipped > 0 {
        ScoreStatus::Skipped
    } else {
        ScoreStatus::NotApplicable
    };
    ScoreSide {
        status: status.as_str().to_owned(),
        value: tally.mean(),
        passed: (tally.scored > 0).then_some(tally.passed == tally.scored),
    }
}
