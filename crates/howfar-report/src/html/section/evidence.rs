//! The evidence: servers that could not be set up, then every case with its trials.

use askama::Template;
use howfar_wire::report::{CaseReport, RunReport, ServerReport};
use howfar_wire::vocabulary::Vocabulary as _;

use crate::html::component::{CaseVerdictMark, LongText};
use crate::html::trial::{Story, stories};
use crate::html::{TrialSource, anchor};
use crate::story::setup::what_failed;
use crate::tally::{Tally, configuration};

/// The section.
#[derive(Template)]
#[template(path = "section/evidence.html")]
pub(in crate::html) struct EvidenceSection<'a> {
    servers: Vec<Server<'a>>,
    cases: Vec<Case<'a>>,
}

struct Server<'a> {
    server: &'a ServerReport,
    /// What failed of its set-up; absent when nothing did.
    failed: Option<&'static str>,
    /// Whose side the error points at.
    side: Option<&'static str>,
    error: Option<LongText<'a>>,
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
        let servers = &report.metadata.execution.servers;
        let mut cases: Vec<Case<'a>> =
            report.cases.iter().map(|case| Case::new(report, case, source)).collect();
        let mut stories = cases.iter_mut().flat_map(|case| &mut case.stories);
        if let Some(first) = stories.find(|story| !story.healthy) {
            first.open = true;
        }
        Self { servers: servers.iter().map(Server::new).collect(), cases }
    }

    /// Every story of the section, in page order.
    pub(in crate::html) fn stories_mut(&mut self) -> impl Iterator<Item = &mut Story<'a>> {
        self.cases.iter_mut().flat_map(|case| &mut case.stories)
    }
}

impl<'a> Server<'a> {
    fn new(server: &'a ServerReport) -> Self {
        Self {
            server,
            failed: what_failed(server),
            side: server.attribution.map(|side| side.label()),
            error: server.error.as_deref().map(LongText::new),
        }
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
