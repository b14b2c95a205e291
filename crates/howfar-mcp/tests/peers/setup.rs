//! Sessions that do not open, and what the error says.

use std::time::Duration;

use howfar_mcp::{
    CanaryVerdict, ConnectOptions, FindingCode, ProtocolMode, ServerBinding, SetupError, connect,
    egress_canary,
};
use serde_json::json;

use crate::script::{Script, initialize_answer, options};

/// Every part must stand in the message.
fn check(error: &SetupError, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{text}\nlacks: {part}");
    }
}

async fn failing(script: Script) -> SetupError {
    script.connect().await.err().expect("no session opens")
}

#[tokio::test]
async fn a_command_that_does_not_exist_is_named() {
    let binding = ServerBinding::from_command("/no/such/program-x", ["--token=hidden"]);
    let error = connect("files", &binding, &options()).await.err().expect("no such program");
    check(
        &error,
        &[
            "server \"files\" cannot be connected",
            "command \"program-x\" was not found",
            "install it",
        ],
    );
    assert!(!error.to_string().contains("hidden"));
    assert_eq!(
        egress_canary(&binding, &error, None, Duration::from_secs(5)).await,
        CanaryVerdict::NotVerified
    );
}

#[tokio::test]
async fn an_early_exit_quotes_status_stderr_and_banner() {
    let error =
        failing(Script::default().runs("echo 'no module x' >&2").prints("Welcome!").runs("exit 3"))
            .await;
    check(&error, &["exited with code 3", "no module x", "began with: Welcome!"]);
    assert_eq!(error.child_exit.and_then(|exit| exit.code), Some(3));
    assert!(error.was_spawned());
}

#[tokio::test]
async fn silence_runs_into_the_setup_timeout() {
    let options = ConnectOptions { setup_timeout: Duration::from_millis(100), ..options() };
    let binding = Script::default().prints("Listening on stdio").binding();
    let error = connect("s", &binding, &options).await.err().expect("no answer");
    check(
        &error,
        &["gave no answer within 0.1 s", "Listening on stdio", "raise the setup timeout"],
    );
    assert_eq!((error.code(), error.http_status(), error.rpc_code()), (None, None, None));
}

#[tokio::test]
async fn an_error_answer_keeps_its_code() {
    let text = r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32001,"message":"log in first","data":{"cause":1}}}"#;
    let error = failing(Script::default().reads(1).prints(text)).await;
    check(&error, &["answered with error -32001: log in first"]);
    assert_eq!(error.rpc_code(), Some(-32001));
}

#[tokio::test]
async fn a_version_that_is_not_spoken_is_refused() {
    for version in ["2024-10-07", "2030-01-01"] {
        let error = failing(Script::default().reads(1).says(&initialize_answer(version))).await;
        check(&error, &[&format!("protocol version \"{version}\""), "2025-11-25"]);
    }
}

#[tokio::test]
async fn an_unreadable_answer_ends_the_attempt_at_once() {
    let error =
        failing(Script::default().reads(1).prints(r#"{"jsonrpc":"2.0","id":0,"result":{"pro"#))
            .await;
    check(&error, &["is not readable: the JSON text is truncated"]);
    let answer = json!({"jsonrpc": "2.0", "id": 0, "result": {"capabilities": {}}});
    check(
        &failing(Script::default().reads(1).says(&answer)).await,
        &["no usable protocol version"],
    );
}

#[tokio::test]
async fn an_odd_answer_still_opens_a_session() {
    let result = json!({"protocolVersion": "2025-11-25", "capabilities": [], "serverInfo": {"name": 5}, "instructions": "i"});
    let answer = json!({"jsonrpc": "2.0", "id": 0, "result": result});
    let connection = Script::default().reads(1).says(&answer).connected().await;
    let codes: Vec<FindingCode> =
        connection.findings().iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [FindingCode::IncompleteInitialize, FindingCode::IncompleteInitialize]);
    assert_eq!(
        (connection.info().server_name(), connection.info().instructions.as_deref()),
        (None, Some("i"))
    );
}

#[tokio::test]
async fn facts_of_the_session_are_recorded() {
    let connection = Script::initialized().connected().await;
    let info = connection.info();
    assert_eq!((info.server_name(), info.server_version()), (Some("peer"), Some("1.2")));
    assert_eq!(
        (&info.capabilities, &info.client_capabilities),
        (&Some(json!({"x": 1})), &json!({}))
    );
}

#[tokio::test]
async fn initialize_asks_for_the_newest_version_that_has_it() {
    let script = Script::default()
        .reads(1)
        .runs(r#"case "$line" in *'"protocolVersion":"2025-11-25"'*) ;; *) exit 9;; esac"#);
    script.says(&initialize_answer("2025-11-25")).connected().await;
}

#[tokio::test]
async fn auto_falls_back_to_discovery() {
    // One script serves both attempts: it answers by method.
    let refusal =
        r#"printf '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"no initialize"}}\n'"#;
    let info = r#"{"name":"modern","version":"2"}"#;
    let discovered = format!(
        r#"printf '%s\n' '{{"jsonrpc":"2.0","id":0,"result":{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{{}},"serverInfo":{info},"_meta":{{}}}}}}'"#
    );
    let script = Script::default().reads(1);
    let script = script
        .runs(&format!("case \"$line\" in *server/discover*) {discovered};; *) {refusal};; esac"));
    let options = ConnectOptions { mode: ProtocolMode::Auto, ..options() };
    let connection = connect("s", &script.binding(), &options).await.expect("discovery works");
    assert_eq!(
        (connection.info().protocol_version.as_str(), connection.info().server_name()),
        ("2026-07-28", Some("modern"))
    );
}
