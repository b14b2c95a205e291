//! Each mode of the scripted stdio server sends what its name promises: one test per mode, on the line as it came.

use std::process::{Command, Stdio};
use std::time::Duration;

use howfar_testkit::hostile::{self, Mode};
use serde_json::{Value, json};

use crate::wire::Wire;

/// The requests that the tests send after the handshake.
#[derive(Clone, Copy)]
enum Ask {
    Initialize,
    List,
    Add,
}

/// Asks once and checks that the next line holds the expected text.
fn check(mode: Mode, ask: Ask, expected: &str) {
    let mut wire = Wire::start(&mut hostile::command(mode).command());
    let line = exchange(&mut wire, ask).expect("the server answers");
    assert!(line.contains(expected), "{}: {line}", mode.as_str());
    assert_eq!(wire.finish(), Some(0));
}

fn exchange(wire: &mut Wire, ask: Ask) -> Option<String> {
    let (method, params) = match ask {
        Ask::Initialize => {
            return wire.exchange(7, "initialize", &json!({"protocolVersion": "2025-11-25"}));
        }
        Ask::List => ("tools/list", json!({})),
        Ask::Add => ("tools/call", json!({"name": "add", "arguments": {"a": 2, "b": 3}})),
    };
    wire.initialize();
    wire.exchange(7, method, &params)
}

macro_rules! spoken {
    ($($name:ident: $mode:ident, $ask:ident, $expected:expr;)+) => {
        $(#[test]
        fn $name() {
            check(Mode::$mode, Ask::$ask, $expected);
        })+

        /// The modes of the table.
        const SPOKEN: &[Mode] = &[$(Mode::$mode),+];
    };
}

spoken! {
    ok: Ok, Add, r#""structuredContent":{"sum":5.0}"#;
    paged: Paged, List, r#""nextCursor":"page-2""#;
    noise: Noise, Initialize, "[info] handling a request";
    initerr: InitErr, Initialize, r#""data":{"retryAfter":3600}"#;
    initold: InitOld, Initialize, r#""protocolVersion":"2024-10-07""#;
    initnew: InitNew, Initialize, r#""protocolVersion":"2030-01-01""#;
    noschema: NoSchema, List, r#""description":"Adds two numbers.","outputSchema""#;
    strschema: StrSchema, List, r#""inputSchema":"an object"#;
    badann: BadAnn, List, r#""annotations":{"readOnlyHint":"yes"}"#;
    unknown: Unknown, List, r#""annotations":{"readOnlyHint":true,"sparkleHint":true},"colour":"red""#;
    invalidschema: InvalidSchema, List, r#""type":"strin""#;
    dup: Dup, List, r#"{"tools":[{"name":"echo""#;
    nulls: Nulls, List, r#""title":null,"description":null"#;
    listnull: ListNull, List, r#""result":null"#;
    strid: StrId, List, r#""id":"7""#;
    nullid: NullId, List, r#""id":null"#;
    deep: Deep, Add, "[[[[[[[[";
    noversion: NoVersion, List, r#"{"id":7,"result":{"tools""#;
    extratools: ExtraTools, Add, r#""isError":false,"tools":["#;
    extramsgs: ExtraMsgs, Add, r#""isError":false,"messages":["#;
    extracontents: ExtraContents, Add, r#""isError":false,"contents":["#;
    hologram: Hologram, Add, r#""content":[{"type":"hologram""#;
    contentstr: ContentStr, Add, r#""content":"a string""#;
    iserrstr: IsErrStr, Add, r#""isError":"true""#;
    textonly: TextOnly, Add, r#""result":{"content":[{"type":"text","text":"it is five"}]}"#;
    wrongtype: WrongType, Add, r#""structuredContent":{"sum":"5"}"#;
    errshape: ErrShape, Add, r#""structuredContent":{"code":"offline"},"isError":true"#;
    emptycontent: EmptyContent, Add, r#""content":[],"structuredContent":{"sum":5.0}"#;
    ticket: Ticket, Add, r#""text":"ticket 7""#;
    nocontent: NoContent, Add, r#""result":{"structuredContent""#;
    errnomsg: ErrNoMsg, Add, r#""error":{"code":-32000}"#;
    errfloat: ErrFloat, Add, r#""code":"-32000.5""#;
    notjson: NotJson, Add, r#""result": {"conte"#;
    cursor_loop: Loop, List, r#""nextCursor":"again""#;
    notools: NoTools, List, r#""tools":[]"#;
    bigline: BigLine, Add, &"x".repeat(4 << 20);
    ansi: Ansi, List, "<script>";
    louderr: LoudErr, Initialize, "<script>";
}

/// The modes with a test of their own below.
const OTHER: &[Mode] = &[Mode::Crash, Mode::Slow, Mode::Hang, Mode::Banner, Mode::Exit, Mode::Stay];

#[test]
fn every_mode_has_a_test() {
    let tested = |mode: &&Mode| !SPOKEN.contains(mode) && !OTHER.contains(mode);
    let missing: Vec<&Mode> = Mode::ALL.iter().filter(tested).collect();
    assert_eq!(missing, [] as [&Mode; 0]);
}

#[test]
fn crash_ends_instead_of_answering() {
    let mut wire = Wire::start(&mut hostile::command(Mode::Crash).command());
    assert_eq!(exchange(&mut wire, Ask::Add), None);
    assert_eq!(wire.finish(), Some(3));
}

#[test]
fn slow_answers_the_next_request_first() {
    let mut wire =
        Wire::start(&mut hostile::command(Mode::Slow).arg("tools/call").arg("300").command());
    wire.initialize();
    wire.send(
        &json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "echo"}}),
    );
    let first = wire.exchange(8, "ping", &Value::Null).expect("the server goes on");
    assert!(first.contains(r#""id":8"#), "{first}");
    let second = wire.line(Duration::from_secs(60)).expect("the late answer comes");
    assert!(second.is_some_and(|line| line.contains(r#""id":7"#)));
}

#[test]
fn hang_never_answers_and_goes_on() {
    let mut wire = Wire::start(&mut hostile::command(Mode::Hang).arg("tools/list").command());
    wire.initialize();
    wire.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}));
    let next = wire.exchange(8, "ping", &Value::Null).expect("the server goes on");
    assert!(next.contains(r#""id":8"#), "{next}");
    assert_eq!(wire.finish(), Some(0));
}

#[test]
fn stay_outlives_its_standard_input() {
    let mut wire = Wire::start(&mut hostile::command(Mode::Stay).command());
    wire.initialize();
    wire.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call"}));
    wire.close_input();
    let next = wire.line(Duration::from_millis(100));
    assert!(next.is_err(), "neither an answer nor an end: {next:?}");
}

#[test]
fn paged_ends_on_its_third_page() {
    let mut wire = Wire::start(&mut hostile::command(Mode::Paged).command());
    wire.initialize();
    let last = wire.result(7, "tools/list", &json!({"cursor": "page-3"}));
    assert_eq!(last["tools"][0]["name"], "echo-3");
    assert_eq!(last.get("nextCursor"), None);
}

#[test]
fn bigline_takes_its_size() {
    let mut wire =
        Wire::start(&mut hostile::command(Mode::BigLine).arg("tools/call").arg("10").command());
    wire.initialize();
    let result =
        wire.result(7, "tools/call", &json!({"name": "echo", "arguments": {"text": "hello"}}));
    assert_eq!(result["content"][0]["text"], "xxxxxxxxxx");
}

#[test]
fn banner_prints_and_ends() {
    let output = run(Mode::Banner);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("Example server"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn exit_dies_with_a_traceback() {
    let output = run(Mode::Exit);
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("ModuleNotFoundError"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn notifications_are_named_on_stderr() {
    let mut command: Command = hostile::command(Mode::Ok).command();
    let mut child =
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server starts");
    let stdin = child.stdin.take().expect("stdin is piped");
    serde_json::to_writer(stdin, &json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}))
        .expect("the server reads");
    let output = child.wait_with_output().expect("the server ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "received notifications/cancelled\n");
}

fn run(mode: Mode) -> std::process::Output {
    hostile::command(mode).command().stdin(Stdio::null()).output().expect("the server starts")
}
