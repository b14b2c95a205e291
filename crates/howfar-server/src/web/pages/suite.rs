//! The page of one suite: its last verdict, its runs as a series, its runs as a list.

use askama::Template;
use howfar_report::html::component::VerdictMark;
use howfar_report::words::count;
use howfar_wire::api::SuiteTrend;
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::Vocabulary as _;
use jiff::tz::TimeZone;

use super::frame::{Frame, Part};
use super::link;
use super::part::{Pager, RunTable, When, called, counts_of};
use super::trend::Trend;

/// The page.
#[derive(Template)]
#[template(path = "suite.html")]
pub(super) struct SuitePage {
    frame: Frame,
    name: String,
    id: String,
    verdict: VerdictMark,
    counts: String,
    last_href: String,
    when: When,
    trend: Trend,
    total: String,
    table: RunTable,
    pager: Pager,
    compare: Option<String>,
}

impl SuitePage {
    /// The page of a suite whose newest run is `newest`; `trend` is the part of its runs that is shown.
    pub(super) fn new(
        trend: &SuiteTrend,
        newest: &RunListRow,
        pager: Pager,
        zone: &TimeZone,
    ) -> Self {
        let name = called(&trend.suite_name, &trend.suite_id);
        let runs: Vec<&RunListRow> = trend.points.iter().map(|point| &point.run).collect();
        let compare = match runs.as_slice() {
            [run, base, ..] => Some(link::compare(&run.run_id, &base.run_id)),
            [] | [_] => None,
        };
        Self {
            frame: Frame::new(name, Part::Suites).below("/".to_owned(), "Suites"),
            name: name.to_owned(),
            id: trend.suite_id.clone(),
            verdict: VerdictMark { verdict: newest.verdict },
            counts: counts_of(newest),
            last_href: link::run(&newest.run_id),
            when: When::new(&newest.started_at, zone),
            trend: Trend::new(trend, zone),
            total: count(trend.total_runs, "run"),
            table: RunTable::of_suite(&runs, zone),
            pager,
            compare,
        }
    }
}
