//! The evidence: servers that could not be set up, then every case with its trials.

use askama::Template;
use howfar_wire::report::{CaseReport, RunReport};

use crate::html::component::{CaseVerdictMark, ServerList};
use crate::html::trial::{Story, stories};
use crate::html::{TrialSource, anchor};
use crate::tally::{Tally, configuration};

/// The section.
#[derive(Template)]
#[template(path = "section/evidence.html")]
pub(in crate::html) struct EvidenceSection<'a> {
    servers: ServerList<'a>,
    cases: Vec<Case<'a>>,
}

struct Case<'a> {
    case: &'a CaseReport,
    anchor: String,
    verdict: CaseVerdictMark,
    intent: Option<&'a str>,
    measured: String,
    stories: Vec<Story<'a>>,
}

impl<'a> EvidenceSection<'a> {
    pub(in crate::html) fn new(report: &'a RunReport, source: &mut dyn TrialSource) -> Self {
        let mut cases: Vec<Case<'a>> =
            report.cases.iter().map(|case| Case::new(report, case, source)).collect();
        let mut stories = cases.iter_mut().flat_map(|case| &mut case.stories);
        if let Some(first) = stories.find(|story| !story.healthy) {
            first.open = true;
        }
        Self { servers: ServerList::new(&report.metadata.execution.servers), cases }
    }

    /// Every story of the section, in page order.
    pub(in crate::html) fn stories_mut(&mut self) -> impl Iterator<Item = &mut Story<'a>> {
        self.cases.iter_mut().flat_map(|case| &mut case.stories)
    }
}

impl<'a> Case<'a> {
    fn new(report: &'a RunReport, case: &'a CaseReport, source: &mut dyn TrialSource) -> Self {
        let known = configuration(report, case);
        Self {
            case,
            anchor: anchor::case(&case.id),
            verdict: CaseVerdictMark { verdict: case.details.verdict },
            intent: known.and_then(|known| known.intent.as_deref()),
            measured: Tally::of_case(case, known).passed_of_gradeable(),
            stories: stories(case, source),
        }
    }
}
