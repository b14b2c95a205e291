//! The JSON API: one table of routes, from which the router and its OpenAPI description are made.

mod answers;
mod events;
mod openapi;
mod parameters;
mod question;
mod table;

use axum::Router;

use super::App;
pub use openapi::openapi;

/// The routes of the API, below `/api/v1`.
pub(super) fn routes() -> Router<App> {
    let mut routes = Router::new();
    for route in table::ROUTES {
        routes = routes.route(route.path, (route.handler)());
    }
    routes
}
