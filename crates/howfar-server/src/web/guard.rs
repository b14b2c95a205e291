//! The guard that every request passes, and the headers that every response carries.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use howfar_wire::api::ProblemType;
use serde::Deserialize;

use super::App;
use super::access::Access;
use super::problem::Failure;

/// What a page of ours may load: its own stylesheet, script, pictures and events, and nothing of another host.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Headers of every response. A handler may set its own `Cache-Control`.
const HEADERS: &[(&str, &str)] = &[
    ("content-security-policy", CONTENT_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Lets a request through, or says why not.
pub(super) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match refusal(app.access(), &request) {
        Some(failure) => failure,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The first rule that a request breaks.
fn refusal(access: &Access, request: &Request) -> Option<Response> {
    let refused = |failure: Failure| failure.answer(request.uri().path(), request.headers());
    if !names_us(access, request) {
        let detail = "the request names a host that this server is not";
        let failure = Failure::new(ProblemType::ForeignRequest, detail);
        return Some(refused(failure.hint("use the address that `howfar serve` printed")));
    }
    if request.headers().get_all(header::ORIGIN).iter().any(|origin| !is_ours(access, origin)) {
        let detail = "the request comes from a page of another origin";
        return Some(refused(Failure::new(ProblemType::ForeignRequest, detail)));
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let detail = "nothing here can be changed: only GET and HEAD are served";
        let failure = refused(Failure::new(ProblemType::MethodNotAllowed, detail));
        return Some(([(header::ALLOW, "GET, HEAD")], failure).into_response());
    }
    if access.needs_token()
        && !is_open(request.uri().path())
        && !has_token(access, request.headers())
    {
        let detail = "the server was started with a token";
        let failure = Failure::new(ProblemType::Unauthorized, detail);
        let failure = refused(
            failure.hint("open `/login?token=TOKEN`, or send `Authorization: Bearer TOKEN`"),
        );
        return Some(([(header::WWW_AUTHENTICATE, "Bearer")], failure).into_response());
    }
    None
}

/// Whether a path needs no token: whether the server lives, the way in, and what the page of the way in is made of.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/login") || path.starts_with("/assets/")
}

/// Whether every host that the request names is this server: exactly one `Host`, and an absolute address if it has one.
fn names_us(access: &Access, request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let is_known = host.to_str().is_ok_and(|host| access.knows_host(host));
    let target = request.uri().authority();
    is_known && target.is_none_or(|target| access.knows_host(target.as_str()))
}

fn is_ours(access: &Access, origin: &HeaderValue) -> bool {
    origin.to_str().is_ok_and(|origin| access.knows_origin(origin))
}

fn has_token(access: &Access, headers: &HeaderMap) -> bool {
    let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
    let bearer = headers.get(header::AUTHORIZATION).and_then(text).is_some_and(|value| {
        let token = value.split_once(' ').filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
        token.is_some_and(|(_, token)| access.is_token(token.trim()))
    });
    let mut cookies = headers.get_all(header::COOKIE).iter().filter_map(text);
    bearer || cookies.any(|cookie| access.has_cookie(&cookie))
}

/// What `/login` is asked with.
#[derive(Deserialize)]
pub(super) struct Login {
    #[serde(default)]
    token: String,
}

/// Takes the token once, gives a cookie that stands for it, and leads to the first page without the token in its
/// address.
pub(super) async fn login(
    State(app): State<App>,
    login: Result<Query<Login>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let access = app.access();
    let token = login.map(|Query(login)| login.token).unwrap_or_default();
    match access.cookie() {
        Some((name, value)) if access.is_token(&token) => {
            let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict");
            ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()
        }
        Some(_) => Failure::new(ProblemType::Unauthorized, "this is not the token")
            .answer("/login", &headers),
        None => Redirect::to("/").into_response(),
    }
}
