//! The handlers: each asks for what its page shows.

mod asked;

use axum::extract::State;
use howfar_store::{RunId, RunQuery, Store};
use howfar_wire::api::DEFAULT_PAGE_ITEMS;
use howfar_wire::gate::GatePolicy;
use howfar_wire::record::RunListRow;

use self::asked::{CompareAsked, Place, RunsAsked, TrialsAsked};
use super::address::{Path, Query};
use super::answer::{Answer, PageError, page};
use super::case::CasePage;
use super::compare::{Asked, ComparePage, CompareStory};
use super::glossary::GlossaryPage;
use super::home::HomePage;
use super::link;
use super::part::{Pager, Pages, called};
use super::run::{RunPage, RunParts};
use super::runs::RunsPage;
use super::suite::SuitePage;
use super::trial::TrialPage;
use super::trials::TrialsPage;
use crate::read::{self, Paging, ReadError, TrialName};
use crate::web::App;

/// How many runs the small series of a suite has.
const RECENT: u32 = 12;

/// How many runs a choice offers.
const CHOICE: u32 = 100;

/// `/`
pub(super) async fn home(State(app): State<App>, Query(place): Query<Place>) -> Answer {
    let where_it_is = app.source().path().display().to_string();
    let zone = app.zone();
    let store = app.source().store().await?;
    let skip = place.skip()?;
    let list = read::suites(&store, &paging(skip)).await?;
    let mut recent = Vec::with_capacity(list.suites.len());
    for suite in &list.suites {
        recent.push(newest(&store, Some(&suite.suite_id), RECENT).await?);
    }
    let pager = Pager::new(pages("/", skip), list.suites.len(), list.total_suites, "suites");
    Ok(page(&HomePage::new(&list, &recent, pager, where_it_is, zone)))
}

/// `/suites/{suite}`
pub(super) async fn suite(
    State(app): State<App>,
    Path(suite_id): Path<String>,
    Query(place): Query<Place>,
) -> Answer {
    let not_found = || ReadError::SuiteNotFound { suite_id: suite_id.clone() };
    let store = app.source().store().await?;
    let (skip, limit) = (place.skip()?, read::MAX_TREND_POINTS);
    let asked = Paging { limit: Some(limit), skip, ..Paging::default() };
    let trend = read::trend(&store, &suite_id, &asked).await?;
    let newest = newest(&store, Some(&suite_id), 1).await?;
    let newest = newest.first().ok_or_else(not_found)?;
    let address = link::suite(&suite_id);
    let pages = Pages { address: &address, skip, limit };
    let pager = Pager::new(pages, trend.points.len(), trend.total_runs, "runs");
    Ok(page(&SuitePage::new(&trend, newest, pager, app.zone())))
}

/// `/runs`
pub(super) async fn runs(State(app): State<App>, Query(asked): Query<RunsAsked>) -> Answer {
    let filter = asked.filter()?;
    let (address, skip) = (asked.address(), asked.skip()?);
    let store = app.source().store().await?;
    let listed = read::RunFilter { suite_id: filter.suite.clone(), verdict: filter.verdict };
    let runs = read::runs(&store, &listed, &paging(skip)).await?;
    let suites = store.suites().await?.into_iter().map(|suite| {
        let name = called(&suite.newest.suite_name, &suite.newest.suite_id).to_owned();
        (suite.newest.suite_id, name)
    });
    let pager = Pager::new(pages(&address, skip), runs.runs.len(), runs.total_runs, "runs");
    let view =
        RunsPage::new(&runs.runs, runs.total_runs, filter, suites.collect(), pager, app.zone());
    Ok(page(&view))
}

/// `/runs/{run}`
pub(super) async fn run(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(place): Query<Place>,
) -> Answer {
    let (store, id) = find(&app, &name).await?;
    let head = read::run_head(&store, &id).await?;
    let (analytics, no_analytics) = match read::analytics(&store, &id).await {
        Ok(document) => (Some(document), None),
        Err(ReadError::DocumentNotFound { why, .. }) => (None, Some(why.to_owned())),
        Err(error) => return Err(error.into()),
    };
    let skip = place.skip()?;
    let cases = read::cases(&store, &id, &paging(skip)).await?;
    let older = older(&store, &id, &head.suite.id).await?;
    let parts = RunParts {
        head: &head,
        analytics: analytics.as_ref(),
        no_analytics,
        cases: &cases,
        older: older.as_deref(),
    };
    let address = link::run(&head.run.run_id);
    let pager = Pager::new(pages(&address, skip), cases.cases.len(), cases.total_cases, "cases");
    Ok(page(&RunPage::new(&parts, pager, app.zone())))
}

/// `/runs/{run}/trials`
pub(super) async fn trials(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(asked): Query<TrialsAsked>,
) -> Answer {
    let (filter, skip) = (asked.filter()?, asked.skip()?);
    let (store, id) = find(&app, &name).await?;
    let head = read::run_head(&store, &id).await?;
    let trials = read::iterations(&store, &id, &filter, &paging(skip)).await?;
    let address = asked.address(&link::trials(&head.run.run_id));
    let pager =
        Pager::new(pages(&address, skip), trials.iterations.len(), trials.total_trials, "trials");
    Ok(page(&TrialsPage::new(&head, &trials, &asked.words(&filter), pager)))
}

/// `/runs/{run}/cases/{case}`
pub(super) async fn case(
    State(app): State<App>,
    Path((name, case_id)): Path<(String, String)>,
    Query(place): Query<Place>,
) -> Answer {
    let (store, id) = find(&app, &name).await?;
    let head = read::run_head(&store, &id).await?;
    let case = read::case(&store, &id, &case_id).await?;
    let filter = read::TrialFilter { case_id: Some(case_id), ..read::TrialFilter::default() };
    let skip = place.skip()?;
    let trials = read::iterations(&store, &id, &filter, &paging(skip)).await?;
    let address = link::case(&head.run.run_id, &case.case_id);
    let pager =
        Pager::new(pages(&address, skip), trials.iterations.len(), trials.total_trials, "trials");
    Ok(page(&CasePage::new(&head, &case, &trials, pager)))
}

/// `/runs/{run}/cases/{case}/trials/{trial}`
pub(super) async fn trial(
    State(app): State<App>,
    Path((name, case_id, number)): Path<(String, String, String)>,
) -> Answer {
    let (store, id) = find(&app, &name).await?;
    let iteration: u32 = number.parse().map_err(|_| ReadError::InvalidParameter {
        name: "trial",
        why: "is no number; trials count from 1".to_owned(),
    })?;
    let name = TrialName { case_id, iteration };
    let detail = read::trial(&store, &id, &name).await?;
    let head = read::run_head(&store, &id).await?;
    let case = read::case(&store, &id, &name.case_id).await?;
    let evidence = store.trial_evidence(&id, &name.case_id, iteration).await?;
    let view = TrialPage::new(&head, &detail, evidence.as_ref(), case.trials.configured);
    Ok(page(&view))
}

/// `/compare`
pub(super) async fn compare(State(app): State<App>, Query(asked): Query<CompareAsked>) -> Answer {
    let store = app.source().store().await?;
    let known = newest(&store, None, CHOICE).await?;
    let answer = compared(&app, &store, &asked).await?;
    let asked = Asked { run: asked.run, base: asked.base };
    Ok(page(&ComparePage::new(asked, &known, answer, app.zone())))
}

/// The story of the two runs that were asked for; `None` when nobody asked, and in words when there is none.
async fn compared(
    app: &App,
    store: &Store,
    asked: &CompareAsked,
) -> Result<Option<Result<CompareStory, String>>, PageError> {
    if asked.run.is_empty() {
        return Ok(None);
    }
    let skip = asked.skip()?;
    let base = Some(asked.base.as_str()).filter(|base| !base.is_empty());
    match read::comparison(store, &asked.run, base, GatePolicy::default()).await {
        Ok(comparison) => Ok(Some(Ok(CompareStory::new(&comparison, skip, app.zone())))),
        Err(ReadError::Store(error)) => Err(PageError::from(ReadError::Store(error))),
        Err(error) => Ok(Some(Err(error.to_string()))),
    }
}

/// `/glossary`
pub(super) async fn glossary() -> Answer {
    Ok(page(&GlossaryPage::new()))
}

/// The store and the run that a path names.
async fn find(app: &App, name: &str) -> Result<(Store, RunId), PageError> {
    let store = app.source().store().await?;
    let id = read::find_run(&store, name).await?;
    Ok((store, id))
}

/// The page after `skip` items, of the usual size.
fn paging(skip: u32) -> Paging {
    Paging { skip, ..Paging::default() }
}

/// The pages of a list at `address`, of the usual size.
const fn pages(address: &str, skip: u32) -> Pages<'_> {
    Pages { address, skip, limit: DEFAULT_PAGE_ITEMS }
}

async fn newest(
    store: &Store,
    suite_id: Option<&str>,
    limit: u32,
) -> Result<Vec<RunListRow>, PageError> {
    let query = RunQuery {
        limit: Some(limit),
        suite_id: suite_id.map(str::to_owned),
        ..RunQuery::default()
    };
    Ok(store.runs(&query).await?)
}

/// The run of the suite that began before this one.
async fn older(store: &Store, id: &RunId, suite_id: &str) -> Result<Option<String>, PageError> {
    let query = RunQuery {
        limit: Some(1),
        suite_id: Some(suite_id.to_owned()),
        after: store.run_place(id).await?,
        ..RunQuery::default()
    };
    Ok(store.runs(&query).await?.into_iter().next().map(|run| run.run_id))
}
