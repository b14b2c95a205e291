//! What holds of every decision and every analytics document, whatever the trials: the numbers add up.

use howfar_wire::analytics::{AnalyticsTrial, StageAnalytics};
use howfar_wire::vocabulary::{ExclusionClass, Stage, Vocabulary as _};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::analytics::{stage_analytics, validate_analytics};
use super::measurement::{derive_measurements, disagreements};
use super::verdict::{decide_document, validate_decision};

const STATUSES: [&str; 9] = [
    "pending",
    "running",
    "completed",
    "completed",
    "failed",
    "cancelled",
    "timed_out",
    "setup_failed",
    "skipped",
];

proptest! {
    #[test]
    fn every_decision_holds_up(input in verdict_input()) {
        let decision = decide_document(&input).expect("a generated input is decided");
        let document = json!(decision);
        prop_assert!(validate_decision(&document).is_ok(), "{document}");
        for case in &decision.cases {
            let ungraded = case.pass_rate.exclusions.total();
            prop_assert_eq!(case.eligible_trials + ungraded, case.configured_trials);
            let unattempted = case.completion_rate.exclusions.total();
            prop_assert_eq!(case.attempted_trials + unattempted, case.configured_trials);
        }
    }

    #[test]
    fn every_analytics_document_holds_up(trials in trials()) {
        let document = json!(analytics(&trials));
        prop_assert!(validate_analytics(&document).is_ok(), "{document}");
    }

    #[test]
    fn every_trial_is_counted_or_excluded_in_each_of_its_slices(trials in trials()) {
        let document = analytics(&trials);
        let excluded = document.excluded_trials.total();
        prop_assert_eq!(document.included_trials + excluded, document.total_trials);
        prop_assert_eq!(document.excluded_trial_detail.total(), excluded);
        let by_intent = document.slices.iter().skip(1);
        let sum: u64 = by_intent.map(|row| row.included_trials + row.excluded_trials.total()).sum();
        prop_assert_eq!(sum, document.total_trials);
    }

    #[test]
    fn what_leaves_a_stage_is_said_where_it_leaves(trials in trials()) {
        for tally in analytics(&trials).slices.iter().flat_map(|row| &row.stages) {
            prop_assert_eq!(tally.excluded.get(ExclusionClass::NotApplicable), tally.not_applicable);
            prop_assert_eq!(tally.excluded.get(ExclusionClass::ReachUnknown), tally.reach_unknown);
            prop_assert_eq!(tally.excluded.get(ExclusionClass::NotMeasured), tally.not_measured);
        }
    }

    #[test]
    fn derived_measurements_agree_with_their_chain(rows in rows()) {
        let rows: Vec<_> = rows.iter().map(typed).collect();
        prop_assert_eq!(disagreements(&derive_measurements(&rows, Some(12), &[]), &rows, 12), []);
    }
}

fn analytics(trials: &[AnalyticsTrial]) -> StageAnalytics {
    let run = typed(&json!({
        "runId": "r",
        "suiteId": "s",
        "materializationState": "final",
        "now": 1,
        "readerStageAnalyzerVersion": 12,
    }));
    stage_analytics(&run, trials, &[])
}

fn typed<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("a generated value has its type")
}

fn status() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&STATUSES[..])
}

fn verdict_input() -> impl Strategy<Value = Value> {
    let fraction = || prop::sample::select(&[0.0, 0.1, 0.5, 0.8, 1.0][..]);
    let verdict = prop::sample::select(&["passed", "failed"][..]);
    let trial = (status(), verdict, any::<bool>()).prop_map(|(status, verdict, broke)| {
        json!({"status": status, "taskVerdict": verdict, "evaluatorError": broke})
    });
    let case = (prop::collection::vec(trial, 0..5), 0..3_usize, fraction());
    let floor = prop::option::of(1..6_u64);
    (prop::collection::vec(case, 1..5), floor, fraction(), fraction()).prop_map(
        |(cases, floor, completion, errors)| {
            let case =
                |(at, (trials, unreported, threshold)): (usize, &(Vec<Value>, usize, f64))| {
                    json!({
                        "caseId": format!("c{at}"),
                        "configuredTrials": (trials.len() + unreported).max(1),
                        "effectivePassThreshold": threshold,
                        "trials": trials,
                    })
                };
            let coverage = floor.map_or_else(
                || json!({"kind": "allConfiguredTrialsAttempted", "minGradeableTrials": 1}),
                |floor| json!({"kind": "minEligibleTrials", "minEligibleTrials": floor}),
            );
            json!({
                "policy": {
                    "coverage": coverage,
                    "minCompletionRate": completion,
                    "maxEvaluatorErrorRate": errors,
                },
                "cases": cases.iter().enumerate().map(case).collect::<Vec<_>>(),
            })
        },
    )
}

fn rows() -> impl Strategy<Value = Vec<Value>> {
    let states = ["passed", "failed", "notReached", "notMeasured", "notApplicable"];
    let state = prop::sample::select(states.to_vec());
    prop::collection::vec(state, Stage::ALL.len()).prop_map(|states| {
        let row = |(stage, state): (&Stage, &str)| json!({"stage": stage, "state": state});
        Stage::ALL.iter().zip(states).map(row).collect()
    })
}

fn trials() -> impl Strategy<Value = Vec<AnalyticsTrial>> {
    let intent = prop::option::of(prop::sample::select(&["a", " a ", "b", ""][..]));
    let trial = (status(), rows(), any::<[bool; 3]>(), intent).prop_map(
        |(status, rows, [errored, verified, measured], intent)| {
            let chain: Vec<_> = rows.iter().map(typed).collect();
            let measurements = json!(derive_measurements(&chain, Some(12), &[]));
            let mut trial = json!({
                "trialKey": "t",
                "status": status,
                "evaluatorErrored": errored && verified,
                "stageResults": rows,
                "stageAnalyzerVersion": 12,
                "chainVerified": verified,
                "measurementsVerified": true,
                "intent": intent,
            });
            if measured {
                trial["measurements"] = measurements;
            }
            typed(&trial)
        },
    );
    prop::collection::vec(trial, 0..8)
}
