//! The dashboard over HTTP: the JSON API, the live view of runs, and who may ask.
//!
//! [`router`] builds everything that is served; a test asks it without a socket. [`Bound`] puts it on a socket. Every
//! request passes one guard first, so that no other page that a browser shows can read what is stored.

mod access;
mod api;
mod app;
mod bound;
mod guard;
mod problem;

use axum::Router;
use axum::routing::get;
use howfar_wire::api::ProblemType;

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
        .fallback(|| async { Failure::new(ProblemType::NoRoute, "there is nothing here") })
        .layer(guard)
        .with_state(app)
}
