//! The page of one trial: its chain as six cards, calls, checks, conversation and time line.

use askama::Template;
use howfar_report::html::component::{
    CallsPanel, ChainCards, Conversation, FrictionPanel, Level, LongText, MiniChain,
    ScorecardTable, Timeline,
};
use howfar_report::words::{trial_facts, what_happened};
use howfar_wire::api::{RunHead, TrialDetail};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::report::TrialReport;

use super::frame::{Frame, Part};
use super::link;
use super::part::{Term, called};

/// The anchor under which spans and cards of the trial stand.
const ANCHOR: &str = "trial";

/// The page.
#[derive(Template)]
#[template(path = "trial.html")]
pub(super) struct TrialPage<'a> {
    frame: Frame,
    run_id: &'a str,
    run_href: String,
    case_id: &'a str,
    case_href: String,
    title: &'a str,
    number: u32,
    mini: MiniChain,
    what: String,
    facts: String,
    refusal: Option<Term>,
    error: Option<LongText<'a>>,
    bucket: Option<(Term, &'static str)>,
    /// The trials before and after it.
    before: Option<String>,
    after: Option<String>,
    chain: ChainCards,
    words: Vec<Term>,
    calls: CallsPanel<'a>,
    friction: FrictionPanel,
    scorecard: ScorecardTable,
    /// Absent when the store holds no evidence.
    messages: Option<Conversation<'a>>,
    timeline: Option<Timeline>,
}

impl<'a> TrialPage<'a> {
    /// The page of a trial of a case with `trials` trials.
    pub(super) fn new(
        head: &'a RunHead,
        detail: &'a TrialDetail,
        evidence: Option<&'a TrialEvidence<'a>>,
        trials: u64,
    ) -> Self {
        let trial = &detail.trial;
        let run_id = head.run.run_id.as_str();
        let number = trial.iteration_number;
        let title = called(&detail.title, &detail.case_id);
        let suite = called(&head.suite.name, &head.suite.id);
        let at = |number| link::trial(run_id, &detail.case_id, number);
        Self {
            frame: Frame::new(format!("{title} · trial {number}"), Part::Runs)
                .below(link::suite(&head.suite.id), suite)
                .below(link::run(run_id), format!("run {run_id}"))
                .below(link::case(run_id, &detail.case_id), title),
            run_id,
            run_href: link::run(run_id),
            case_id: &detail.case_id,
            case_href: link::case(run_id, &detail.case_id),
            title,
            number,
            mini: MiniChain::of_rows(&trial.stage_results),
            what: what_happened(trial),
            facts: format!(
                "{} · analyzer level {}",
                trial_facts(trial),
                trial.stage_analyzer_version
            ),
            refusal: trial.refusal.map(Term::of),
            error: trial.error.as_deref().map(LongText::new),
            bucket: trial.failure_category.map(|bucket| (Term::of(bucket), bucket.next_owner())),
            before: (number > 1).then(|| at(number - 1)),
            after: (u64::from(number) < trials).then(|| at(number + 1)),
            chain: ChainCards::new(
                &trial.stage_results,
                trial.first_failed_stage,
                ANCHOR,
                evidence.map(|evidence| &evidence.timeline[..]).unwrap_or_default(),
            ),
            words: words(trial),
            calls: CallsPanel::new(trial, Level::Section),
            friction: FrictionPanel::new(trial.friction.as_ref(), Level::Section),
            scorecard: ScorecardTable::new(&trial.scorecard, Level::Section),
            messages: evidence
                .map(|evidence| Conversation::new(&evidence.messages, Level::Section)),
            timeline: evidence
                .map(|evidence| Timeline::new(&evidence.timeline, ANCHOR, Level::Section)),
        }
    }
}

/// The links, states and reasons of the chain, each once, with a way to its entry.
fn words(trial: &TrialReport) -> Vec<Term> {
    let mut states = Vec::new();
    let mut reasons = Vec::new();
    for row in &trial.stage_results {
        if !states.contains(&row.state) {
            states.push(row.state);
        }
        reasons.extend(row.reason.filter(|reason| !reasons.contains(reason)));
    }
    let links = trial.stage_results.iter().map(|row| Term::of(row.stage));
    let states = states.into_iter().map(Term::of);
    links.chain(states).chain(reasons.into_iter().map(Term::of)).collect()
}
