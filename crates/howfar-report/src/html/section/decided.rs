//! What was decided: verdict, unit, counts, one sentence, and where it stopped first.

use askama::Template;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{Stage, StageState, Vocabulary as _};
use jiff::tz::TimeZone;

use crate::html::component::VerdictMark;
use crate::html::{anchor, page, units};
use crate::story::{decided, trials};
use crate::text::count;

/// The head of the page.
#[derive(Template)]
#[template(path = "section/decided.html")]
pub(in crate::html) struct Decided<'a> {
    name: &'a str,
    suite_id: &'a str,
    run_id: &'a str,
    models: String,
    scripted: bool,
    replayed: Option<String>,
    /// The start in the reader's zone, and in UTC.
    local: String,
    utc: &'a str,
    duration: String,
    verdict: VerdictMark,
    counts: String,
    sentences: Vec<String>,
    stops: Vec<Stop>,
}

/// A link that was the first to fail in some trial.
struct Stop {
    stage: Stage,
    trials: String,
    anchor: String,
}

impl<'a> Decided<'a> {
    pub(in crate::html) fn new(report: &'a RunReport, zone: &TimeZone) -> Self {
        let metadata = &report.metadata;
        Self {
            name: page::suite_name(report),
            suite_id: &metadata.suite.id,
            run_id: &metadata.run_id,
            models: decided::models(report),
            scripted: metadata.execution.scripted,
            replayed: decided::replay_note(report),
            local: units::wall_clock(&metadata.started_at, zone),
            utc: &metadata.started_at,
            duration: units::duration(report.duration_ms),
            verdict: VerdictMark { verdict: report.verdict },
            counts: decided::case_counts(report),
            sentences: decided::sentences(report),
            stops: Stage::ALL.iter().filter_map(|&stage| stop(report, stage)).collect(),
        }
    }
}

/// The trials whose first failed link is this one; `None` when there is none.
fn stop(report: &RunReport, stage: Stage) -> Option<Stop> {
    let broke = trials(report).filter(|trial| trial.first_failed_stage == Some(stage)).count();
    let anchor = anchor::lane(stage, StageState::Failed);
    (broke > 0).then(|| Stop { stage, trials: count(broke as u64, "trial"), anchor })
}
