//! What a scripted server says to a request, as the bytes it sends.

use serde_json::{Value, json};

use super::Mode;

/// The revisions of the protocol that the good part of the server knows, newest first.
const VERSIONS: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The size of the text that [`Mode::BigLine`] sends unless told otherwise, in bytes.
const BIG_TEXT: usize = 4 << 20;

/// How deep [`Mode::Deep`] nests.
const DEPTH: usize = 1_000;

/// Text that must never reach a terminal, a page or the log of a CI job as it is: terminal codes, markup of HTML and
/// Markdown, bidirectional controls, and, on a line of its own, commands of a log.
pub const LOUD: &str = "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}<b>bold</b><script>alert(1)</script> & \"q\" \
    \u{202e}dlrow\u{202c} | `tick` ![i](https://loud.example/i.png) @loud\n::error::loud ##[error]loud";

/// What follows on a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// This line now.
    Line(String),
    /// This line after the delay of the mode.
    Late(String),
    /// Nothing, ever.
    Silence,
    /// The end of the server.
    End,
}

/// The reply to one request (a message with `id` and `method`). `spoilt` is the method whose answer the mode spoils;
/// `size` replaces the number of bytes of [`Mode::BigLine`].
pub fn answer(mode: Mode, spoilt: &str, size: Option<usize>, request: &Value) -> Reply {
    let method = request["method"].as_str().unwrap_or_default();
    let id = &request["id"];
    let good = match outcome(mode, method, size.unwrap_or(BIG_TEXT), &request["params"]) {
        // No two requests of a client have the same id.
        Ok(result) if mode == Mode::Ticket && method == "tools/call" => {
            let result = with(result, "content", json!([text(&format!("ticket {id}"))]));
            json!({"jsonrpc": "2.0", "id": id, "result": result})
        }
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    };
    if method != spoilt {
        return Reply::Line(good.to_string());
    }
    let error = |error: Value| json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string();
    match mode {
        Mode::StrId => Reply::Line(with(good, "id", json!(id.to_string())).to_string()),
        Mode::NoVersion => Reply::Line(json!({"id": id, "result": good["result"]}).to_string()),
        Mode::ErrNoMsg => Reply::Line(error(json!({"code": -32000}))),
        Mode::ErrFloat => {
            Reply::Line(error(json!({"code": "-32000.5", "message": "the code is a string"})))
        }
        Mode::NotJson => {
            Reply::Line(format!(r#"{{"jsonrpc": "2.0", "id": {id}, "result": {{"conte"#))
        }
        Mode::Crash => Reply::End,
        Mode::Slow => Reply::Late(good.to_string()),
        Mode::Hang | Mode::Stay => Reply::Silence,
        Mode::NullId => Reply::Line(with(good, "id", Value::Null).to_string()),
        Mode::Deep => {
            let (open, close) = ("[".repeat(DEPTH), "]".repeat(DEPTH));
            Reply::Line(format!(
                r#"{{"jsonrpc": "2.0", "id": {id}, "result": {{"structuredContent": {open}{close}}}}}"#
            ))
        }
        _ => Reply::Line(good.to_string()),
    }
}

/// The result of a request, or the error object.
fn outcome(mode: Mode, method: &str, size: usize, params: &Value) -> Result<Value, Value> {
    match method {
        "initialize" => initialize(mode, params),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(list(mode, params["cursor"].as_str())),
        "tools/call" => call(mode, size, params),
        _ => {
            Err(json!({"code": -32601, "message": "Method not found", "data": {"method": method}}))
        }
    }
}

fn initialize(mode: Mode, params: &Value) -> Result<Value, Value> {
    let asked = params["protocolVersion"].as_str().filter(|asked| VERSIONS.contains(asked));
    let version = match mode {
        Mode::InitErr => {
            return Err(
                json!({"code": -32002, "message": "not today", "data": {"retryAfter": 3600}}),
            );
        }
        Mode::LoudErr => return Err(json!({"code": -32002, "message": LOUD})),
        Mode::InitOld => "2024-10-07",
        Mode::InitNew => "2030-01-01",
        _ => asked.unwrap_or(VERSIONS[0]),
    };
    Ok(json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": format!("hostile-{}", mode.as_str()), "version": "1.0.0"},
    }))
}

/// One page of the catalog.
fn list(mode: Mode, cursor: Option<&str>) -> Value {
    let second = |key: &str, value: Value| json!({"tools": [echo(), with(add(), key, value)]});
    match mode {
        Mode::ListNull => Value::Null,
        Mode::NoTools => json!({"tools": []}),
        Mode::Paged => page(cursor),
        Mode::Loop => json!({"tools": [echo()], "nextCursor": "again"}),
        Mode::Dup => json!({"tools": [echo(), echo(), echo()]}),
        Mode::NoSchema => json!({"tools": [echo(), without(add(), "inputSchema")]}),
        Mode::StrSchema => second("inputSchema", json!("an object with two numbers")),
        Mode::InvalidSchema => second(
            "inputSchema",
            json!({"type": "strin", "properties": {"a": {"type": "number"}}, "required": "a"}),
        ),
        Mode::BadAnn => second("annotations", json!({"readOnlyHint": "yes"})),
        Mode::Unknown => {
            let annotations = json!({"readOnlyHint": true, "sparkleHint": true});
            json!({"tools": [echo(), with(with(add(), "colour", json!("red")), "annotations", annotations)]})
        }
        Mode::Nulls => {
            let nulls = ["title", "description", "annotations"];
            let tool = nulls.iter().fold(add(), |tool, key| with(tool, key, Value::Null));
            json!({"tools": [echo(), tool]})
        }
        Mode::Ansi => {
            let tool = with(echo(), "name", json!(format!("echo {LOUD}")));
            json!({"tools": [with(tool, "description", json!(LOUD)), with(add(), "title", json!(LOUD))]})
        }
        _ => json!({"tools": [echo(), add()]}),
    }
}

/// The result of a call.
fn call(mode: Mode, size: usize, params: &Value) -> Result<Value, Value> {
    let good = call_good(params)?;
    Ok(match mode {
        Mode::ExtraTools => with(good, "tools", json!([echo()])),
        Mode::ExtraMsgs => with(
            good,
            "messages",
            json!([{"role": "user", "content": {"type": "text", "text": "hello"}}]),
        ),
        Mode::ExtraContents => {
            with(good, "contents", json!([{"uri": "file:///a", "text": "hello"}]))
        }
        Mode::Hologram => with(good, "content", json!([{"type": "hologram", "beams": 3}])),
        Mode::ContentStr => with(good, "content", json!("a string")),
        Mode::IsErrStr => with(good, "isError", json!("true")),
        Mode::NoContent => json!({"structuredContent": {"sum": 5}}),
        Mode::TextOnly => json!({"content": [text("it is five")]}),
        Mode::WrongType => with(good, "structuredContent", json!({"sum": "5"})),
        Mode::ErrShape => json!({
            "content": [text("the adder is offline")],
            "structuredContent": {"code": "offline"},
            "isError": true,
        }),
        Mode::EmptyContent => with(good, "content", json!([])),
        Mode::BigLine => with(good, "content", json!([text(&"x".repeat(size))])),
        Mode::Ansi => {
            let is_error = params["name"] == "add";
            with(with(good, "content", json!([text(LOUD)])), "isError", json!(is_error))
        }
        _ => good,
    })
}

/// What the good tools do; a name that ends otherwise than theirs is unknown.
fn call_good(params: &Value) -> Result<Value, Value> {
    let name = params["name"].as_str().unwrap_or_default();
    let arguments = &params["arguments"];
    match name.split_whitespace().next().unwrap_or_default() {
        "echo" | "echo-2" | "echo-3" => {
            let said = arguments["text"].as_str().unwrap_or_default();
            Ok(json!({"content": [text(said)], "isError": false}))
        }
        "add" => {
            let sum = arguments["a"].as_f64().zip(arguments["b"].as_f64()).map(|(a, b)| a + b);
            Ok(match sum {
                Some(sum) => {
                    json!({"content": [text(&sum.to_string())], "structuredContent": {"sum": sum}, "isError": false})
                }
                None => json!({"content": [text("a and b must be numbers")], "isError": true}),
            })
        }
        _ => Err(json!({"code": -32602, "message": format!("Unknown tool: {name}")})),
    }
}

/// Three pages with one tool each.
fn page(cursor: Option<&str>) -> Value {
    match cursor {
        None => json!({"tools": [echo()], "nextCursor": "page-2"}),
        Some("page-2") => {
            json!({"tools": [with(echo(), "name", json!("echo-2"))], "nextCursor": "page-3"})
        }
        Some(_) => json!({"tools": [with(echo(), "name", json!("echo-3"))]}),
    }
}

fn echo() -> Value {
    json!({
        "name": "echo",
        "title": "Echo",
        "description": "Gives the text back as it is.",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}

fn add() -> Value {
    let numbers = json!({"a": {"type": "number"}, "b": {"type": "number"}});
    json!({
        "name": "add",
        "title": "Add",
        "description": "Adds two numbers.",
        "inputSchema": {"type": "object", "properties": numbers, "required": ["a", "b"]},
        "outputSchema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn with(mut object: Value, key: &str, value: Value) -> Value {
    object[key] = value;
    object
}

fn without(mut object: Value, key: &str) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.shift_remove(key);
    }
    object
}
