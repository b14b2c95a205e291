//! The page that says why a question has no answer. "No such run" and "a run without that document" are two answers.

use askama::Template;
use howfar_wire::api::Problem;

use super::frame::{Frame, Part};

/// The page.
#[derive(Template)]
#[template(path = "problem.html")]
pub(super) struct ProblemPage<'a> {
    frame: Frame,
    problem: &'a Problem,
}

impl<'a> ProblemPage<'a> {
    /// The page of a problem.
    pub(super) fn new(problem: &'a Problem) -> Self {
        Self { frame: Frame::new(problem.title.clone(), Part::Nowhere), problem }
    }
}
