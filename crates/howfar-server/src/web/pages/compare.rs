//! The page of two runs: whether they may be compared first, then what moved, case by case.

mod case;
mod interval;
mod story;

use askama::Template;
use howfar_report::html::units::wall_clock;
use howfar_wire::record::RunListRow;
use howfar_wire::vocabulary::Vocabulary as _;
use jiff::tz::TimeZone;

pub(super) use self::story::CompareStory;
use super::frame::{Frame, Part};

/// The page.
#[derive(Template)]
#[template(path = "compare.html")]
pub(super) struct ComparePage {
    frame: Frame,
    run: String,
    base: String,
    /// Ids and words of runs to choose from.
    known: Vec<(String, String)>,
    /// Why there is no comparison; absent when there is one, or none was asked for.
    problem: Option<String>,
    story: Option<CompareStory>,
}

/// What was asked for.
pub(super) struct Asked {
    /// The run; empty when nobody asked yet.
    pub(super) run: String,
    /// Its base; empty for the previous complete run.
    pub(super) base: String,
}

impl ComparePage {
    /// The page with the answer, or why there is none. `known` are runs to choose from.
    pub(super) fn new(
        asked: Asked,
        known: &[RunListRow],
        answer: Option<Result<CompareStory, String>>,
        zone: &TimeZone,
    ) -> Self {
        let words = |run: &RunListRow| {
            let began = wall_clock(&run.started_at, zone);
            let words = format!("{} · {began} · {}", run.suite_name, run.verdict.label());
            (run.run_id.clone(), words)
        };
        let (story, problem) = match answer {
            Some(Ok(story)) => (Some(story), None),
            Some(Err(problem)) => (None, Some(problem)),
            None => (None, None),
        };
        Self {
            frame: Frame::new("Compare two runs", Part::Compare),
            run: asked.run,
            base: asked.base,
            known: known.iter().map(words).collect(),
            problem,
            story,
        }
    }
}
