//! The scorers of a case, and the scores that a trial's scorecard holds (predicates, section 12; run-documents, section
//! 2).
//!
//! A scorecard is grouped by link and keeps the authored order inside a link, so its rows are told apart by their place
//! alone. Rows that do not fit the definitions are quarantined: counted, and in no rate.

use howfar_wire::chain::JudgeStatus;
use howfar_wire::gate::GateScore;
use howfar_wire::matching::MatchOptions;
use howfar_wire::predicate::EffectiveRole;
use howfar_wire::score::{
    AuthoredDefinition, EvaluationConfig, IdSource, ScoreDefinition, ScoreRole, ScoreStatus,
};
use howfar_wire::scorecard::{CheckOutcome, Provenance};
use howfar_wire::transcript::ToolCall;
use howfar_wire::vocabulary::{Grader, PredicateKind, Vocabulary as _};
use serde_json::Value;

use super::score::{
    definition_hash, evaluation_config, evaluation_config_hash, resolve_definition,
};
use super::side::SideTrial;
use crate::predicate::score::{
    MATCHER_SCORER_ID, SCORER_VERSION, ScorerIdentity, implementation_hash,
    matcher_implementation_hash,
};

/// A check of a case, as far as its definition goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckSource<'a> {
    /// The kind.
    pub kind: PredicateKind,
    /// The check as authored.
    pub authored: &'a Value,
    /// What a failed row of it means.
    pub role: EffectiveRole,
}

/// The scorers of a case: the matcher, when it compares anything, then the checks in authored order.
pub fn case_scorers<'a>(
    expected_calls: &[ToolCall],
    is_negative_test: bool,
    checks: impl IntoIterator<Item = CheckSource<'a>>,
) -> EvaluationConfig {
    let mut definitions = Vec::new();
    if is_negative_test || !expected_calls.is_empty() {
        definitions.push(matcher(expected_calls, is_negative_test));
    }
    definitions.extend(checks.into_iter().enumerate().map(|(at, check)| predicate(at, check)));
    evaluation_config(definitions)
}

fn matcher(expected_calls: &[ToolCall], is_negative_test: bool) -> ScoreDefinition {
    let options = MatchOptions::default();
    let hash = matcher_implementation_hash(expected_calls, &options, is_negative_test);
    let identity = ScorerIdentity::Explicit(MATCHER_SCORER_ID.to_owned());
    definition(identity, MATCHER_SCORER_ID, hash, ScoreRole::Gating)
}

fn predicate(ordinal: usize, check: CheckSource<'_>) -> ScoreDefinition {
    let kind = check.kind.as_str();
    let role = match check.role {
        EffectiveRole::Gating => ScoreRole::Gating,
        EffectiveRole::Advisory => ScoreRole::Advisory,
    };
    let hash = implementation_hash(Some(check.kind), check.authored);
    definition(ScorerIdentity::in_list(None, kind, ordinal), kind, hash, role)
}

fn definition(
    identity: ScorerIdentity,
    label: &str,
    implementation_hash: String,
    role: ScoreRole,
) -> ScoreDefinition {
    let (scorer_id, id_source) = match identity {
        ScorerIdentity::Explicit(id) => (id, IdSource::Explicit),
        ScorerIdentity::Generated(id) => (id, IdSource::Generated),
    };
    resolve_definition(&AuthoredDefinition {
        scorer_id,
        id_source,
        scorer_version: SCORER_VERSION.to_owned(),
        implementation_hash,
        label: Some(label.to_owned()),
        deterministic: true,
        pass_threshold: 1.0,
        role,
        on_error: None,
        on_skipped: None,
        model: None,
        scope: None,
    })
}

/// The scorers of one case, ready to read its trials.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CaseScorers<'a> {
    /// Each with the digest of its definition, in authored order.
    pub(super) scorers: Vec<(&'a ScoreDefinition, String)>,
    /// Positions in `scorers` of the checks, in the order of a scorecard.
    checks: Vec<usize>,
    /// The position in `scorers` of the judge.
    judge: Option<usize>,
    /// Whether the stated identity is that of the definitions.
    sound: bool,
}

impl<'a> CaseScorers<'a> {
    pub(super) fn new(config: &'a EvaluationConfig) -> Self {
        let scorers: Vec<_> =
            config.definitions.iter().map(|it| (it, definition_hash(it))).collect();
        let kind = |at: &usize| scorers[*at].0.label.as_deref().and_then(PredicateKind::from_wire);
        let mut checks: Vec<usize> = (0..scorers.len()).filter(|at| kind(at).is_some()).collect();
        checks.sort_by_key(|at| kind(at).map(PredicateKind::stage));
        let sound = config.hash == evaluation_config_hash(&config.definitions);
        let judge = Grader::JudgeGoalCompletion.as_str();
        let judge = scorers.iter().position(|(definition, _)| definition.scorer_id == judge);
        Self { scorers, checks, judge, sound }
    }

    /// The scores of a completed trial, in the order of the definitions; `None` when its rows do not fit them.
    pub(super) fn scores(&self, trial: &SideTrial) -> Option<Vec<GateScore>> {
        let rows: Vec<_> =
            trial.checks.iter().filter(|check| is_predicate(check.provenance)).collect();
        if !self.sound || rows.len() != self.checks.len() {
            return None;
        }
        let mut outcomes: Vec<Option<ScoreStatusOf>> = vec![None; self.scorers.len()];
        for (row, at) in rows.into_iter().zip(&self.checks) {
            if self.scorers[*at].0.label.as_deref() != Some(&*row.check) {
                return None;
            }
            outcomes[*at] = Some(of_check(row.outcome));
        }
        if let Some(at) = self.judge {
            outcomes[at] = Some(of_judge(trial));
        }
        let matched = of_matcher(trial);
        let scores = self.scorers.iter().zip(outcomes);
        Some(
            scores
                .map(|((definition, hash), outcome)| {
                    score(definition, hash, outcome.unwrap_or(matched))
                })
                .collect(),
        )
    }
}

/// What became of a score, and its value.
type ScoreStatusOf = (ScoreStatus, Option<f64>);

const fn is_predicate(provenance: Provenance) -> bool {
    match provenance {
        Provenance::Step | Provenance::Case | Provenance::Suite => true,
        Provenance::Route | Provenance::BuiltIn | Provenance::Judge => false,
    }
}

const fn of_check(outcome: CheckOutcome) -> ScoreStatusOf {
    match outcome {
        CheckOutcome::Passed => (ScoreStatus::Scored, Some(1.0)),
        CheckOutcome::Failed => (ScoreStatus::Scored, Some(0.0)),
        CheckOutcome::Error => (ScoreStatus::Error, None),
        CheckOutcome::NotMeasured => (ScoreStatus::Skipped, None),
    }
}

/// The matcher's rows together: it fails when one of them does, and compared nothing when no row was measured.
fn of_matcher(trial: &SideTrial) -> ScoreStatusOf {
    let mut route = trial.checks.iter().filter(|check| check.provenance == Provenance::Route);
    if route.clone().any(|row| row.outcome == CheckOutcome::Failed) {
        (ScoreStatus::Scored, Some(0.0))
    } else if route.any(|row| row.outcome == CheckOutcome::Passed) {
        (ScoreStatus::Scored, Some(1.0))
    } else {
        (ScoreStatus::NotApplicable, None)
    }
}

/// What the judge said. A judge that is owed, or was left out, is skipped.
fn of_judge(trial: &SideTrial) -> ScoreStatusOf {
    match trial.judge {
        Some((JudgeStatus::Scored, value)) => (ScoreStatus::Scored, value),
        Some((JudgeStatus::Error, _)) => (ScoreStatus::Error, None),
        Some((JudgeStatus::NotApplicable, _)) => (ScoreStatus::NotApplicable, None),
        Some((JudgeStatus::Skipped | JudgeStatus::Pending, _)) | None => {
            (ScoreStatus::Skipped, None)
        }
    }
}

fn score(definition: &ScoreDefinition, hash: &str, (status, value): ScoreStatusOf) -> GateScore {
    GateScore {
        scorer_id: definition.scorer_id.clone(),
        definition_hash: hash.to_owned(),
        status,
        value,
        passed: value.map(|value| value >= definition.pass_threshold),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn checks() -> [Value; 2] {
        [
            json!({ "type": "responseContains", "needle": "a" }),
            json!({ "type": "toolCalledAtLeastOnce", "toolName": "t", "role": "advisory" }),
        ]
    }

    fn config() -> EvaluationConfig {
        let [first, second] = checks();
        let source = |authored, kind, role| CheckSource { kind, authored, role };
        case_scorers(
            &[ToolCall::new("t", json!({}))],
            false,
            [
                source(&first, PredicateKind::ResponseContains, EffectiveRole::Gating),
                source(&second, PredicateKind::ToolCalledAtLeastOnce, EffectiveRole::Advisory),
            ],
        )
    }

    fn trial(checks: &[(&str, Provenance, CheckOutcome)]) -> SideTrial {
        let check = |(check, provenance, outcome): &(&str, Provenance, CheckOutcome)| {
            super::super::side::SideCheck {
                check: (*check).to_owned(),
                provenance: *provenance,
                outcome: *outcome,
            }
        };
        SideTrial {
            case_id: "c".into(),
            iteration_number: 1,
            status: howfar_wire::vocabulary::IterationStatus::Completed,
            evaluator_error: false,
            task_verdict: None,
            states: Vec::new(),
            first_failed_stage: None,
            failure_category: None,
            checks: checks.iter().map(check).collect(),
            judge: None,
            failure: None,
            duration_ms: 1.0,
            tokens: None,
            cost_usd: None,
        }
    }

    #[test]
    fn the_matcher_stands_before_the_checks() {
        let ids: Vec<String> =
            config().definitions.into_iter().map(|definition| definition.scorer_id).collect();
        assert_eq!(
            ids,
            ["tool-match", "predicate:responseContains#0", "predicate:toolCalledAtLeastOnce#1"]
        );
    }

    #[test]
    fn rows_join_their_definitions_by_link_and_place() {
        let config = config();
        let scorers = CaseScorers::new(&config);
        let scores = scorers.scores(&trial(&[
            ("toolCalls:match", Provenance::Route, CheckOutcome::Failed),
            ("toolCalledAtLeastOnce", Provenance::Case, CheckOutcome::Error),
            ("responseContains", Provenance::Case, CheckOutcome::Passed),
        ]));
        let shown: Vec<_> =
            scores.expect("they fit").iter().map(|it| (it.status, it.passed)).collect();
        assert_eq!(
            shown,
            [
                (ScoreStatus::Scored, Some(false)),
                (ScoreStatus::Scored, Some(true)),
                (ScoreStatus::Error, None),
            ]
        );
    }

    #[test]
    fn rows_of_other_checks_are_quarantined() {
        let config = config();
        let row = ("responseContains", Provenance::Case, CheckOutcome::Passed);
        assert_eq!(CaseScorers::new(&config).scores(&trial(&[row])), None);
        assert_eq!(CaseScorers::new(&config).scores(&trial(&[row, row])), None);
    }
}
