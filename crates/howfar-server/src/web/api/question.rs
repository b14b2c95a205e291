//! From a request to a question, and from its answer to a response: the same way for every route.

use std::collections::HashMap;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get};
use howfar_store::{RunId, Store};
use howfar_wire::api::ProblemType;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::read::{self, ReadError, TrialName};
use crate::web::App;
use crate::web::problem::Failure;

/// What was asked: the store, what stands behind the `?`, and the places of the path.
pub(super) struct Question<Q> {
    pub(super) store: Store,
    pub(super) query: Q,
    places: Places,
}

type Places = HashMap<String, String>;

impl<Q> Question<Q> {
    /// A place of the path; the table of routes says which there are.
    pub(super) fn place(&self, name: &str) -> &str {
        self.places.get(name).map(String::as_str).unwrap_or_default()
    }

    /// The run that the path names.
    pub(super) async fn run(&self) -> Result<RunId, ReadError> {
        read::find_run(&self.store, self.place("run")).await
    }

    /// The trial that the path names.
    pub(super) fn trial(&self) -> Result<TrialName, ReadError> {
        let number = self.place("iteration").parse().ok().filter(|number| *number > 0);
        let invalid = || ReadError::InvalidParameter {
            name: "iteration",
            why: "is not the number of a trial, which counts from 1".to_owned(),
        };
        let iteration = number.ok_or_else(invalid)?;
        Ok(TrialName { case_id: self.place("case").to_owned(), iteration })
    }
}

/// The places and the query of a request, as they were found in its address.
pub(super) type Asked<Q> = (Result<Path<Places>, PathRejection>, Result<Query<Q>, QueryRejection>);

/// The question that a request asks.
pub(super) async fn question<Q>(app: &App, asked: Asked<Q>) -> Result<Question<Q>, Failure> {
    let invalid = |text| Failure::new(ProblemType::InvalidParameter, text);
    let Path(places) = asked.0.map_err(|error| invalid(error.body_text()))?;
    let Query(query) = asked.1.map_err(|error| invalid(error.body_text()))?;
    Ok(Question { store: app.source().store().await?, query, places })
}

/// A route that is answered by one function.
pub(super) fn answering<Q, T, F, R>(answer: F) -> MethodRouter<App>
where
    Q: DeserializeOwned + Send + 'static,
    T: Serialize,
    F: Fn(Question<Q>) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<T, ReadError>> + Send + 'static,
{
    get(move |State(app): State<App>, places, query| async move {
        let question = question(&app, (places, query)).await?;
        Ok::<Response, Failure>(Json(answer(question).await?).into_response())
    })
}
