//! The dashboard over HTTP: its pages, the JSON API, the live view of runs, and who may ask.
//!
//! [`router`] builds everything that is served; a test asks it without a socket. [`Bound`] puts it on a socket. Every
//! request passes one guard first, so that no other page that a browser shows can read what is stored.

mod access;
mod api;
mod app;
mod assets;
mod bound;
mod guard;
mod pages;
mod problem;

use axum::Router;
use axum::http::Uri;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use howfar_wire::api::{Problem, ProblemType};

pub use access::{Access, AccessError, MIN_TOKEN_CHARS};
pub use api::openapi;
pub use app::App;
pub use bound::{BindError, Bound};
use problem::Failure;

/// Everything that the dashboard serves.
pub fn router(app: App) -> Router {
    let guard = axum::middleware::from_fn_with_state(app.clone(), guard::guard);
    Router::new()
        .nest("/api/v1", api::routes())
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/login", get(guard::login))
        .merge(pages::routes())
        .merge(assets::routes())
        .fallback(nothing_here)
        .layer(guard)
        .with_state(app)
}

/// What stands at an address that is none of ours: a page, or a problem of the API.
async fn nothing_here(uri: Uri) -> Response {
    let kind = ProblemType::NoRoute;
    let detail = "there is nothing here";
    match uri.path().starts_with("/api/") {
        true => Failure::new(kind, detail).into_response(),
        false => pages::problem_page(&Problem::new(kind, detail.to_owned(), None)),
    }
}
