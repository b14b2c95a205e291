//! The web router without a socket.

mod api;
mod guard;
mod live;

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use howfar_server::read::Source;
use howfar_server::web::{Access, App, router};
use serde_json::Value;
use tower::ServiceExt as _;

type Tested = Result<(), Box<dyn Error>>;

/// Where the router is said to be.
const HOST: &str = "localhost:7357";

/// A dashboard on loopback over the store at `path`, which looks at it all the time.
fn app(path: &Path, token: Option<&str>) -> App {
    let access = Access::new(([127, 0, 0, 1], 7357).into(), token).expect("loopback is allowed");
    let often = Duration::from_millis(5);
    App::looking(Source::new(path), jiff::tz::TimeZone::UTC, access, often)
}

/// A response, read to its end.
struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Reply {
    fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    fn json(&self) -> Result<Value, serde_json::Error> {
        serde_json::from_str(&self.text)
    }
}

async fn send(router: Router, request: Request<Body>) -> Result<Reply, Box<dyn Error>> {
    let (parts, body) = router.oneshot(request).await?.into_parts();
    let text = String::from_utf8(to_bytes(body, usize::MAX).await?.to_vec())?;
    Ok(Reply { status: parts.status, headers: parts.headers, text })
}

/// Asks as a browser on this machine does.
async fn ask(app: &App, path: &str) -> Result<Reply, Box<dyn Error>> {
    let request = Request::get(path).header(header::HOST, HOST).body(Body::empty())?;
    send(router(app.clone()), request).await
}
