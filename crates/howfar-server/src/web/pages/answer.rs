//! From a view to a response, and from an error to the page that says it.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use howfar_wire::api::{Problem, ProblemType};

use super::problem::ProblemPage;
use crate::read::ReadError;

/// A page, or why there is none.
pub(super) type Answer = Result<Response, PageError>;

/// Why a page cannot be shown.
#[derive(Debug)]
pub(super) struct PageError(Problem);

impl PageError {
    /// The address says something that cannot be read.
    pub(super) fn unreadable(why: String) -> Self {
        Self(Problem::new(ProblemType::InvalidParameter, why, None))
    }
}

impl<E: Into<ReadError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into().problem())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        problem_page(&self.0)
    }
}

/// The page of a problem, with its status.
pub(in crate::web) fn problem_page(problem: &Problem) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, page(&ProblemPage::new(problem))).into_response()
}

/// A page as a response.
pub(super) fn page(view: &impl Template) -> Response {
    let text = view.render().expect("a template writes into memory, and no filter of ours fails");
    Html(text).into_response()
}
