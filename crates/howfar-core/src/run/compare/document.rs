//! The compare document from two stored runs (run-documents 9.1).

use std::collections::{HashMap, HashSet};

use howfar_wire::compare::{
    BaselinePolicy, CompareBaseline, CompareCase, CompareCounts, CompareDocument, CompareMetrics,
    ComparePassSummary, CompareRun, CompareSide, CompareSuite, SideOutcome,
};
use howfar_wire::gate::CostTotal;
use howfar_wire::record::CaseRecord;
use howfar_wire::vocabulary::{IterationStatus, TaskVerdict, Verdict};

use super::contract::{is_changed, score_contract, score_deltas};
use super::input::{case_status, numeric_diff};
use super::links::trials_by_case;
use crate::run::scored::ScoredRun;
use crate::run::side::{RunSide, SideTrial};

/// Two runs with what is joined of them.
pub(super) struct Sides<'a> {
    pub(super) base: Side<'a>,
    pub(super) compare: Side<'a>,
}

/// One run with its trials by case and its scores.
pub(super) struct Side<'a> {
    pub(super) run: &'a RunSide,
    pub(super) scored: ScoredRun<'a>,
    cases: HashMap<&'a str, &'a CaseRecord>,
    trials: HashMap<&'a str, Vec<&'a SideTrial>>,
}

impl<'a> Side<'a> {
    pub(super) fn new(run: &'a RunSide) -> Self {
        Self {
            run,
            scored: ScoredRun::new(run),
            cases: run.record.cases.iter().map(|case| (&*case.id, case)).collect(),
            trials: trials_by_case(run),
        }
    }

    /// The trials of a case; empty when the run has none.
    pub(super) fn trials_of(&self, case_key: &str) -> &[&'a SideTrial] {
        self.trials.get(case_key).map_or(&[], Vec::as_slice)
    }
}

impl Sides<'_> {
    /// The compare document.
    pub(super) fn document(&self, policy: BaselinePolicy) -> CompareDocument {
        let (base, compare) = (compare_run(self.base.run), compare_run(self.compare.run));
        let suite = &self.compare.run.record.suite;
        CompareDocument {
            suite: Some(CompareSuite { id: suite.id.clone(), name: suite.name.clone() }),
            baseline: Some(CompareBaseline { policy, base_run_id: base.id.clone() }),
            pass_summary: Some(pass_summary(&base, &compare)),
            metrics: Some(metrics(self.base.run, self.compare.run)),
            base_run: base,
            compare_run: compare,
            score_contract: score_contract(&self.base.scored, &self.compare.scored),
            cases: self.case_keys().into_iter().map(|key| self.case(key)).collect(),
        }
    }

    /// The cases of the compared run in its order, then those that only the base run has.
    pub(super) fn case_keys(&self) -> Vec<&str> {
        let compared: HashSet<&str> = self.compare.cases.keys().copied().collect();
        let base = self.base.run.record.cases.iter().map(|case| &*case.id);
        let removed = base.filter(|key| !compared.contains(key));
        let cases = self.compare.run.record.cases.iter().map(|case| &*case.id);
        cases.chain(removed).collect()
    }

    fn case(&self, key: &str) -> CompareCase {
        let (before, after) = (self.base.cases.get(key), self.compare.cases.get(key));
        let hash = |case: Option<&&CaseRecord>| {
            case.and_then(|case| Some(case.evaluation_config.as_ref()?.hash.clone()))
        };
        let both = before.zip(after);
        let config_changed = both.is_some_and(|(a, b)| a.content_hash != b.content_hash);
        let evaluation_config_changed =
            both.is_some() && is_changed(hash(before).as_deref(), hash(after).as_deref());
        let base = compare_side(self.base.trials_of(key));
        let compare = compare_side(self.compare.trials_of(key));
        let changed = config_changed || evaluation_config_changed;
        CompareCase {
            case_key: key.to_owned(),
            title: after.or(before).map(|case| case.title.clone()).unwrap_or_default(),
            status: case_status(base.outcome, compare.outcome, changed),
            config_changed,
            evaluation_config_changed,
            score_deltas: score_deltas(
                self.base.scored.cases.get(key),
                self.compare.scored.cases.get(key),
            ),
            base,
            compare,
        }
    }
}

/// How a case did: failed when a decided trial failed, passed when all decided ones passed.
fn compare_side(trials: &[&SideTrial]) -> CompareSide {
    let began: Vec<_> = trials.iter().filter(|trial| has_begun(trial.status)).collect();
    let of = |verdict: TaskVerdict| trials.iter().find(|it| it.task_verdict == Some(verdict));
    let failed = of(TaskVerdict::Failed);
    let outcome = match (failed, of(TaskVerdict::Passed)) {
        (Some(_), Some(_) | None) => SideOutcome::Failed,
        (None, Some(_)) => SideOutcome::Passed,
        (None, None) => SideOutcome::Absent,
    };
    let representative = failed.or_else(|| began.first().copied());
    CompareSide {
        outcome,
        iteration_ids: began.iter().map(|trial| trial.key()).collect(),
        representative_iteration_id: representative.map(|trial| trial.key()),
        error: representative.and_then(|trial| trial.failure.clone()),
    }
}

/// Whether the trial is one of the run: a trial that was withdrawn before it began is none.
const fn has_begun(status: IterationStatus) -> bool {
    match status {
        IterationStatus::Pending | IterationStatus::Cancelled | IterationStatus::Skipped => false,
        IterationStatus::Running
        | IterationStatus::Completed
        | IterationStatus::Failed
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed => true,
    }
}

fn compare_run(run: &RunSide) -> CompareRun {
    let metadata = &run.report.metadata;
    let result = match run.report.verdict {
        Verdict::Passed => Some("passed".to_owned()),
        Verdict::Failed => Some("failed".to_owned()),
        Verdict::Inconclusive | Verdict::NotEstablished => None,
    };
    let started = run.record.started_at_ms;
    let ended = started.saturating_add(run.report.duration_ms.max(0.0) as u64);
    CompareRun {
        id: run.record.run_id.clone(),
        run_number: None,
        result,
        created_at: Some(started),
        completed_at: metadata.complete.then_some(ended),
        summary: Some(decided_trials(run)),
    }
}

/// Counts of trials that were graded.
pub(in crate::run) fn decided_trials(run: &RunSide) -> CompareCounts {
    let count = |verdict: TaskVerdict| {
        run.trials.iter().filter(|trial| trial.task_verdict == Some(verdict)).count() as u64
    };
    let (passed, failed) = (count(TaskVerdict::Passed), count(TaskVerdict::Failed));
    let total = passed + failed;
    CompareCounts {
        total,
        passed,
        failed: Some(failed),
        pass_rate: (total > 0).then(|| passed as f64 / total as f64),
    }
}

fn pass_summary(base: &CompareRun, compare: &CompareRun) -> ComparePassSummary {
    let diff = |of: fn(&CompareCounts) -> Option<f64>| {
        numeric_diff(base.summary.as_ref().and_then(of), compare.summary.as_ref().and_then(of))
    };
    ComparePassSummary {
        pass_rate_percent: diff(|counts| Some(counts.pass_rate? * 100.0)),
        total: diff(|counts| Some(counts.total as f64)),
        passed: diff(|counts| Some(counts.passed as f64)),
        failed: diff(|counts| Some(counts.failed? as f64)),
    }
}

fn metrics(base: &RunSide, compare: &RunSide) -> CompareMetrics {
    let wall = |run: &RunSide| run.report.metadata.complete.then_some(run.report.duration_ms);
    CompareMetrics {
        wall_duration_ms: numeric_diff(wall(base), wall(compare)),
        total_tokens: numeric_diff(total_tokens(base), total_tokens(compare)),
        estimated_cost_usd: numeric_diff(total_cost(base).of_run(), total_cost(compare).of_run()),
    }
}

/// The tokens of all trials that ran; unknown when one of them reports none.
pub(in crate::run) fn total_tokens(run: &RunSide) -> Option<f64> {
    let ran = run.trials.iter().filter(|trial| trial.ran());
    let tokens: Option<u64> = ran.map(|trial| trial.tokens).sum();
    tokens.map(|tokens| tokens as f64)
}

/// What the trials that ran cost, as far as it is known.
pub(in crate::run) fn total_cost(run: &RunSide) -> CostTotal {
    let ran = || run.trials.iter().filter(|trial| trial.ran());
    let costs = || ran().filter_map(|trial| trial.cost_usd);
    CostTotal {
        // An empty sum of doubles is -0.
        usd: costs().sum::<f64>() + 0.0,
        priced_trials: costs().count() as u64,
        trials: ran().count() as u64,
    }
}
