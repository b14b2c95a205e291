//! Problems as responses.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use howfar_wire::api::{Problem, ProblemType};

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
