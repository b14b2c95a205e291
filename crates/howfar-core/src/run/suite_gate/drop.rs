//! How far the pass rate of each scorer that decides fell (run-documents 10.3).

use howfar_wire::score::{IdSource, ScoreDefinition, ScoreStatus};
use howfar_wire::suite_gate::{
    ConditionRow, ConditionStatus, EvidenceRun, ScorerSummary, SuiteGateCondition,
    SuiteGateEvidence, SuiteGatePolicy, SuiteGateReason as Reason,
};

use super::blockers;
use super::conditions::{check_integrity, decided, undecided};
use crate::run::score::definition_hash;

const CONDITION: SuiteGateCondition = SuiteGateCondition::MaximumPassRateDrop;

/// The row of the first scorer that has the condition's status.
pub(super) fn row(
    policy: &SuiteGatePolicy,
    evidence: &SuiteGateEvidence,
    threshold: f64,
) -> ConditionRow {
    let compared = blockers::sides(policy, evidence)
        .and_then(|(_, run)| check_integrity(&evidence.subject, run).map(|()| run));
    let mut rows = match compared {
        Err(reason) => return undecided(CONDITION, reason, Some(threshold)),
        Ok(run) => scorer_rows(&evidence.subject, run, threshold),
    };
    let order = [ConditionStatus::Failed, ConditionStatus::NonGateable, ConditionStatus::Passed];
    let first = |status| rows.iter().position(|row: &ConditionRow| row.status == status);
    match order.into_iter().find_map(first) {
        Some(at) => rows.swap_remove(at),
        None => undecided(CONDITION, Reason::EmptyCountableEvidence, Some(threshold)),
    }
}

/// A scorer that decides.
pub(super) struct GatingScorer<'e> {
    id: &'e str,
    pub(super) id_source: IdSource,
}

/// The scorers of a run that decide: its definitions, or its summaries when no definition does.
pub(super) fn gating_scorers(run: &EvidenceRun) -> Vec<GatingScorer<'_>> {
    let defined: Vec<_> = definitions(run)
        .iter()
        .filter(|it| it.role.decides())
        .map(|it| GatingScorer { id: &it.scorer_id, id_source: it.id_source })
        .collect();
    if !defined.is_empty() {
        return defined;
    }
    let summaries = run.scorer_summaries.iter().flatten().filter(|it| it.role.decides());
    summaries.map(|it| GatingScorer { id: &it.scorer_id, id_source: it.id_source }).collect()
}

/// One row per scorer: those of the subject first, then those that only the baseline has.
fn scorer_rows(subject: &EvidenceRun, baseline: &EvidenceRun, threshold: f64) -> Vec<ConditionRow> {
    let (of_subject, of_baseline) = (gating_scorers(subject), gating_scorers(baseline));
    let (new, old) = (summaries(subject), summaries(baseline));
    let find = |scorers: &[GatingScorer<'_>], id: &str| {
        scorers.iter().find(|scorer| scorer.id == id).map(|scorer| scorer.id_source)
    };
    let mut ids: Vec<&str> = Vec::new();
    for scorer in of_subject.iter().chain(&of_baseline) {
        if !ids.contains(&scorer.id) {
            ids.push(scorer.id);
        }
    }
    let row = |id: &str| {
        let sources = [find(&of_subject, id), find(&of_baseline, id)];
        let row = match observed_drop(id, sources, &new, &old) {
            Err(reason) => undecided(CONDITION, reason, Some(threshold)),
            Ok(drop) => decided(CONDITION, !drop.exceeds(threshold), drop.value(), Some(threshold)),
        };
        ConditionRow { scorer_id: Some(id.to_owned()), ..row }
    };
    ids.into_iter().map(row).collect()
}

/// The drop of one scorer, or the first reason why there is none.
fn observed_drop(
    id: &str,
    [subject, baseline]: [Option<IdSource>; 2],
    new: &[ScorerSummary],
    old: &[ScorerSummary],
) -> Result<Drop, Reason> {
    if [subject, baseline].contains(&Some(IdSource::Generated)) {
        return Err(Reason::GeneratedScorerId);
    }
    if baseline.is_none() {
        return Err(Reason::ScorerAdded);
    }
    if subject.is_none() {
        return Err(Reason::ScorerRemoved);
    }
    let of = |summaries: &'_ [ScorerSummary]| summaries.iter().position(|it| it.scorer_id == id);
    let (Some(new), Some(old)) = (of(new).map(|at| &new[at]), of(old).map(|at| &old[at])) else {
        return Err(Reason::ScorerMissing);
    };
    if new.definition_hash != old.definition_hash {
        return Err(Reason::ScorerChanged);
    }
    let empty = |it: &ScorerSummary| it.pass_rate.is_none() || it.countable == 0;
    if empty(new) || empty(old) {
        return Err(Reason::EmptyCountableEvidence);
    }
    Ok(Drop {
        passed: new.passed as f64,
        countable: new.countable as f64,
        base_passed: old.passed as f64,
        base_countable: old.countable as f64,
    })
}

/// How far a pass rate fell, as counts: quotients would make equality fail.
struct Drop {
    passed: f64,
    countable: f64,
    base_passed: f64,
    base_countable: f64,
}

impl Drop {
    fn numerator(&self) -> f64 {
        self.base_passed * self.countable - self.passed * self.base_countable
    }

    fn denominator(&self) -> f64 {
        self.base_countable * self.countable
    }

    /// Negative when the rate rose.
    fn value(&self) -> f64 {
        self.numerator() / self.denominator()
    }

    fn exceeds(&self, threshold: f64) -> bool {
        let most = threshold * self.base_countable * self.countable;
        self.numerator() > most + most.abs() * 4.0 * f64::EPSILON
    }
}

/// The run's own summaries, or those of its rows.
fn summaries(run: &EvidenceRun) -> Vec<ScorerSummary> {
    match &run.scorer_summaries {
        Some(summaries) => summaries.clone(),
        None => definitions(run).iter().filter_map(|it| summary_of_rows(run, it)).collect(),
    }
}

/// The summary of the rows under a definition; none without rows.
fn summary_of_rows(run: &EvidenceRun, definition: &ScoreDefinition) -> Option<ScorerSummary> {
    let hash = definition_hash(definition);
    let rows = || run.scores.iter().flatten().filter(|row| row.definition_hash == hash);
    rows().next()?;
    let countable = rows().filter(|row| row.status != ScoreStatus::NotApplicable);
    let (countable, passed) = countable.fold((0_u64, 0_u64), |(countable, passed), row| {
        (countable + 1, passed + u64::from(row.passed == Some(true)))
    });
    Some(ScorerSummary {
        scorer_id: definition.scorer_id.clone(),
        definition_hash: hash,
        id_source: definition.id_source,
        role: definition.role,
        deterministic: definition.deterministic,
        countable,
        passed,
        pass_rate: (countable > 0).then(|| passed as f64 / countable as f64),
    })
}

fn definitions(run: &EvidenceRun) -> &[ScoreDefinition] {
    run.evaluation_config.as_ref().map_or(&[], |config| &config.definitions)
}
