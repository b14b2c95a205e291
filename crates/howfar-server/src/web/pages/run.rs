//! The page of one run, in the order of every page: what was decided, how much was measured, where the chain broke, the
//! evidence, who should look next (look, "The order of a page").

mod case_row;
mod decided;
mod measured;
mod owners;

use askama::Template;
use howfar_report::html::component::{FunnelChart, ServerList, VerdictMark};
use howfar_report::html::{mark_of, units};
use howfar_report::words::count;
use howfar_wire::analytics::StageAnalytics;
use howfar_wire::api::{CasePage, RunHead};
use howfar_wire::vocabulary::{RunState, Stage, StageState, TaskVerdict, Vocabulary as _};
use jiff::tz::TimeZone;

use self::case_row::Row;
pub(super) use self::case_row::graded;
use self::decided::Stop;
use self::owners::Owner;
use super::frame::{Frame, Part};
use super::link;
use super::part::{Pager, Term, When, called};

/// The page.
#[derive(Template)]
#[template(path = "run.html")]
pub(super) struct RunPage<'a> {
    frame: Frame,
    head: &'a RunHead,
    name: &'a str,
    verdict: VerdictMark,
    counts: String,
    sentences: Vec<String>,
    /// The address of the live events; absent for a run that is not running.
    live: Option<String>,
    state: Term,
    stops: Vec<Stop>,
    when: When,
    duration: String,
    tiles: [(String, &'static str); 4],
    partial: Option<&'static str>,
    /// Statuses of trials that were not graded: words, trials, where they are listed.
    excluded: Vec<(Term, String, String)>,
    floors: Vec<String>,
    skipped: Option<String>,
    funnel: Option<FunnelChart>,
    no_funnel: String,
    cases_in_all: String,
    rows: Vec<Row>,
    stages: Vec<Term>,
    /// Class, mark and words of every state.
    legend: Vec<(&'static str, &'static str, &'static str)>,
    pager: Pager,
    trials_href: String,
    failed_href: Option<String>,
    servers: ServerList<'a>,
    json_href: String,
    owners: Vec<Owner>,
    nobody: &'static str,
    base_href: Option<String>,
    issues: Vec<(Term, String)>,
    settings: Vec<(&'static str, String)>,
}

/// What the page of a run is made from.
pub(super) struct RunParts<'a> {
    /// What is known of the run.
    pub(super) head: &'a RunHead,
    /// Its analytics; absent as long as there are none.
    pub(super) analytics: Option<&'a StageAnalytics>,
    /// Why there are none; absent when there are.
    pub(super) no_analytics: Option<String>,
    /// The cases of the page.
    pub(super) cases: &'a CasePage,
    /// The next older run of the suite.
    pub(super) older: Option<&'a str>,
}

impl<'a> RunPage<'a> {
    /// The page of a run.
    pub(super) fn new(parts: &RunParts<'a>, pager: Pager, zone: &TimeZone) -> Self {
        let head = parts.head;
        let run_id = &head.run.run_id;
        let name = called(&head.suite.name, &head.suite.id);
        let frame = Frame::new(format!("{name} · {}", head.run.verdict.label()), Part::Runs)
            .below("/".to_owned(), "Suites")
            .below(link::suite(&head.suite.id), name);
        let lane = |lane| link::lane(run_id, lane);
        let failed = head.trials.task_verdicts.get(TaskVerdict::Failed);
        Self {
            frame,
            name,
            verdict: VerdictMark { verdict: head.run.verdict },
            counts: decided::counts(head),
            sentences: decided::sentences(head),
            live: (head.run.state == RunState::Running).then(|| link::events(run_id)),
            state: Term::of(head.run.state),
            stops: decided::stops(head),
            when: When::new(&head.run.started_at, zone),
            duration: units::duration(head.duration_ms),
            tiles: measured::tiles(head),
            partial: measured::partial(head),
            excluded: measured::excluded(head),
            floors: measured::floors(head),
            skipped: measured::skipped(head),
            funnel: parts.analytics.and_then(|document| FunnelChart::linking(document, &lane)),
            no_funnel: parts
                .no_analytics
                .clone()
                .unwrap_or_else(|| "no trial was included".to_owned()),
            cases_in_all: count(parts.cases.total_cases, "case"),
            rows: parts.cases.cases.iter().map(|case| Row::new(run_id, case)).collect(),
            stages: Stage::ALL.iter().map(|&stage| Term::of(stage)).collect(),
            legend: legend(),
            pager,
            trials_href: link::trials(run_id),
            failed_href: (failed > 0).then(|| link::graded(run_id, TaskVerdict::Failed)),
            servers: ServerList::new(&head.execution.servers),
            json_href: link::api_run(run_id),
            owners: owners::owners(head),
            nobody: owners::nobody(head),
            base_href: parts.older.map(|base| link::compare(run_id, base)),
            issues: head.issues.iter().map(measured::issue).collect(),
            settings: measured::settings(head),
            head,
        }
    }
}

/// The five states with their marks.
fn legend() -> Vec<(&'static str, &'static str, &'static str)> {
    let entry = |state: &StageState| (state.as_str(), mark_of(state), state.label());
    StageState::ALL.iter().map(entry).collect()
}
