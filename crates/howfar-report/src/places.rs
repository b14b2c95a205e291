//! Where the trials of a case broke first: a place, never a cause.

use std::fmt;

use howfar_wire::report::{CaseReport, TrialReport};
use howfar_wire::vocabulary::{Stage, TaskVerdict, Vocabulary as _};

use crate::text::trial_list;

/// A place where trials of one case broke first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The first failed link; absent when a required check did not hold and no link failed.
    pub(crate) stage: Option<Stage>,
    /// The place in words, with the next owner.
    pub(crate) words: String,
    /// The trials that broke there, from 1.
    pub(crate) trials: Vec<u32>,
}

/// "trials 1 and 3: first failed link Selection, because …; next: …".
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", trial_list(&self.trials), self.words)
    }
}

/// The places where failed trials of a case broke first, in the order in which trials reached them.
pub(crate) fn first_failed_places(case: &CaseReport) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for trial in case.details.iterations.iter().filter(|trial| is_broken(trial)) {
        let words = broke_at(trial);
        match places.iter_mut().find(|place| place.words == words) {
            Some(place) => place.trials.push(trial.iteration_number),
            None => places.push(Place {
                stage: trial.first_failed_stage,
                words,
                trials: vec![trial.iteration_number],
            }),
        }
    }
    places
}

/// Whether a trial failed or a link of it did; a trial that was not measured is neither.
fn is_broken(trial: &TrialReport) -> bool {
    trial.task_verdict == Some(TaskVerdict::Failed) || trial.first_failed_stage.is_some()
}

fn broke_at(trial: &TrialReport) -> String {
    let Some(stage) = trial.first_failed_stage else {
        return "a required check did not hold; no link failed".to_owned();
    };
    let row = trial.stage_results.iter().find(|row| row.stage == stage);
    let reason =
        row.and_then(|row| row.reason).map_or("no reason was recorded", |reason| reason.label());
    let owner = trial.failure_category.map(|category| format!("; next: {}", category.next_owner()));
    format!("first failed link {}, because {reason}{}", stage.label(), owner.unwrap_or_default())
}
