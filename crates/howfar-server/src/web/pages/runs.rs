//! The page of runs: all of them, or those of one suite or with one verdict, a page at a time.

use askama::Template;
use howfar_report::words::count;
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::{Verdict, Vocabulary as _};
use jiff::tz::TimeZone;

use super::frame::{Frame, Part};
use super::part::{Pager, RunTable};

/// The page.
#[derive(Template)]
#[template(path = "runs.html")]
pub(super) struct RunsPage {
    frame: Frame,
    total: String,
    /// Ids and names.
    suites: Vec<(String, String)>,
    suite: Option<String>,
    verdict: Option<Verdict>,
    is_empty: bool,
    table: RunTable,
    pager: Pager,
}

/// Which runs are shown.
pub(super) struct RunsFilter {
    /// Only runs of the suite with this declared id.
    pub(super) suite: Option<String>,
    /// Only runs with this verdict.
    pub(super) verdict: Option<Verdict>,
}

impl RunsPage {
    /// A page of `runs` out of `total`. `suites` are the ids and names to choose from.
    pub(super) fn new(
        runs: &[RunListRow],
        total: u64,
        filter: RunsFilter,
        suites: Vec<(String, String)>,
        pager: Pager,
        zone: &TimeZone,
    ) -> Self {
        Self {
            frame: Frame::new("Runs", Part::Runs),
            total: count(total, "run"),
            suites,
            suite: filter.suite,
            verdict: filter.verdict,
            is_empty: runs.is_empty(),
            table: RunTable::of_suites(runs, zone),
            pager,
        }
    }
}
