//! Calls and listings over a child's standard streams.

use std::time::Duration;

use howfar_mcp::{CallAnswer, CallOptions, FindingCode, SetupCause};
use serde_json::{Map, json};

use crate::script::{Script, answer, call};

/// A short spelling of an answer.
fn spell(answer: &CallAnswer) -> String {
    match answer {
        CallAnswer::Result(result) => result.raw.to_string(),
        CallAnswer::Error(error) => {
            format!("error {} {} {:?}", error.code, error.message, error.data)
        }
        CallAnswer::Malformed { reason, excerpt: _ } => format!("malformed: {reason}"),
        CallAnswer::Transport(failure) => format!("transport: {failure}"),
        CallAnswer::Timeout { limit: _, strays } => format!("timeout {strays:?}"),
    }
}

async fn check(script: Script, expected: &str) {
    assert_eq!(spell(&script.call().await), expected);
}

fn answering(text: &str) -> Script {
    Script::initialized().reads(1).prints(text)
}

#[tokio::test]
async fn a_result_is_returned_as_it_was_sent() {
    let raw = r#"{"content":[{"type":"hologram"}],"tools":[],"isError":"yes","messages":null}"#;
    check(answering(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{raw}}}"#)), raw).await;
}

#[tokio::test]
async fn an_error_keeps_code_message_and_data() {
    let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no","data":{"k":1}}}"#;
    check(answering(text), r#"error -32603 no Some(Object {"k": Number(1)})"#).await;
}

#[tokio::test]
async fn malformed_answers_end_the_call_at_once() {
    check(
        answering(r#"{"jsonrpc":"2.0","id":1,"result":{"con"#),
        "malformed: the JSON text is truncated",
    )
    .await;
    check(
        answering(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1}}"#),
        "malformed: the error has no message",
    )
    .await;
    check(answering(r#"{"jsonrpc":"2.0","id":1,"result":null}"#), "malformed: the result is null")
        .await;
}

#[tokio::test]
async fn an_answer_without_jsonrpc_or_with_a_text_id_counts() {
    check(answering(r#"{"id":1,"result":{"content":[]}}"#), r#"{"content":[]}"#).await;
    check(answering(r#"{"jsonrpc":"2.0","id":"1","result":{"content":[]}}"#), r#"{"content":[]}"#)
        .await;
}

#[tokio::test]
async fn a_crash_says_how_the_process_ended() {
    let expected =
        "transport: the server closed its standard output; the process exited with code 7";
    check(Script::initialized().reads(1).runs("exit 7"), expected).await;
}

#[tokio::test]
async fn a_timeout_names_what_came_instead_and_cancels() {
    let stray = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;
    // The cancellation is the line after the call; the next request is then answered with it as evidence.
    let script = answering(stray)
        .reads(1)
        .runs(r#"case "$line" in *notifications/cancelled*) seen=yes;; esac"#);
    let script = script
        .reads(1)
        .runs(r#"printf '{"jsonrpc":"2.0","id":2,"result":{"seen":"%s"}}\n' "$seen""#);
    let connection = script.connected().await;
    let outcome = connection
        .call_tool("a", &Map::new(), CallOptions { timeout: Duration::from_millis(100) })
        .await;
    assert_eq!(spell(&outcome.answer), format!("timeout {:?}", [stray]));
    assert_eq!(spell(&call(&connection).await), r#"{"seen":"yes"}"#);
}

#[tokio::test]
async fn a_line_over_the_limit_is_an_error_of_its_call() {
    let script = Script::initialized().reads(1);
    let script = script.runs(r#"printf '{"jsonrpc":"2.0","id":1,"result":{"t":"'"#);
    let script = script.runs("head -c 200000 /dev/zero | tr '\\0' x").runs(r#"printf '"}}\n'"#);
    let options =
        howfar_mcp::ConnectOptions { max_message_bytes: 100_000, ..crate::script::options() };
    let connection =
        howfar_mcp::connect("s", &script.binding(), &options).await.expect("a session");
    assert_eq!(
        spell(&call(&connection).await),
        "malformed: the message is larger than 100000 bytes"
    );
}

#[tokio::test]
async fn concurrent_calls_get_their_own_answers() {
    let script = Script::initialized().reads(2);
    let script = script.says(&answer(2, json!({"n": 2}))).says(&answer(1, json!({"n": 1})));
    let connection = script.connected().await;
    let clone = connection.clone();
    let (first, second) = tokio::join!(call(&connection), call(&clone));
    assert_eq!((spell(&first).as_str(), spell(&second).as_str()), (r#"{"n":1}"#, r#"{"n":2}"#));
}

#[tokio::test]
async fn latency_is_answer_stamp_minus_request_stamp() {
    let connection = answering(&answer(1, json!({})).to_string()).connected().await;
    let outcome = connection.call_tool("a", &Map::new(), CallOptions::default()).await;
    assert!(outcome.started <= outcome.ended && outcome.started >= connection.info().ended);
    assert_eq!(outcome.latency(), outcome.ended - outcome.started);
}

#[tokio::test]
async fn noise_around_answers_is_a_finding() {
    let script = Script::default().prints("Server up").reads(1);
    let connection = script.says(&crate::script::initialize_answer("2024-11-05")).connected().await;
    let findings = connection.findings();
    assert_eq!(
        (findings[0].code, findings[0].text.as_str()),
        (FindingCode::StdoutNoise, "not a protocol message: Server up")
    );
    assert_eq!(connection.info().protocol_version, "2024-11-05");
}

#[tokio::test]
async fn pages_are_followed_by_cursor() {
    let page = |name: &str| json!([{"name": name, "inputSchema": {}, "execution": {"x": 1}}]);
    let script = Script::initialized()
        .reads(1)
        .says(&answer(1, json!({"tools": page("a"), "nextCursor": "c"})));
    let script = script.reads(1).runs(r#"case "$line" in *'"cursor":"c"'*) ;; *) exit 9;; esac"#);
    let catalog =
        script.says(&answer(2, json!({"tools": page("b")}))).connected().await.list_tools().await;
    let catalog = catalog.expect("two pages");
    assert_eq!((catalog.tools.len(), catalog.pages, catalog.complete), (2, 2, true));
    assert_eq!(catalog.raw[0], page("a")[0]);
}

#[tokio::test]
async fn a_listing_error_keeps_the_rpc_error() {
    let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy","data":[1]}}"#;
    let error = answering(text).connected().await.list_tools().await.expect_err("an error");
    let SetupCause::Rpc(rpc) = &error.cause else { panic!("{error}") };
    assert_eq!((rpc.code, rpc.message.as_str(), &rpc.data), (-32000, "busy", &Some(json!([1]))));
    assert!(error.to_string().starts_with(
        "server \"s\" cannot list its tools: command \"sh\" answered with error -32000: busy"
    ));
}

#[tokio::test]
async fn a_page_without_tools_is_malformed() {
    let error = answering(&answer(1, json!({"tools": {}})).to_string())
        .connected()
        .await
        .list_tools()
        .await;
    let error = error.expect_err("no list of tools").to_string();
    assert!(error.contains("the result has no list of tools"), "{error}");
}
