//! Where the chain broke: the funnel, the cases by link, and the trials of every lane.

use askama::Template;
use howfar_wire::report::{RunReport, TrialReport};
use howfar_wire::vocabulary::{IterationStatus, Stage, StageState, Vocabulary as _};

use super::matrix::Matrix;
use crate::html;
use crate::html::anchor;
use crate::html::component::FunnelChart;
use crate::text::{count, trial_list};

/// How many cases a lane lists.
const CASES: usize = 60;

/// The section.
#[derive(Template)]
#[template(path = "section/broke.html")]
pub(in crate::html) struct Broke<'a> {
    funnel: Option<FunnelChart>,
    setup: Vec<String>,
    matrix: Matrix<'a>,
    lanes: Vec<Lane<'a>>,
    excluded: Vec<Entry<'a>>,
}

/// The trials whose row at a link has one state.
struct Lane<'a> {
    anchor: String,
    stage: Stage,
    state: StageState,
    trials: String,
    entries: Vec<Entry<'a>>,
    more: usize,
}

/// Trials of one case.
struct Entry<'a> {
    case: &'a str,
    anchor: String,
    trials: String,
}

impl<'a> Broke<'a> {
    pub(in crate::html) fn new(report: &'a RunReport) -> Self {
        let lanes = Stage::ALL.iter().flat_map(|&stage| {
            StageState::ALL.iter().filter_map(move |&state| lane(report, stage, state))
        });
        Self {
            funnel: report.analytics.as_ref().and_then(FunnelChart::new),
            setup: setup(report),
            matrix: Matrix::new(report),
            lanes: lanes.collect(),
            excluded: entries(report, &|trial| !is_included(trial)),
        }
    }
}

/// The setup phases that failed, in words.
fn setup(report: &RunReport) -> Vec<String> {
    let phases = report.analytics.iter().flat_map(|analytics| &analytics.setup);
    let failed = phases.filter(|phase| phase.failed_attempts > 0);
    let words = failed.map(|phase| {
        let side = match phase.server_attributed_failures {
            0 => "",
            1.. => ", on the server's side",
        };
        format!(
            "{} failed{side} · {} affected",
            phase.phase.label(),
            count(phase.impacted_trials, "trial")
        )
    });
    words.collect()
}

fn lane(report: &RunReport, stage: Stage, state: StageState) -> Option<Lane<'_>> {
    let at = |trial: &TrialReport| {
        let row = trial.stage_results.iter().find(|row| row.stage == stage);
        is_included(trial) && row.is_some_and(|row| row.state == state)
    };
    let cases = report.cases.iter().map(|case| &case.details.iterations);
    let trials = cases.flatten().filter(|trial| at(trial)).count() as u64;
    let mut entries = entries(report, &at);
    let more = entries.len().saturating_sub(CASES);
    entries.truncate(CASES);
    (trials > 0).then(|| Lane {
        anchor: anchor::lane(stage, state),
        stage,
        state,
        trials: count(trials, "trial"),
        entries,
        more,
    })
}

/// The trials that hold something, case by case; a link leads to the first of them.
fn entries<'a>(report: &'a RunReport, holds: &dyn Fn(&TrialReport) -> bool) -> Vec<Entry<'a>> {
    let entry = |case: &'a howfar_wire::report::CaseReport| {
        let trials = case.details.iterations.iter().filter(|trial| holds(trial));
        let numbers: Vec<u32> = trials.map(|trial| trial.iteration_number).collect();
        numbers.first().map(|&first| Entry {
            case: &case.id,
            anchor: anchor::trial(&case.id, first),
            trials: trial_list(&numbers),
        })
    };
    report.cases.iter().filter_map(entry).collect()
}

/// Whether a trial ended so that its chain is counted (run-documents, section 7.2, rules 1 and 2).
const fn is_included(trial: &TrialReport) -> bool {
    match trial.status {
        IterationStatus::Completed | IterationStatus::Failed => !trial.evaluator_error,
        IterationStatus::Pending
        | IterationStatus::Running
        | IterationStatus::Cancelled
        | IterationStatus::TimedOut
        | IterationStatus::SetupFailed
        | IterationStatus::Skipped => false,
    }
}
