//! The pages of the dashboard: HTML that says everything without a script, one address for every state.
//!
//! A page is made in three steps: the handler asks [`crate::read`], a view holds what is shown, and a template writes it.
//! Views take documents, so that they can be tested without a store. The parts and the stylesheet are those of the report
//! ([`howfar_report::html`]), and every text passes through its escaper.

mod address;
mod answer;
mod case;
mod compare;
mod frame;
mod glossary;
mod handlers;
mod home;
mod link;
mod part;
mod problem;
mod run;
mod runs;
mod suite;
mod trend;
mod trial;
mod trials;

use axum::Router;
use axum::routing::get;

use super::App;

pub(super) use answer::problem_page;

/// The routes of the pages.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(handlers::home))
        .route("/suites/{suite}", get(handlers::suite))
        .route("/runs", get(handlers::runs))
        .route("/runs/{run}", get(handlers::run))
        .route("/runs/{run}/trials", get(handlers::trials))
        .route("/runs/{run}/cases/{case}", get(handlers::case))
        .route("/runs/{run}/cases/{case}/trials/{trial}", get(handlers::trial))
        .route("/compare", get(handlers::compare))
        .route("/glossary", get(handlers::glossary))
}
