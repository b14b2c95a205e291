//! The files that pages load: one stylesheet, one script, one icon. They are part of the binary.

use std::sync::LazyLock;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use howfar_report::html::STYLE;

use super::App;

/// The stylesheet: that of the report, and what the dashboard has besides.
static STYLESHEET: LazyLock<String> =
    LazyLock::new(|| format!("{STYLE}{}", include_str!("assets/dashboard.css")));

/// Keys, and the counts of a running run. Pages say everything without it.
const SCRIPT: &str = include_str!("assets/dashboard.js");

/// The icon of the window.
const ICON: &str = include_str!("assets/icon.svg");

/// The routes of the files.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/assets/howfar.css", get(|| file("text/css; charset=utf-8", &STYLESHEET)))
        .route("/assets/howfar.js", get(|| file("text/javascript; charset=utf-8", SCRIPT)))
        .route("/assets/icon.svg", get(|| file("image/svg+xml", ICON)))
}

/// A file of this build. A browser asks again each time: another build may answer at the same address.
async fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_names_another_host() {
        for text in [STYLESHEET.as_str(), SCRIPT] {
            for word in ["@import", "http:", "https:", "url(\"", "@font-face", "eval(", "innerHTML"]
            {
                assert!(!text.contains(word), "{word}");
            }
        }
    }
}
