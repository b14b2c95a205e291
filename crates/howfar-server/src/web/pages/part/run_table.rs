//! Stored runs, one line each.

use askama::Template;
use howfar_report::html::component::VerdictMark;
use howfar_report::words::count;
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::RunState;
use jiff::tz::TimeZone;

use super::{Term, When, called};
use crate::web::pages::link;

/// A table of runs, newest first. Nothing is added up over runs.
#[derive(Debug, Template)]
#[template(path = "part/run_table.html")]
pub(in crate::web::pages) struct RunTable {
    rows: Vec<Row>,
    /// Whether the suite of each run is named.
    names_suites: bool,
}

#[derive(Debug)]
struct Row {
    href: String,
    id: String,
    suite_href: String,
    suite: String,
    when: When,
    verdict: VerdictMark,
    /// The state of a run that did not end.
    open: Option<Term>,
    counts: String,
}

impl RunTable {
    /// Runs of one suite, which the page names.
    pub(in crate::web::pages) fn of_suite(runs: &[&RunListRow], zone: &TimeZone) -> Self {
        Self { rows: runs.iter().map(|run| Row::new(run, zone)).collect(), names_suites: false }
    }

    /// Runs of several suites.
    pub(in crate::web::pages) fn of_suites(runs: &[RunListRow], zone: &TimeZone) -> Self {
        Self { rows: runs.iter().map(|run| Row::new(run, zone)).collect(), names_suites: true }
    }
}

impl Row {
    fn new(run: &RunListRow, zone: &TimeZone) -> Self {
        let suite = called(&run.suite_name, &run.suite_id);
        Self {
            href: link::run(&run.run_id),
            id: run.run_id.clone(),
            suite_href: link::suite(&run.suite_id),
            suite: suite.to_owned(),
            when: When::new(&run.started_at, zone),
            verdict: VerdictMark { verdict: run.verdict },
            open: (run.state != RunState::Ended).then(|| Term::of(run.state)),
            counts: counts_of(run),
        }
    }
}

/// "3 of 5 case variants passed · 1 failed", or how far a run without an end got.
pub(in crate::web::pages) fn counts_of(run: &RunListRow) -> String {
    let trials = count(run.configured_trials, "trial");
    match (run.state, run.cases_passed, run.cases_failed) {
        (RunState::Ended, Some(passed), Some(failed)) => {
            let passed = format!("{passed} of {} passed", count(run.cases, "case variant"));
            if failed > 0 { format!("{passed} · {failed} failed") } else { passed }
        }
        (RunState::Ended, _, _) => "no count was stored".to_owned(),
        (RunState::Running | RunState::CutOff, _, _) => {
            format!("{} of {trials} finished", run.stored_trials)
        }
    }
}
