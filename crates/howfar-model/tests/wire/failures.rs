//! Failures that every wire meets: each is a classified error, never an empty answer.

use std::time::Duration;

use howfar_model::{Clock, ModelErrorKind, ModelSettings, build_model};
use howfar_wire::vocabulary::RefusalKind;
use tokio_util::sync::CancellationToken;

use crate::fake::{
    Ending, Fake, KEY, answer, ask, ask_within, broken_events, events, request, short,
};

const WIRES: [&str; 2] = ["openai-compatible", "anthropic"];
const TEXT: &str = r#"{"choices":[{"index":0,"delta":{"content":"5"}}]}"#;

/// Sends these bytes on both wires and compares the kind of failure.
async fn check(bytes: &str, expected: ModelErrorKind) {
    for wire in WIRES {
        let fake = Fake::start(bytes.to_owned(), Ending::Close).await;
        let error = ask(wire, &fake).await.expect_err("a failure");
        assert_eq!(error.kind, expected, "{wire}: {error}");
    }
}

#[tokio::test]
async fn a_rate_limit_is_a_refusal_with_its_waiting_time() {
    let body = r#"{"error":{"code":"rate_limit_exceeded","message":"slow down"}}"#;
    let bytes = answer("429 Too Many Requests\r\nretry-after: 7", "application/json", body);
    let fake = Fake::start(bytes, Ending::Close).await;
    let error = ask("openai", &fake).await.expect_err("a refusal");
    assert_eq!(error.refusal(), Some(RefusalKind::RateLimited));
    assert_eq!((error.status, error.retry_after), (Some(429), Some(Duration::from_secs(7))));
    assert_eq!(error.code.as_deref(), Some("rate_limit_exceeded"));
    assert_eq!(error.to_string(), "openai: answered with status 429: slow down");
    assert!(fake.head().starts_with("POST"), "one request only");
}

#[tokio::test]
async fn an_unknown_model_is_a_rejection() {
    let bytes = answer("404 Not Found", "application/json", r#"{"error":{"message":"no model"}}"#);
    check(&bytes, ModelErrorKind::Rejected).await;
}

#[tokio::test]
async fn an_error_list_is_read() {
    let body =
        r#"[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]"#;
    let bytes = answer("400 Bad Request", "application/json", body);
    check(&bytes, ModelErrorKind::Refused(RefusalKind::Credentials)).await;
}

#[tokio::test]
async fn an_outage_page_is_an_outage() {
    let bytes = answer("502 Bad Gateway", "text/html", "<html>bad gateway</html>");
    check(&bytes, ModelErrorKind::Refused(RefusalKind::Unavailable)).await;
}

#[tokio::test]
async fn a_page_with_status_200_is_malformed() {
    check(&answer("200 OK", "text/html", "<html>sign in</html>"), ModelErrorKind::Malformed).await;
}

#[tokio::test]
async fn an_empty_stream_is_malformed() {
    check(&events(&[]), ModelErrorKind::Malformed).await;
}

#[tokio::test]
async fn an_empty_body_is_malformed() {
    check(&answer("200 OK", "application/json", ""), ModelErrorKind::Malformed).await;
}

#[tokio::test]
async fn json_that_is_no_answer_is_malformed() {
    check(&answer("200 OK", "application/json", "{}"), ModelErrorKind::Malformed).await;
}

#[tokio::test]
async fn an_event_that_is_not_json_is_malformed() {
    check(&events(&["{\"choices\":"]), ModelErrorKind::Malformed).await;
}

#[tokio::test]
async fn done_alone_is_malformed() {
    let fake = Fake::start(events(&["[DONE]"]), Ending::Close).await;
    let error = ask("openai", &fake).await.expect_err("no choice");
    assert_eq!(error.kind, ModelErrorKind::Malformed);
}

#[tokio::test]
async fn a_missing_done_broke_off() {
    let fake = Fake::start(events(&[TEXT]), Ending::Close).await;
    let error = ask("openai", &fake).await.expect_err("no [DONE]");
    assert_eq!(error.kind, ModelErrorKind::Disconnected);
    assert_eq!(error.to_string(), "openai: the stream ended before [DONE]");
}

#[tokio::test]
async fn a_body_that_ends_inside_an_event_broke_off() {
    let bytes = answer("200 OK", "text/event-stream", "data: {\"choices\":[{\"del");
    check(&bytes, ModelErrorKind::Disconnected).await;
}

#[tokio::test]
async fn a_connection_lost_in_the_stream_broke_off() {
    check(&broken_events(&[TEXT]), ModelErrorKind::Disconnected).await;
}

#[tokio::test]
async fn a_connection_lost_before_the_answer_broke_off() {
    check("", ModelErrorKind::Disconnected).await;
}

#[tokio::test]
async fn an_error_object_inside_the_stream_is_classified() {
    let error = r#"{"error":{"code":429,"message":"slow down"}}"#;
    check(&events(&[TEXT, error]), ModelErrorKind::Refused(RefusalKind::RateLimited)).await;
}

#[tokio::test]
async fn an_error_that_names_itself_is_found() {
    let error = r#"{"object":"error","type":"server_error","message":"out of memory"}"#;
    check(&events(&[error]), ModelErrorKind::Refused(RefusalKind::Unavailable)).await;
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let bytes = answer("302 Found\r\nlocation: http://127.0.0.1:9/", "text/plain", "");
    check(&bytes, ModelErrorKind::Rejected).await;
}

#[tokio::test]
async fn a_key_in_an_error_text_is_redacted() {
    let body = format!(r#"{{"error":{{"message":"bad key {KEY}"}}}}"#);
    let fake = Fake::start(answer("401 Unauthorized", "application/json", &body), Ending::Close);
    let error = ask("openai", &fake.await).await.expect_err("a refusal");
    assert_eq!(error.message, "answered with status 401: bad key [REDACTED]");
}

#[tokio::test]
async fn the_request_clock_fires_before_any_answer() {
    for wire in WIRES {
        let fake = Fake::start(String::new(), Ending::Hang).await;
        let error = ask_within(wire, &fake, short(50, 60_000)).await.expect_err("no answer");
        assert_eq!(error.fired_clock(), Some(Clock::Request));
        assert!(error.message.contains("model request clock"), "{error}");
    }
}

#[tokio::test]
async fn the_idle_clock_fires_inside_the_stream() {
    for wire in WIRES {
        let fake = Fake::start(events(&[TEXT]), Ending::Hang).await;
        let error = ask_within(wire, &fake, short(60_000, 50)).await.expect_err("no end");
        assert_eq!(error.fired_clock(), Some(Clock::Idle));
        assert!(error.message.contains("idle clock"), "{error}");
    }
}

#[tokio::test]
async fn an_error_body_that_never_ends_is_bounded_by_the_clock() {
    let fake = Fake::start(answer("500 Oops", "text/plain", "still"), Ending::Hang).await;
    let error = ask_within("openai", &fake, short(60_000, 50)).await.expect_err("a failure");
    assert_eq!(error.refusal(), Some(RefusalKind::Unavailable));
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let base_url = Some("http://127.0.0.1:1/v1".to_owned());
    let settings = ModelSettings { base_url, ..ModelSettings::new("openai-compatible", "m") };
    let model = build_model(&settings).expect("the settings are complete");
    let error = model.respond(&request(), &CancellationToken::new()).await;
    let error = error.expect_err("nobody listens");
    assert_eq!(error.kind, ModelErrorKind::Unreachable);
    assert!(error.message.starts_with("could not connect to 127.0.0.1:1:"), "{error}");
}

#[tokio::test]
async fn a_cancelled_call_ends_at_once() {
    let fake = Fake::start(String::new(), Ending::Hang).await;
    let base_url = Some(fake.base_url.clone());
    let settings = ModelSettings { base_url, ..ModelSettings::new("openai-compatible", "m") };
    let model = build_model(&settings).expect("the settings are complete");
    let cancel = CancellationToken::new();
    let request = request();
    let (turn, ()) = tokio::join!(model.respond(&request, &cancel), async { cancel.cancel() });
    assert_eq!(turn.expect_err("cancelled").kind, ModelErrorKind::Cancelled);
}
