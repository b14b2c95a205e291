//! All scores of one run: joined to their definitions trial by trial, tallied by case and scorer.

use std::collections::HashMap;

use howfar_wire::gate::{GateScore, ScoreIntegrity};
use howfar_wire::score::{ScoreDefinition, ScoreStatus};
use howfar_wire::vocabulary::IterationStatus;
use indexmap::IndexMap;

use super::case_scores::CaseScorers;
use super::score::run_config_hash;
use super::side::{RunSide, SideTrial};

/// The scores of one run.
pub(super) struct ScoredRun<'a> {
    /// The identity of the scorers over all cases; `None` when a case does not state its own.
    pub(super) config_hash: Option<String>,
    /// Whether the scores hold up; `None` when nobody can say, because a case does not state its scorers.
    pub(super) integrity: Option<ScoreIntegrity>,
    /// Completed trials with scores.
    pub(super) scored_trials: u64,
    /// Completed trials whose rows do not fit the definitions.
    pub(super) quarantined_trials: u64,
    /// The scorers of each case that states them, with their tallies in authored order.
    pub(super) cases: HashMap<&'a str, ScoredCase<'a>>,
    /// Every score, in the order of the trials.
    pub(super) scores: Vec<GateScore>,
}

/// The scorers of one case with what they found.
pub(super) struct ScoredCase<'a> {
    /// By scorer id, in authored order.
    pub(super) scorers: IndexMap<&'a str, ScorerTally<'a>>,
}

/// What one scorer found in one case. Counts are trials.
#[derive(Clone)]
pub(super) struct ScorerTally<'a> {
    pub(super) definition: &'a ScoreDefinition,
    pub(super) hash: String,
    pub(super) scored: u64,
    pub(super) passed: u64,
    pub(super) errors: u64,
    pub(super) skipped: u64,
    pub(super) not_applicable: u64,
    /// The sum of the values of scored rows.
    pub(super) sum: f64,
}

impl ScorerTally<'_> {
    fn add(&mut self, score: &GateScore) {
        match score.status {
            ScoreStatus::Scored => {
                self.scored += 1;
                self.passed += u64::from(score.passed == Some(true));
                self.sum += score.value.unwrap_or_default();
            }
            ScoreStatus::Error => self.errors += 1,
            ScoreStatus::Skipped => self.skipped += 1,
            ScoreStatus::NotApplicable => self.not_applicable += 1,
        }
    }

    /// The rows of two cases together. The definition of the first stands for both.
    pub(super) fn merged(mut self, other: Self) -> Self {
        self.scored += other.scored;
        self.passed += other.passed;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.not_applicable += other.not_applicable;
        self.sum += other.sum;
        self
    }

    /// Rows of the scorer.
    pub(super) const fn rows(&self) -> u64 {
        self.countable() + self.not_applicable
    }

    /// Rows that apply.
    pub(super) const fn countable(&self) -> u64 {
        self.scored + self.errors + self.skipped
    }

    /// Passed of the rows that apply; `None` without any.
    pub(super) fn pass_rate(&self) -> Option<f64> {
        (self.countable() > 0).then(|| self.passed as f64 / self.countable() as f64)
    }

    /// The mean of the scored rows; `None` without any.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.sum / self.scored as f64)
    }
}

impl<'a> ScoredRun<'a> {
    pub(super) fn new(side: &'a RunSide) -> Self {
        let configs =
            side.record.cases.iter().map(|case| (&*case.id, case.evaluation_config.as_ref()));
        let scorers: HashMap<&str, CaseScorers<'_>> = configs
            .clone()
            .filter_map(|(id, config)| Some((id, CaseScorers::new(config?))))
            .collect();
        let hashes: Option<Vec<String>> =
            configs.map(|(_, config)| config.map(|config| config.hash.clone())).collect();
        let mut run = Self {
            config_hash: hashes.as_deref().map(run_config_hash),
            integrity: None,
            scored_trials: 0,
            quarantined_trials: 0,
            cases: scorers.iter().map(|(id, scorers)| (*id, untallied(scorers))).collect(),
            scores: Vec::new(),
        };
        for trial in side.trials.iter().filter(|trial| trial.status == IterationStatus::Completed) {
            if let Some(scorers) = scorers.get(&*trial.case_id) {
                run.trial(scorers, trial);
            }
        }
        run.integrity = run.config_hash.as_ref().map(|_| match run.quarantined_trials {
            0 => ScoreIntegrity::Valid,
            _ => ScoreIntegrity::Invalid,
        });
        run
    }

    fn trial(&mut self, scorers: &CaseScorers<'_>, trial: &SideTrial) {
        let Some(scores) = scorers.scores(trial) else {
            self.quarantined_trials += 1;
            return;
        };
        self.scored_trials += u64::from(!scores.is_empty());
        if let Some(case) = self.cases.get_mut(&*trial.case_id) {
            for score in &scores {
                if let Some(tally) = case.scorers.get_mut(&*score.scorer_id) {
                    tally.add(score);
                }
            }
        }
        self.scores.extend(scores);
    }
}

fn untallied<'a>(scorers: &CaseScorers<'a>) -> ScoredCase<'a> {
    let tally = |(definition, hash): &(&'a ScoreDefinition, String)| ScorerTally {
        definition,
        hash: hash.clone(),
        scored: 0,
        passed: 0,
        errors: 0,
        skipped: 0,
        not_applicable: 0,
        sum: 0.0,
    };
    let scorers_of = scorers.scorers.iter().map(|it| (&*it.0.scorer_id, tally(it)));
    ScoredCase { scorers: scorers_of.collect() }
}
