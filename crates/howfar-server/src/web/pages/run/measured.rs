//! How much of a run was measured, and how it was made.

use howfar_report::html::units;
use howfar_report::words::{clip, count, percent};
use howfar_wire::api::RunHead;
use howfar_wire::rate::Rate;
use howfar_wire::report::Issue;
use howfar_wire::vocabulary::{
    IterationStatus, RunState, TaskVerdict, Termination, TrialExclusionReason,
    VerdictDecisionReason, Vocabulary as _,
};

use crate::web::pages::link;
use crate::web::pages::part::Term;

/// Number and words, from configured to passed.
pub(super) fn tiles(head: &RunHead) -> [(String, &'static str); 4] {
    let graded = &head.trials.task_verdicts;
    [
        (units::grouped(head.population.configured_iterations), "trials configured"),
        (units::grouped(head.population.executed_iterations), "trials executed"),
        (units::grouped(graded.total()), "trials gradeable"),
        (units::grouped(graded.get(TaskVerdict::Passed)), "gradeable trials passed"),
    ]
}

/// Why the counts describe a sample; `None` for a run that is complete.
pub(super) fn partial(head: &RunHead) -> Option<&'static str> {
    match (head.run.state, head.complete) {
        (RunState::Running, _) => Some("the run goes on"),
        (RunState::CutOff, _) => Some("the run was cut off"),
        (RunState::Ended, Some(true)) => None,
        (RunState::Ended, _) => {
            Some(head.run.termination.map_or("the run is not complete", Termination::label))
        }
    }
}

/// The trials that were not graded, by whether they ran.
pub(super) fn excluded(head: &RunHead) -> Vec<(Term, String, String)> {
    let graded = head.trials.task_verdicts.total();
    let row = |status: IterationStatus, trials: u64| {
        let href = link::status(&head.run.run_id, status);
        (Term::of(status), count(trials, "trial"), href)
    };
    let broke = head.trials.statuses.get(IterationStatus::Completed).saturating_sub(graded);
    let others = head.trials.statuses.iter().filter(|(status, _)| {
        // What completed is graded, or its grader broke.
        *status != IterationStatus::Completed
    });
    let mut rows: Vec<_> = others.map(|(status, trials)| row(status, trials)).collect();
    if broke > 0 {
        let term = Term::of(TrialExclusionReason::EvaluatorError);
        let href = link::status(&head.run.run_id, IterationStatus::Completed);
        rows.push((term, count(broke, "trial"), href));
    }
    rows
}

/// Floors of the policy that the run missed, with what was measured.
pub(super) fn floors(head: &RunHead) -> Vec<String> {
    let Some(decision) = &head.decision else { return Vec::new() };
    let validity = &decision.validity;
    let mut lines = Vec::new();
    for reason in &decision.reasons {
        match reason {
            VerdictDecisionReason::CompletionRateBelowMinimum
            | VerdictDecisionReason::CompletionRateNotMeasured => {
                let floor = percent(validity.policy.min_completion_rate);
                lines.push(format!(
                    "{} · needs {floor}",
                    rate(&validity.completion_rate, "completed")
                ));
            }
            VerdictDecisionReason::EvaluatorErrorRateAboveMaximum
            | VerdictDecisionReason::EvaluatorErrorRateNotMeasured => {
                let most = percent(validity.policy.max_evaluator_error_rate);
                let rate = rate(&validity.evaluator_error_rate, "could not be graded");
                lines.push(format!("{rate} · at most {most}"));
            }
            VerdictDecisionReason::ConfiguredTrialsNotAttempted
            | VerdictDecisionReason::NoGradeableTrials
            | VerdictDecisionReason::EligibleTrialsBelowMinimum
            | VerdictDecisionReason::CaseHasNoEligibleTrials
            | VerdictDecisionReason::CasePassRateMetThreshold
            | VerdictDecisionReason::CasePassRateBelowThreshold
            | VerdictDecisionReason::AllMeasuredCasesMetThreshold => {}
        }
    }
    lines
}

fn rate(rate: &Rate<TrialExclusionReason>, what: &str) -> String {
    match rate.value {
        None => format!("{what}: not measured, no trial was attempted"),
        Some(value) => {
            let among = count(rate.denominator, "attempted trial");
            format!("{} of {among} {what} ({})", rate.numerator, percent(value))
        }
    }
}

/// The cases of the file that the run did not select.
pub(super) fn skipped(head: &RunHead) -> Option<String> {
    let skipped = &head.selection.skipped;
    let ids: Vec<&str> = skipped.iter().map(|case| case.case_id.as_str()).collect();
    (!ids.is_empty()).then(|| {
        format!(
            "{} of the file did not run: {}",
            count(ids.len() as u64, "case"),
            clip(&ids.join(", "), 400)
        )
    })
}

/// An issue: its kind, and what it says about what.
pub(super) fn issue(issue: &Issue) -> (Term, String) {
    let mut about = Vec::new();
    about.extend(issue.server.as_ref().map(|server| format!("server {server}")));
    about.extend(issue.case_id.as_ref().map(|case| format!("case {case}")));
    about.extend(issue.iteration_number.map(|number| format!("trial {number}")));
    let about = if about.is_empty() { String::new() } else { format!("{}: ", about.join(", ")) };
    (Term::of(issue.code), format!("{about}{}", clip(&issue.message, 600)))
}

/// How the run was made.
pub(super) fn settings(head: &RunHead) -> Vec<(&'static str, String)> {
    let settings = &head.execution.settings;
    let milliseconds = |ms: u64| units::duration(ms as f64);
    let suite = &head.suite;
    vec![
        ("suite file", format!("dialect {} · sha256 {}", suite.schema_version, suite.source_hash)),
        ("howfar", head.execution.sdk_version.clone()),
        ("analyzer", format!("level {}", head.execution.evaluator_version)),
        ("concurrency", count(u64::from(settings.concurrency), "trial")),
        ("clock of a trial", milliseconds(settings.iteration_timeout_ms)),
        ("clock of a setup step", milliseconds(settings.setup_timeout_ms)),
        ("model steps per prompt", format!("at most {}", settings.max_steps)),
        ("system prompt", settings.system_prompt.clone()),
        (
            "temperature",
            settings.temperature.map_or("not sent".to_owned(), |value| value.to_string()),
        ),
    ]
}
