use axum::body::Body;
use axum::http::{HeaderName, Method, Request, StatusCode, header};
use howfar_server::web::router;

use super::{HOST, Reply, Tested, app, ask, send};

const TOKEN: &str = "a-token-of-our-own";
const PATHS: [&str; 6] =
    ["/", "/healthz", "/login", "/assets/howfar.css", "/api/v1/runs", "/nowhere"];

/// Asks for a path with these headers, of a server that may have a token.
async fn with(
    path: &str,
    headers: &[(HeaderName, &str)],
    token: Option<&str>,
) -> Result<Reply, Box<dyn std::error::Error>> {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let folder = tempfile::tempdir()?;
    let router = router(app(&folder.path().join("howfar.db"), token));
    send(router, request.body(Body::empty())?).await
}

#[tokio::test]
async fn a_foreign_host_reads_nothing() -> Tested {
    for path in PATHS {
        for host in ["evil.example", "evil.example:7357", "localhost:1", "127.0.0.1"] {
            let reply = with(path, &[(header::HOST, host)], None).await?;
            assert_eq!(reply.status, StatusCode::FORBIDDEN, "{path} of {host}");
            assert_eq!(reply.json()?["type"], "foreign_request");
        }
        let hosts = [(header::HOST, HOST), (header::HOST, "evil.example")];
        assert_eq!(with(path, &hosts, None).await?.status, StatusCode::FORBIDDEN);
        assert_eq!(with(path, &[], None).await?.status, StatusCode::FORBIDDEN);
    }
    Ok(())
}

#[tokio::test]
async fn a_foreign_target_reads_nothing() -> Tested {
    let reply = with("http://evil.example/api/v1/runs", &[(header::HOST, HOST)], None).await?;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
    let ours = format!("http://{HOST}/api/v1/runs");
    assert_eq!(with(&ours, &[(header::HOST, HOST)], None).await?.status, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn a_foreign_origin_reads_nothing() -> Tested {
    for path in PATHS {
        for origin in ["http://evil.example", "null", "https://localhost:7357"] {
            let headers = [(header::HOST, HOST), (header::ORIGIN, origin)];
            let reply = with(path, &headers, None).await?;
            assert_eq!(reply.status, StatusCode::FORBIDDEN, "{path} from {origin}");
        }
    }
    let ours = [(header::HOST, HOST), (header::ORIGIN, "http://127.0.0.1:7357")];
    assert_eq!(with("/api/v1/runs", &ours, None).await?.status, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn nothing_can_be_changed() -> Tested {
    let folder = tempfile::tempdir()?;
    let app = app(&folder.path().join("howfar.db"), None);
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        let request = Request::builder().method(&method).uri("/api/v1/runs");
        let request = request.header(header::HOST, HOST).body(Body::empty())?;
        let reply = send(router(app.clone()), request).await?;
        assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert_eq!(reply.header(header::ALLOW), "GET, HEAD");
    }
    let request = Request::head("/api/v1/runs").header(header::HOST, HOST).body(Body::empty())?;
    let reply = send(router(app), request).await?;
    assert_eq!((reply.status, reply.text.as_str()), (StatusCode::OK, ""));
    Ok(())
}

#[tokio::test]
async fn every_response_says_what_may_be_loaded() -> Tested {
    for (path, host) in [("/api/v1/runs", HOST), ("/nowhere", HOST), ("/", "evil.example")] {
        let reply = with(path, &[(header::HOST, host)], None).await?;
        let policy = reply.header(header::CONTENT_SECURITY_POLICY);
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(reply.header(header::REFERRER_POLICY), "no-referrer");
        assert_eq!(reply.header(header::CACHE_CONTROL), "no-store");
    }
    Ok(())
}

#[tokio::test]
async fn a_token_is_asked_for_everywhere_but_at_the_door() -> Tested {
    for path in ["/", "/api/v1/runs", "/api/v1/events", "/nowhere"] {
        let reply = with(path, &[(header::HOST, HOST)], Some(TOKEN)).await?;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{path}");
        let wrong = [(header::HOST, HOST), (header::AUTHORIZATION, "Bearer a-token-of-others")];
        assert_eq!(with(path, &wrong, Some(TOKEN)).await?.status, StatusCode::UNAUTHORIZED);
    }
    let right = [(header::HOST, HOST), (header::AUTHORIZATION, "Bearer a-token-of-our-own")];
    assert_eq!(with("/api/v1/runs", &right, Some(TOKEN)).await?.status, StatusCode::OK);
    for open in ["/healthz", "/assets/howfar.css"] {
        let reply = with(open, &[(header::HOST, HOST)], Some(TOKEN)).await?;
        assert_eq!(reply.status, StatusCode::OK, "{open}");
    }
    Ok(())
}

#[tokio::test]
async fn a_browser_without_the_token_is_asked_for_it_on_a_page() -> Tested {
    let browser = [(header::HOST, HOST), (header::ACCEPT, "text/html,application/xhtml+xml")];
    for path in ["/", "/runs/latest", "/login?token=a-token-of-others", "/login?token=%FF"] {
        let reply = with(path, &browser, Some(TOKEN)).await?;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(reply.header(header::CONTENT_TYPE).starts_with("text/html"), "{path}");
        assert!(reply.text.contains("action=\"/login\""), "{}", reply.text);
    }
    let reply = with("/api/v1/runs", &browser, Some(TOKEN)).await?;
    assert_eq!(reply.json()?["type"], "unauthorized");
    Ok(())
}

#[tokio::test]
async fn a_browser_that_names_another_host_is_told_on_a_page() -> Tested {
    let browser = [(header::HOST, "shop.example:7357"), (header::ACCEPT, "text/html")];
    let reply = with("/", &browser, None).await?;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
    assert!(reply.text.contains("<h1>The request is foreign</h1>"), "{}", reply.text);
    Ok(())
}

#[tokio::test]
async fn a_login_gives_a_cookie_that_is_not_the_token() -> Tested {
    let door = format!("/login?token={TOKEN}");
    let reply = with(&door, &[(header::HOST, HOST)], Some(TOKEN)).await?;
    assert_eq!((reply.status, reply.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/"));
    let cookie = reply.header(header::SET_COOKIE);
    assert!(cookie.contains("HttpOnly; SameSite=Strict") && !cookie.contains(TOKEN), "{cookie}");
    let cookie = cookie.split(';').next().unwrap_or_default();
    let headers = [(header::HOST, HOST), (header::COOKIE, cookie)];
    assert_eq!(with("/api/v1/runs", &headers, Some(TOKEN)).await?.status, StatusCode::OK);
    let wrong =
        with("/login?token=a-token-of-others", &[(header::HOST, HOST)], Some(TOKEN)).await?;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    Ok(())
}

#[tokio::test]
async fn what_is_not_there_is_a_problem() -> Tested {
    let folder = tempfile::tempdir()?;
    let reply = ask(&app(&folder.path().join("howfar.db"), None), "/api/v1/nowhere").await?;
    assert_eq!(reply.header(header::CONTENT_TYPE), "application/problem+json");
    assert_eq!((reply.status, &reply.json()?["type"]), (StatusCode::NOT_FOUND, &"no_route".into()));
    Ok(())
}
