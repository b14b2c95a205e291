//! From an ended trial to its evidence document.
//!
//! Grading is pure and runs after the trial's clock was disarmed: the matcher per turn, then the checks of the case over
//! the whole transcript. What they found is evidence; everything else is derived from the document.

mod checks;
mod evidence;
mod route;

use howfar_wire::evidence::TrialEvidence;
use howfar_wire::predicate::PredicateRow;
use howfar_wire::verdict::VerdictPolicy;
use howfar_wire::vocabulary::{IterationStatus, TaskVerdict};

use crate::case::PlannedCase;
use crate::environment::Environment;
use crate::redact::Redactor;
use crate::run::RunIdentity;
use crate::trial::EndedTrial;
use route::Route;

/// What grading needs besides the trial.
#[derive(Clone, Copy)]
pub(crate) struct GradeContext<'a> {
    pub(crate) identity: &'a RunIdentity,
    /// The suite's validity floors.
    pub(crate) validity: VerdictPolicy,
    pub(crate) environment: &'a Environment,
    pub(crate) case: &'a PlannedCase,
    pub(crate) redactor: &'a Redactor,
    /// From 1.
    pub(crate) number: u32,
}

/// The results of every grader of one trial.
struct Grades {
    route: Route,
    /// One row per check of the case, in its order; `None` for a check that the trial never came to.
    rows: Vec<Option<PredicateRow>>,
    /// The rows that say that a call's arguments were not a JSON object.
    argument_faults: Vec<PredicateRow>,
}

/// Grades a trial that ran.
pub(crate) fn grade(context: GradeContext<'_>, trial: EndedTrial) -> TrialEvidence<'static> {
    let grades = grades(context, &trial);
    let gradeable = trial.status == IterationStatus::Completed;
    let evaluator_error = gradeable && grades.has_evaluator_error(context.case);
    let verdict = (gradeable && !evaluator_error).then(|| grades.verdict(context.case));
    evidence::document(context, trial, &grades, verdict, evaluator_error)
}

/// The document of a trial that never began, because the servers were not ready or the run stopped first.
pub(crate) fn not_begun(
    context: GradeContext<'_>,
    status: IterationStatus,
    setup_gap: Option<&str>,
) -> TrialEvidence<'static> {
    let grades = Grades {
        route: Route::unmeasured(),
        rows: context.case.checks.iter().map(|_| None).collect(),
        argument_faults: Vec::new(),
    };
    evidence::document_of_unbegun(context, &grades, status, setup_gap)
}

fn grades(context: GradeContext<'_>, trial: &EndedTrial) -> Grades {
    let case = context.case;
    let recording = &trial.recording;
    let mut rows: Vec<Option<PredicateRow>> = case.checks.iter().map(|_| None).collect();
    for step_row in &recording.step_rows {
        rows[step_row.check] = Some(step_row.row.clone());
    }
    // A partial transcript would make absence look like a fact.
    if trial.status == IterationStatus::Completed {
        for (row, check) in rows.iter_mut().zip(&case.checks) {
            if check.step.is_none() {
                *row = Some(check.evaluate(&recording.transcript, context.environment));
            }
        }
    }
    Grades {
        route: route::route(case, recording),
        rows,
        argument_faults: route::argument_faults(recording),
    }
}

impl Grades {
    /// Whether a required check could not be measured.
    fn has_evaluator_error(&self, case: &PlannedCase) -> bool {
        let rows = self.rows.iter().zip(&case.checks);
        rows.into_iter().any(|(row, check)| {
            check.is_required() && row.as_ref().is_none_or(PredicateRow::is_error)
        })
    }

    /// What grading decided; only asked when every required check was measured.
    fn verdict(&self, case: &PlannedCase) -> TaskVerdict {
        let required = self.rows.iter().zip(&case.checks).filter(|(_, check)| check.is_required());
        let checks_hold =
            required.into_iter().all(|(row, _)| row.as_ref().is_some_and(|row| row.passed));
        if self.route.holds() && self.argument_faults.is_empty() && checks_hold {
            TaskVerdict::Passed
        } else {
            TaskVerdict::Failed
        }
    }
}
