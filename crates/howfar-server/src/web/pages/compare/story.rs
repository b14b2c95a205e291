//! What a comparison comes to.

use std::collections::HashMap;

use askama::Template;
use howfar_report::words::{
    ComparedOwner, ToolsCompared, compared_owners, count, share, tools_compared,
};
use howfar_wire::compare::{
    CaseLinks, CompareCase, ComparePopulation, CompareRun, CompareStatus, FlakyCase,
    PassRateComparison, PassRateVerdict, RunComparison,
};
use howfar_wire::vocabulary::Vocabulary as _;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::case::Case;
use super::interval::{self, IntervalLine};
use crate::web::pages::link;
use crate::web::pages::part::{Pager, Pages, Term, When};

/// How many cases a page shows.
const CASES: u32 = 200;

/// A comparison, told in the order of every page.
#[derive(Template)]
#[template(path = "compare/story.html")]
pub(in crate::web::pages) struct CompareStory {
    run: String,
    base: String,
    sides: [Side; 2],
    is_blocked: bool,
    blockers: Vec<Term>,
    population: Vec<&'static str>,
    class: &'static str,
    rate: Option<Rate>,
    notes: Vec<String>,
    tools: ToolsCompared,
    cases_in_all: String,
    tallies: Vec<(Term, u64)>,
    cases: Vec<Case>,
    pager: Pager,
    regressions: Vec<(String, String)>,
    flaky: Vec<String>,
    /// Bucket, what to do next, and how many cases.
    owners: Vec<(Term, &'static str, String)>,
}

/// One of the two runs.
struct Side {
    role: &'static str,
    id: String,
    href: String,
    when: Option<When>,
    passed: String,
}

/// The difference of the pass rates.
struct Rate {
    verdict: Term,
    words: String,
    picture: String,
}

impl CompareStory {
    /// The story of a comparison, with a page of cases that begins after the first `skip`.
    pub(in crate::web::pages) fn new(
        comparison: &RunComparison,
        skip: u32,
        zone: &TimeZone,
    ) -> Self {
        let document = &comparison.compare;
        let (base, run) = (document.base_run.id.as_str(), document.compare_run.id.as_str());
        let mut cases: Vec<&CompareCase> = document.cases.iter().collect();
        cases.sort_by_key(|case| case.status);
        let links: HashMap<&str, &CaseLinks> =
            comparison.links.iter().map(|links| (&*links.case_key, links)).collect();
        let case =
            |case: &&CompareCase| Case::new(case, links.get(&*case.case_key).copied(), base, run);
        let shown: Vec<Case> =
            cases.iter().skip(skip as usize).take(CASES as usize).map(case).collect();
        let pages = Pages { address: &link::compare(run, base), skip, limit: CASES };
        let rate = comparison.pass_rate.as_ref();
        Self {
            run: run.to_owned(),
            base: base.to_owned(),
            sides: [
                Side::new("Base", &document.base_run, zone),
                Side::new("Compared", &document.compare_run, zone),
            ],
            is_blocked: !comparison.parity_blockers.is_empty() || rate.is_none(),
            blockers: comparison.parity_blockers.iter().map(|&blocker| Term::of(blocker)).collect(),
            population: population(comparison.population),
            class: rate.map_or("v-notEstablished", |rate| class(rate.verdict)),
            rate: rate.map(Rate::new),
            notes: notes(comparison),
            tools: tools_compared(&comparison.catalogs),
            cases_in_all: count(cases.len() as u64, "case"),
            tallies: tallies(&cases),
            pager: Pager::new(pages, shown.len(), cases.len() as u64, "cases"),
            cases: shown,
            regressions: comparison
                .deterministic_regressions
                .iter()
                .map(|row| (row.case_key.clone(), row.scorer_id.clone()))
                .collect(),
            flaky: flaky(comparison),
            owners: owners(comparison),
        }
    }
}

impl Side {
    fn new(role: &'static str, run: &CompareRun, zone: &TimeZone) -> Self {
        let began = run.created_at.and_then(|ms| Timestamp::from_millisecond(ms as i64).ok());
        Self {
            role,
            id: run.id.clone(),
            href: link::run(&run.id),
            when: began.map(|at| When::new(&at.to_string(), zone)),
            passed: match &run.summary {
                Some(counts) => {
                    format!("{} decided trials passed", share(counts.passed, counts.total))
                }
                None => "no decided trial was recorded".to_owned(),
            },
        }
    }
}

impl Rate {
    fn new(rate: &PassRateComparison) -> Self {
        let sides = format!(
            "base {}, compared {} of decided trials",
            share(rate.base.passed, rate.base.total),
            share(rate.compare.passed, rate.compare.total)
        );
        Self {
            verdict: Term::of(rate.verdict),
            words: match &rate.difference {
                Some(difference) => format!("{sides}: {}", interval::words(difference)),
                None => format!("{sides}: no difference is measured"),
            },
            picture: rate
                .difference
                .as_ref()
                .map_or_else(String::new, |difference| IntervalLine::new(difference).to_string()),
        }
    }
}

const fn class(verdict: PassRateVerdict) -> &'static str {
    match verdict {
        PassRateVerdict::InsufficientData => "v-inconclusive",
        PassRateVerdict::Regression => "v-failed",
        PassRateVerdict::NoRegression => "v-passed",
    }
}

/// In what the two populations differ.
fn population(population: ComparePopulation) -> Vec<&'static str> {
    let parts = [
        (population.case_set_changed, "a case was decided in one run only"),
        (population.scenario_config_changed, "a case itself changed"),
        (
            population.evaluation_config_changed,
            "a check changed, or a run does not state its checks",
        ),
        (!population.iteration_weighting_equal, "a case has more trials in one run"),
    ];
    parts.into_iter().filter(|(differs, _)| *differs).map(|(_, words)| words).collect()
}

/// Runs that decided nothing.
fn notes(comparison: &RunComparison) -> Vec<String> {
    comparison
        .undecided
        .iter()
        .map(|run| {
            let part = if run.complete { "" } else { "; not every configured trial ran" };
            format!("No gate decides over {}: {}{part}.", run.side.label(), run.verdict.label())
        })
        .collect()
}

/// How many cases have each status, in contract order.
fn tallies(cases: &[&CompareCase]) -> Vec<(Term, u64)> {
    let of = |status| cases.iter().filter(|case| case.status == status).count() as u64;
    let all = CompareStatus::ALL.iter().map(|&status| (Term::of(status), of(status)));
    all.filter(|(_, cases)| *cases > 0).collect()
}

fn owners(comparison: &RunComparison) -> Vec<(Term, &'static str, String)> {
    let owner = |owner: ComparedOwner<'_>| {
        let cases = count(owner.cases.len() as u64, "case");
        (Term::of(owner.bucket), owner.bucket.next_owner(), cases)
    };
    compared_owners(comparison).into_iter().map(owner).collect()
}

fn flaky(comparison: &RunComparison) -> Vec<String> {
    let line = |role: &str, case: &FlakyCase| {
        format!(
            "{role}: {} passed {} of {}",
            case.case_key,
            case.passed,
            count(case.total, "trial")
        )
    };
    let base = comparison.flaky_cases.base.iter().map(|case| line("base", case));
    base.chain(comparison.flaky_cases.compare.iter().map(|case| line("compared", case))).collect()
}
