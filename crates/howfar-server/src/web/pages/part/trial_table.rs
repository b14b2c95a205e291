//! Stored trials, one line each.

use askama::Template;
use howfar_report::html::component::MiniChain;
use howfar_report::html::units;
use howfar_wire::api::{IterationRow, LinkState};
use howfar_wire::vocabulary::{IterationStatus, StageState, TaskVerdict, Vocabulary as _};

use super::Term;
use crate::web::pages::link;

/// A table of trials in the order of the run.
#[derive(Debug, Template)]
#[template(path = "part/trial_table.html")]
pub(in crate::web::pages) struct TrialTable {
    rows: Vec<Row>,
    /// Whether the case of each trial is named.
    names_cases: bool,
}

#[derive(Debug)]
struct Row {
    href: String,
    number: u32,
    case_href: String,
    case_id: String,
    /// Absent when no chain is stored.
    chain: Option<MiniChain>,
    class: &'static str,
    mark: &'static str,
    graded: &'static str,
    first_failed: Option<Term>,
    category: Option<Term>,
    duration: String,
}

impl TrialTable {
    /// Trials of one case, which the page names.
    pub(in crate::web::pages) fn of_case(run_id: &str, trials: &[IterationRow]) -> Self {
        let rows = trials.iter().map(|trial| Row::new(run_id, trial)).collect();
        Self { rows, names_cases: false }
    }

    /// Trials of several cases.
    pub(in crate::web::pages) fn of_cases(run_id: &str, trials: &[IterationRow]) -> Self {
        let rows = trials.iter().map(|trial| Row::new(run_id, trial)).collect();
        Self { rows, names_cases: true }
    }
}

impl Row {
    fn new(run_id: &str, trial: &IterationRow) -> Self {
        let (class, mark, graded) = graded(trial);
        Self {
            href: link::trial(run_id, &trial.case_id, trial.iteration_number),
            number: trial.iteration_number,
            case_href: link::case(run_id, &trial.case_id),
            case_id: trial.case_id.clone(),
            chain: trial.links.as_deref().and_then(chain),
            class,
            mark,
            graded,
            first_failed: trial.first_failed_stage.map(Term::of),
            category: trial.failure_category.map(Term::of),
            duration: units::duration(trial.duration_ms),
        }
    }
}

/// The six states of a chain.
fn chain(links: &[LinkState]) -> Option<MiniChain> {
    let states: Vec<StageState> = links.iter().map(|link| link.state).collect();
    let states: [StageState; 6] = states.try_into().ok()?;
    Some(MiniChain::of_states(&states))
}

/// Class, mark and words of what grading decided; of a trial that cannot be graded, why.
fn graded(trial: &IterationRow) -> (&'static str, &'static str, &'static str) {
    match (trial.status, trial.task_verdict) {
        (IterationStatus::Completed, Some(TaskVerdict::Passed)) => ("passed", "✓", "passed"),
        (IterationStatus::Completed, Some(TaskVerdict::Failed)) => ("failed", "✗", "failed"),
        (IterationStatus::Completed, None) => ("unmeasurable", "?", "could not be graded"),
        (status, _) => ("unmeasurable", "?", status.label()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(status: IterationStatus, task_verdict: Option<TaskVerdict>) -> String {
        let trial = IterationRow {
            case_id: "<c>".to_owned(),
            iteration_number: 2,
            status,
            task_verdict,
            links: None,
            first_failed_stage: None,
            failure_category: None,
            duration_ms: 3.0,
        };
        TrialTable::of_cases("r", &[trial]).to_string()
    }

    #[test]
    fn a_trial_that_could_not_be_graded_is_neither_passed_nor_failed() {
        let shown = row(IterationStatus::Completed, None);
        assert!(shown.contains("could not be graded"), "{shown}");
        assert!(!shown.contains("mark passed") && !shown.contains("mark failed"), "{shown}");
        assert!(row(IterationStatus::TimedOut, None).contains("timed out"));
    }

    #[test]
    fn ids_are_text_and_parts_of_addresses() {
        let shown = row(IterationStatus::Completed, Some(TaskVerdict::Passed));
        assert!(shown.contains("/runs/r/cases/%3Cc%3E/trials/2") && shown.contains("&#60;c&#62;"));
        assert!(shown.contains("no chain is stored"), "{shown}");
    }
}
