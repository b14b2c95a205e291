//! One case in two runs.

use howfar_report::words::share;
use howfar_wire::compare::{
    CaseLinks, CompareCase, CompareSide, CompareStatus, LinkMovement, LinkTally, SideOutcome,
};
use howfar_wire::vocabulary::Vocabulary as _;

use super::interval;
use crate::web::pages::link;
use crate::web::pages::part::Term;

/// The line of a case and what stands behind it.
pub(super) struct Case {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) status: &'static str,
    pub(super) mark: &'static str,
    pub(super) words: &'static str,
    pub(super) moved: String,
    pub(super) base: &'static str,
    pub(super) base_href: Option<String>,
    pub(super) compare: &'static str,
    pub(super) compare_href: Option<String>,
    pub(super) changed: bool,
    /// The trial of the compared run to look at: its address and what was wrong there.
    pub(super) evidence: Option<(String, String)>,
    pub(super) open: bool,
    pub(super) links: Vec<Link>,
}

/// One link of a case.
pub(super) struct Link {
    pub(super) stage: Term,
    pub(super) base: String,
    pub(super) compare: String,
    pub(super) change: Term,
    pub(super) difference: String,
}

impl Case {
    /// A case of a comparison; `links` is absent when no chain is stored of it.
    pub(super) fn new(
        case: &CompareCase,
        links: Option<&CaseLinks>,
        base: &str,
        compare: &str,
    ) -> Self {
        let href = |run: &str, side: &CompareSide| match side.outcome {
            SideOutcome::Passed | SideOutcome::Failed => Some(link::case(run, &case.case_key)),
            SideOutcome::Absent => None,
        };
        Self {
            id: case.case_key.clone(),
            title: case.title.clone(),
            status: case.status.as_str(),
            mark: mark(case.status),
            words: case.status.label(),
            moved: match (case.base.outcome, case.compare.outcome) {
                (SideOutcome::Absent, _) | (_, SideOutcome::Absent) => "in one run only".to_owned(),
                (SideOutcome::Passed | SideOutcome::Failed, _) => {
                    links.map_or_else(|| "no chain is stored".to_owned(), moved)
                }
            },
            base: case.base.outcome.label(),
            base_href: href(base, &case.base),
            compare: case.compare.outcome.label(),
            compare_href: href(compare, &case.compare),
            evidence: evidence(case, compare),
            changed: case.config_changed || case.evaluation_config_changed,
            open: case.status == CompareStatus::Regressed,
            links: links.iter().flat_map(|links| &links.links).map(Link::new).collect(),
        }
    }
}

/// The trial that failed, in the compared run.
fn evidence(case: &CompareCase, run: &str) -> Option<(String, String)> {
    let side = &case.compare;
    let trial = side.representative_iteration_id.as_deref()?;
    let number: u32 = trial.rsplit_once('#')?.1.parse().ok()?;
    let failed = side.outcome == SideOutcome::Failed;
    let words = match &side.error {
        Some(error) => format!("trial {number}: {error}"),
        None => format!("trial {number}"),
    };
    failed.then(|| (link::trial(run, &case.case_key, number), words))
}

impl Link {
    fn new(movement: &LinkMovement) -> Self {
        Self {
            stage: Term::of(movement.stage),
            base: tally(&movement.base),
            compare: tally(&movement.compare),
            change: Term::of(movement.change),
            difference: match &movement.difference {
                Some(difference) => interval::words(difference),
                None => "no interval".to_owned(),
            },
        }
    }
}

/// "3 of 5 (60 %) passed"; over nothing that was measured there is no rate.
fn tally(tally: &LinkTally) -> String {
    match tally.measured() {
        0 => "not measured".to_owned(),
        measured => format!("{} passed", share(tally.passed, measured)),
    }
}

/// The link to look at.
fn moved(links: &CaseLinks) -> String {
    let Some(stage) = links.moved_link else { return "no link moved".to_owned() };
    let movement = links.links.iter().find(|link| link.stage == stage);
    match movement.and_then(|link| link.difference.as_ref()) {
        Some(difference) => {
            format!("link that moved: {} {}", stage.label(), interval::words(difference))
        }
        None => format!("link that moved: {}, without an interval", stage.label()),
    }
}

/// The mark of a status: what was measured both times has that of its outcome.
const fn mark(status: CompareStatus) -> &'static str {
    match status {
        CompareStatus::Regressed => "↓",
        CompareStatus::Fixed => "↑",
        CompareStatus::Changed => "≠",
        CompareStatus::NewCase => "+",
        CompareStatus::RemovedCase => "–",
        CompareStatus::UnchangedPassed => "✓",
        CompareStatus::UnchangedFailed => "✗",
    }
}
