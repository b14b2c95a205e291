//! From an ended trial to its evidence document, its chain and its scorecard.
//!
//! Grading is pure and runs after the trial's clock was disarmed: the matcher per turn, the checks of the case over the
//! whole transcript, then the derivation over what all of them found.

mod evidence;
mod route;
mod scorecard;

use howfar_core::chain::derive_stages;
use howfar_wire::chain::StageDerivation;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::predicate::PredicateRow;
use howfar_wire::scorecard::Scorecard;
use howfar_wire::vocabulary::{IterationStatus, TaskVerdict};

use crate::case::PlannedCase;
use crate::environment::Environment;
use crate::redact::Redactor;
use crate::run::RunIdentity;
use crate::trial::EndedTrial;
use route::Route;

/// A trial with everything that is known about it.
pub struct GradedTrial {
    /// What it recorded: the only input of every derived document.
    pub evidence: TrialEvidence<'static>,
    /// Its chain.
    pub derivation: StageDerivation,
    /// Every check with its result.
    pub scorecard: Scorecard,
}

/// What grading needs besides the trial.
#[derive(Clone, Copy)]
pub(crate) struct GradeContext<'a> {
    pub(crate) identity: &'a RunIdentity,
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
pub(crate) fn grade(context: GradeContext<'_>, trial: EndedTrial) -> GradedTrial {
    let grades = grades(context, &trial);
    let gradeable = trial.status == IterationStatus::Completed;
    let evaluator_error = gradeable && grades.has_evaluator_error(context.case);
    let verdict = (gradeable && !evaluator_error).then(|| grades.verdict(context.case));
    let evidence = evidence::document(context, trial, &grades, verdict, evaluator_error);
    finish(context.case, evidence, &grades)
}

/// The document of a trial that never began, because the servers were not ready or the run stopped first.
pub(crate) fn not_begun(
    context: GradeContext<'_>,
    status: IterationStatus,
    setup_gap: Option<&str>,
) -> GradedTrial {
    let grades = Grades {
        route: Route::unmeasured(),
        rows: context.case.checks.iter().map(|_| None).collect(),
        argument_faults: Vec::new(),
    };
    let evidence = evidence::document_of_unbegun(context, status, setup_gap);
    finish(context.case, evidence, &grades)
}

fn finish(case: &PlannedCase, evidence: TrialEvidence<'static>, grades: &Grades) -> GradedTrial {
    // The evidence document is a superset of a derivation input; only its shape differs.
    let derivation = derive_stages(&evidence::stage_input(&evidence));
    let scorecard = scorecard::scorecard(case, grades, &derivation);
    GradedTrial { evidence, derivation, scorecard }
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
