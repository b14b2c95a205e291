//! The first page: the suites of which runs are stored, each with its last verdict and the verdicts before it.

use askama::Template;
use howfar_report::html::component::VerdictMark;
use howfar_report::html::units::wall_clock;
use howfar_report::words::count;
use howfar_wire::api::{SuiteList, SuiteRow};
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::{RunState, Vocabulary as _};
use jiff::tz::TimeZone;

use super::frame::{Frame, Part};
use super::link;
use super::part::{Pager, Term, When, called, counts_of};

/// The page.
#[derive(Template)]
#[template(path = "home.html")]
pub(super) struct HomePage {
    frame: Frame,
    rows: Vec<Row>,
    pager: Pager,
    store: String,
}

struct Row {
    href: String,
    name: String,
    id: String,
    runs: String,
    verdict: VerdictMark,
    open: Option<Term>,
    counts: String,
    run_href: String,
    when: When,
    /// Oldest first.
    recent: Vec<Recent>,
}

/// One run of the small series.
struct Recent {
    href: String,
    class: &'static str,
    mark: &'static str,
    words: String,
}

impl HomePage {
    /// The page of a list of suites, each with its newest runs, newest first. `store` says where they are stored.
    pub(super) fn new(
        list: &SuiteList,
        recent: &[Vec<RunListRow>],
        pager: Pager,
        store: String,
        zone: &TimeZone,
    ) -> Self {
        let rows = list.suites.iter().zip(recent).map(|(suite, runs)| Row::new(suite, runs, zone));
        Self { frame: Frame::new("Suites", Part::Suites), rows: rows.collect(), pager, store }
    }
}

impl Row {
    fn new(suite: &SuiteRow, recent: &[RunListRow], zone: &TimeZone) -> Self {
        let last = &suite.last_run;
        Self {
            href: link::suite(&suite.suite_id),
            name: called(&suite.suite_name, &suite.suite_id).to_owned(),
            id: suite.suite_id.clone(),
            runs: format!("{} stored", count(suite.runs, "run")),
            verdict: VerdictMark { verdict: last.verdict },
            open: (last.state != RunState::Ended).then(|| Term::of(last.state)),
            counts: counts_of(last),
            run_href: link::run(&last.run_id),
            when: When::new(&last.started_at, zone),
            recent: recent.iter().rev().map(|run| Recent::new(run, zone)).collect(),
        }
    }
}

impl Recent {
    fn new(run: &RunListRow, zone: &TimeZone) -> Self {
        Self {
            href: link::run(&run.run_id),
            class: run.verdict.as_str(),
            mark: VerdictMark { verdict: run.verdict }.mark(),
            words: format!("{}, {}", run.verdict.label(), wall_clock(&run.started_at, zone)),
        }
    }
}
