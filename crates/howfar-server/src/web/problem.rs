//! Problems as responses.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use howfar_wire::api::{Problem, ProblemType};

use super::pages::problem_page;
use crate::read::ReadError;

/// Why a request has no answer, in the one shape of the API (`application/problem+json`).
#[derive(Debug)]
pub(super) struct Failure(Problem);

impl Failure {
    /// A problem of this kind.
    pub(super) fn new(kind: ProblemType, detail: impl Into<String>) -> Self {
        Self(Problem::new(kind, detail.into(), None))
    }

    /// Adds what the reader can do next.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The problem as whoever asked reads it: a page for a browser that wanted one, else JSON.
    pub(super) fn answer(self, path: &str, headers: &HeaderMap) -> Response {
        match wants_page(path, headers) {
            true => problem_page(&self.0),
            false => self.into_response(),
        }
    }
}

/// Whether a request came from a browser that is to show what it gets.
fn wants_page(path: &str, headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    !path.starts_with("/api/") && accepted.into_iter().any(|kinds| kinds.contains("text/html"))
}

impl<E: Into<ReadError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into().problem())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status);
        let status = status.expect("every kind of problem has an HTTP status");
        let mut response = (status, Json(self.0)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}
