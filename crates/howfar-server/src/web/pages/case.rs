//! The page of one case of a run: its verdict, how far its trials got, its trials.

use askama::Template;
use howfar_report::html::component::{CaseVerdictMark, FunnelLane, class_of};
use howfar_report::html::mark_of;
use howfar_report::words::{count, percent};
use howfar_wire::api::{CaseRow, IterationPage, LinkTally, RunHead};
use howfar_wire::vocabulary::{StageState, Vocabulary as _};

use super::frame::{Frame, Part};
use super::link;
use super::part::{Pager, Term, TrialTable, called};
use super::run::graded;

/// The page.
#[derive(Template)]
#[template(path = "case.html")]
pub(super) struct CasePage<'a> {
    frame: Frame,
    run_id: &'a str,
    run_href: String,
    case: &'a CaseRow,
    title: &'a str,
    /// Absent as long as nothing is decided about the run.
    verdict: Option<CaseVerdictMark>,
    class: &'static str,
    graded: String,
    threshold: String,
    because: Option<Term>,
    interval: Option<String>,
    stored: u64,
    configured: String,
    cards: Vec<Card>,
    buckets: Vec<(Term, String)>,
    total: String,
    is_empty: bool,
    table: TrialTable,
    pager: Pager,
}

/// How far the trials got at one link.
struct Card {
    number: usize,
    stage: Term,
    /// The one state of every trial, else mixed or empty.
    class: &'static str,
    states: Vec<State>,
}

/// The trials in one state.
struct State {
    class: &'static str,
    mark: &'static str,
    words: &'static str,
    trials: String,
    href: String,
}

impl<'a> CasePage<'a> {
    /// The page of a case and a part of its trials.
    pub(super) fn new(
        head: &'a RunHead,
        case: &'a CaseRow,
        trials: &IterationPage,
        pager: Pager,
    ) -> Self {
        let run_id = head.run.run_id.as_str();
        let title = called(&case.title, &case.case_id);
        let suite = called(&head.suite.name, &head.suite.id);
        let card = |link: &LinkTally| Card::new(run_id, &case.case_id, link);
        let verdict = case.verdict.map(|verdict| CaseVerdictMark { verdict });
        let categories = case.chain.failure_categories.iter();
        Self {
            frame: Frame::new(title, Part::Runs)
                .below(link::suite(&head.suite.id), suite)
                .below(link::run(run_id), format!("run {run_id}")),
            run_id,
            run_href: link::run(run_id),
            title,
            class: verdict.as_ref().map_or("notEstablished", CaseVerdictMark::class),
            verdict,
            graded: graded(case),
            threshold: percent(case.pass_threshold),
            because: case.decision.as_ref().map(|decision| Term::of(decision.reason)),
            interval: interval(case),
            stored: case.trials.stored,
            configured: count(case.trials.configured, "configured trial"),
            cards: case.chain.links.iter().map(card).collect(),
            buckets: categories
                .map(|(category, trials)| (Term::of(category), count(trials, "trial")))
                .collect(),
            total: count(trials.total_trials, "trial"),
            is_empty: trials.iterations.is_empty(),
            table: TrialTable::of_case(run_id, &trials.iterations),
            pager,
            case,
        }
    }
}

/// The interval of the pass rate; `None` where nothing is gradeable.
fn interval(case: &CaseRow) -> Option<String> {
    let passed = case.trials.passed as f64;
    let gradeable = passed + case.trials.failed as f64;
    (gradeable > 0.0).then(|| {
        let wilson = howfar_core::run::wilson(passed, gradeable);
        format!(
            "pass rate between {} and {} at 95 % confidence (Wilson, n = {gradeable})",
            percent(wilson.lower),
            percent(wilson.upper)
        )
    })
}

impl Card {
    fn new(run_id: &str, case_id: &str, link: &LinkTally) -> Self {
        let states: Vec<(StageState, u64)> = link.states.iter().collect();
        let state = |(state, trials): (StageState, u64)| {
            let lane = link::lane(run_id, FunnelLane::State(link.stage, state));
            State {
                class: state.as_str(),
                mark: mark_of(&state),
                words: state.label(),
                trials: count(trials, "trial"),
                href: format!("{lane}&case={}", link::encoded(case_id)),
            }
        };
        Self {
            number: link.stage.index() + 1,
            stage: Term::of(link.stage),
            class: class_of(&states),
            states: states.into_iter().map(state).collect(),
        }
    }
}
