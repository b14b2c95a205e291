//! The gates of a stored run. Only a run that is complete and decided something is gated: an outage is no failure, and a
//! sample is no pass.

use howfar_wire::gate::{
    GateInput, GateIterations, GateOutcome, GatePolicy, GateReport, GateStatus, GateTotals,
    GateVerdict, RUN_GATE_KIND, RUN_GATE_SCHEMA_VERSION, RunGate,
};
use howfar_wire::score::ScoreDefinition;
use howfar_wire::vocabulary::{Verdict, Vocabulary as _};

use super::evaluate::evaluate_gates;
use super::input::percentile;
use super::verdicts::{VerdictRow, fold};
use crate::run::compare::{decided_trials, total_cost, total_tokens};
use crate::run::score::{definition_hash, evaluation_config};
use crate::run::scored::ScoredRun;
use crate::run::side::RunSide;

/// The gate that holds a run to its own verdict: what is asked when no other gate is.
const OWN_VERDICT: &str = "verdict";

/// What the gates of a stored run come to. A policy that asks for nothing holds the run to its own verdict.
pub fn gate_run(run: &RunSide, policy: &GatePolicy) -> GateReport {
    let report = evaluate_gates(&stored_gate_input(run), policy);
    let verdicts = match report.verdicts.is_empty() {
        true => vec![own_verdict(run)],
        false => report.verdicts.into_iter().map(|verdict| held_back(verdict, run)).collect(),
    };
    GateReport { outcome: fold(&verdicts), verdicts, ..report }
}

/// The gates of a stored run as one document.
pub fn run_gate(run: &RunSide, policy: &GatePolicy) -> RunGate {
    let gates = gate_run(run, policy);
    RunGate {
        schema_version: RUN_GATE_SCHEMA_VERSION,
        kind: RUN_GATE_KIND.to_owned(),
        run_id: run.record.run_id.clone(),
        suite_id: run.record.suite.id.clone(),
        passed: gates.outcome == GateOutcome::Passed,
        verdict: gates.outcome.run_verdict(),
        run_verdict: run.report.verdict,
        complete: run.report.metadata.complete,
        gates,
    }
}

/// What the gates of a stored run read. Iterations are the trials that were graded.
pub fn stored_gate_input(run: &RunSide) -> GateInput {
    let counts = decided_trials(run);
    let scored = ScoredRun::new(run);
    let definitions = merged_definitions(run);
    GateInput {
        iterations: GateIterations { total: counts.total, passed: counts.passed },
        evaluation_config: (!definitions.is_empty()).then(|| evaluation_config(definitions)),
        score_integrity: scored.integrity,
        scores: Some(scored.scores),
        totals: Some(GateTotals {
            tokens: total_tokens(run),
            e2e_p95_ms: p95_duration(run),
            cost: Some(total_cost(run)),
        }),
    }
}

/// The 95th percentile of the durations of all trials that ran, in milliseconds; `None` when none did.
pub(in crate::run) fn p95_duration(run: &RunSide) -> Option<f64> {
    let ran = run.trials.iter().filter(|trial| trial.ran());
    percentile(&ran.map(|trial| trial.duration_ms).collect::<Vec<_>>(), 95.0)
}

/// The definitions of all cases, each once, in the order in which they were first seen.
fn merged_definitions(run: &RunSide) -> Vec<ScoreDefinition> {
    let mut hashes = std::collections::HashSet::new();
    let configs = run.record.cases.iter().filter_map(|case| case.evaluation_config.as_ref());
    let definitions = configs.flat_map(|config| &config.definitions);
    definitions.filter(|definition| hashes.insert(definition_hash(definition))).cloned().collect()
}

/// The run's own verdict as a gate.
fn own_verdict(run: &RunSide) -> GateVerdict {
    let row = VerdictRow { gate: OWN_VERDICT, threshold: None };
    let words = run.report.verdict.label();
    match run.report.verdict {
        Verdict::Passed => row.row(GateStatus::Passed, words, None),
        Verdict::Failed => row.row(GateStatus::Failed, words, None),
        Verdict::Inconclusive | Verdict::NotEstablished => row.non_gateable(words),
    }
}

/// A gate that was decided over a run that decided nothing is not decided.
fn held_back(verdict: GateVerdict, run: &RunSide) -> GateVerdict {
    let is_complete = run.report.metadata.complete;
    let why = match run.report.verdict {
        Verdict::Passed | Verdict::Failed if is_complete => return verdict,
        Verdict::Inconclusive if is_complete => "the run is inconclusive: too little was measured",
        Verdict::Passed | Verdict::Failed | Verdict::Inconclusive | Verdict::NotEstablished => {
            "the run is not complete"
        }
    };
    match verdict.status {
        GateStatus::Passed | GateStatus::Failed => GateVerdict {
            status: GateStatus::NonGateable,
            message: why.to_owned(),
            observed: None,
            ..verdict
        },
        GateStatus::NonGateable | GateStatus::UsageError | GateStatus::Waived => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixture::Went::{Elsewhere, Unanswered, Well};
    use crate::run::fixture::run;

    fn at_least(rate: f64) -> GatePolicy {
        GatePolicy { minimum_pass_rate: Some(rate), ..GatePolicy::default() }
    }

    #[test]
    fn the_rate_counts_graded_trials() {
        let side = run("r", &[("c", &[Well, Well, Elsewhere, Well])]);
        assert_eq!(gate_run(&side, &at_least(0.75)).outcome, GateOutcome::Passed);
        let report = gate_run(&side, &at_least(0.8));
        assert_eq!(
            (report.outcome, report.verdicts[0].observed),
            (GateOutcome::Failed, Some(0.75))
        );
    }

    #[test]
    fn an_inconclusive_run_is_not_gated() {
        let side = run("r", &[("c", &[Well, Unanswered, Unanswered])]);
        let report = gate_run(&side, &at_least(0.5));
        assert_eq!(report.outcome, GateOutcome::Incomplete);
        assert_eq!(report.verdicts[0].status, GateStatus::NonGateable);
    }

    #[test]
    fn without_a_policy_the_run_answers_for_itself() {
        let gate = |trials: &[_]| gate_run(&run("r", &[("c", trials)]), &GatePolicy::default());
        assert_eq!(gate(&[Well]).outcome, GateOutcome::Passed);
        assert_eq!(gate(&[Elsewhere]).outcome, GateOutcome::Failed);
        assert_eq!(gate(&[Unanswered]).outcome, GateOutcome::Incomplete);
    }

    #[test]
    fn scorers_are_gated_by_their_own_id() {
        let side = run("r", &[("c", &[Well, Elsewhere])]);
        let policy = |id: &str| GatePolicy {
            minimum_scorer_pass_rate: [(id.to_owned(), 0.5)].into_iter().collect(),
            ..GatePolicy::default()
        };
        assert_eq!(gate_run(&side, &policy("tool-match")).outcome, GateOutcome::Passed);
        assert_eq!(gate_run(&side, &policy("nobody")).outcome, GateOutcome::UsageError);
    }
}
