//! The trials of a run that have something in common: a lane of the funnel, a first failed link, a bucket.

use askama::Template;
use howfar_report::words::count;
use howfar_wire::api::{IterationPage, RunHead};

use super::frame::{Frame, Part};
use super::link;
use super::part::{Pager, TrialTable, called};

/// The page.
#[derive(Template)]
#[template(path = "trials.html")]
pub(super) struct TrialsPage {
    frame: Frame,
    total: String,
    which: String,
    is_filtered: bool,
    all_href: String,
    is_empty: bool,
    table: TrialTable,
    pager: Pager,
}

impl TrialsPage {
    /// A page of the trials of a run. `which` says in words what they have in common; empty when all are listed.
    pub(super) fn new(
        head: &RunHead,
        trials: &IterationPage,
        which: &[String],
        pager: Pager,
    ) -> Self {
        let run_id = &head.run.run_id;
        let suite = called(&head.suite.name, &head.suite.id);
        Self {
            frame: Frame::new("Trials", Part::Runs)
                .below(link::suite(&head.suite.id), suite)
                .below(link::run(run_id), format!("run {run_id}")),
            total: count(trials.total_trials, "trial"),
            is_filtered: !which.is_empty(),
            which: match which {
                [] => "All stored trials of the run, in the order of its cases.".to_owned(),
                _ => format!("Only trials {}", which.join(" and ")),
            },
            all_href: link::trials(run_id),
            is_empty: trials.iterations.is_empty(),
            table: TrialTable::of_cases(run_id, &trials.iterations),
            pager,
        }
    }
}
