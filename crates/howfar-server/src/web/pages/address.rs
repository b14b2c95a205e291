//! What an address says. An address that cannot be read is answered by a page, like every other problem.

use axum::extract::{self, FromRequestParts};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::answer::PageError;

/// What stands behind the `?`.
pub(super) struct Query<T>(pub(super) T);

/// The places of the path.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PageError> {
        match extract::Query::from_request_parts(parts, state).await {
            Ok(extract::Query(query)) => Ok(Self(query)),
            Err(error) => Err(PageError::unreadable(error.body_text())),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PageError> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(places)) => Ok(Self(places)),
            Err(error) => Err(PageError::unreadable(error.body_text())),
        }
    }
}
