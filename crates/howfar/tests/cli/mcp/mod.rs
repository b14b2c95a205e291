//! `howfar mcp`, with the project's own client, and with clients that others wrote.

mod node_peers;
mod python_peers;

use howfar_testkit::home::Home;
use howfar_testkit::json::difference;
use serde_json::{Value, json};

use crate::support::howfar;

/// A home with the demo's suite, its server in `.mcp.json`, and one stored run of it.
struct Served {
    home: Home,
}

impl Served {
    fn new() -> Self {
        let home = Home::new();
        let written = home.invoke(howfar()).args(["demo", "--write", "."]).run();
        assert_eq!(written.code, Some(0), "{}", written.stderr);
        let server = json!({ "command": howfar(), "args": ["demo-server"] });
        home.write(".mcp.json", &json!({ "mcpServers": { "shop": server } }).to_string());
        let run =
            home.invoke(howfar()).args(["run", "shop.suite.yaml", "--store", "runs.db"]).run();
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        Self { home }
    }

    /// The questions that a client of others asks, in a file: what the server has, and every tool once.
    fn questions(&self) -> String {
        let tool = |name: &str, arguments: Value| json!({ "method": "callTool", "params": { "name": name, "arguments": arguments } });
        let trial = json!({ "runId": "latest", "caseId": "c_refund", "iteration": 1 });
        let questions = json!([
            { "method": "listTools" },
            tool("list_suites", json!({})),
            tool("validate_suite", json!({ "path": "shop.suite.yaml" })),
            tool("list_runs", json!({ "limit": 5 })),
            tool("get_run", json!({ "runId": "latest" })),
            tool("list_iterations", json!({ "runId": "latest", "taskVerdict": "failed" })),
            tool("get_trace", trial.clone()),
            tool("get_chain", trial),
            tool("get_analytics", json!({ "runId": "latest" })),
            tool("run_suite", json!({ "path": "shop.suite.yaml" })),
            tool("compare_runs", json!({ "runId": "latest" })),
            { "method": "readResource", "params": { "uri": "howfar://glossary/stageReasons" } },
            { "method": "getPrompt", "params": { "name": "explain_this_run", "arguments": { "run": "latest" } } },
            tool("get_run", json!({ "runId": "nothing" })),
        ]);
        self.home.write("questions.json", &questions.to_string()).display().to_string()
    }

    /// What the program that asks them answers, one entry per question, after what the server says of itself.
    fn asked(&self, program: &std::path::Path, before: &[&str], questions: &str) -> Vec<Value> {
        let binary = howfar().display().to_string();
        let server = [questions, &binary, "mcp", "--store", "runs.db"];
        let arguments = before.iter().copied().chain(server);
        let output = self.home.invoke(program).args(arguments).run();
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        output.json().as_array().cloned().unwrap_or_default()
    }
}

/// What every client has to find: ten tools that each answer with valid structured content, the glossary, the prompt, and
/// an error that says what to do next.
fn check(answers: &[Value]) {
    assert_eq!(answers[0]["server"]["name"], "howfar");
    let tools = answers[1]["answer"]["tools"].as_array().map_or(0, Vec::len);
    assert_eq!(tools, 10);
    for answer in &answers[2..12] {
        let answer = &answer["answer"];
        assert_ne!(answer["isError"], true, "{answer}");
        assert!(answer["structuredContent"]["document"].is_object(), "{answer}");
        let text = answer["content"][0]["text"].as_str().unwrap_or_default();
        let text: Value = serde_json::from_str(text).expect("the text is the same document");
        assert_eq!(difference(&text, &answer["structuredContent"]), None);
    }
    let comparison = &answers[11]["answer"]["structuredContent"]["document"];
    assert_eq!(comparison["comparison"]["parityBlockers"], json!([]), "{comparison}");
    let glossary = answers[12]["answer"]["contents"][0]["text"].as_str().unwrap_or_default();
    assert!(glossary.contains("`missingToolCall`"));
    let prompt =
        answers[13]["answer"]["messages"][0]["content"]["text"].as_str().unwrap_or_default();
    assert!(prompt.contains("Neither is a cause") && prompt.contains("The chain of trial 1"));
    let failure = &answers[14]["answer"];
    assert_eq!(failure["isError"], true);
    assert!(
        failure["content"][0]["text"].as_str().is_some_and(|text| text.contains("Next: list_runs"))
    );
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let output = Home::new().invoke(howfar()).args(["mcp", "--store", "none.db"]).run();
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), ""), "{}", output.stderr);
}

#[test]
fn a_folder_that_is_not_there_is_a_usage_error() {
    let output = Home::new().invoke(howfar()).args(["mcp", "--dir", "nowhere"]).run();
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("--dir") && output.stdout.is_empty(), "{}", output.stderr);
}

#[test]
fn howfar_measures_its_own_server_without_a_complaint() {
    let served = Served::new();
    let command = format!(
        "{} mcp --store {}",
        howfar().display(),
        served.home.work().join("runs.db").display()
    );
    let tools = ["list_suites", "list_runs", "get_run"];
    let tools = tools.iter().flat_map(|tool| ["--tool", tool]);
    let init =
        ["init", "--server", "stored", "--dir", "own", "--format", "json", "--command", &command];
    let init = served.home.invoke(howfar()).args(init.into_iter().chain(tools)).run();
    assert_eq!(init.code, Some(0), "{}", init.stderr);
    let run =
        ["run", "own/stored.suite.yaml", "--no-store", "--command", &command, "--format", "json"];
    let run = served.home.invoke(howfar()).args(run).run();
    let report = run.json();
    let server = &report["metadata"]["execution"]["servers"][0];
    assert_eq!((&server["tools"], server.get("quarantined")), (&json!(10), None), "{server}");
    assert_eq!(report["metadata"]["issues"], json!([]));
    let standard = own_server_rows(&report);
    assert!(
        !standard.is_empty() && standard.iter().all(|(_, outcome)| outcome != "failed"),
        "{standard:?}"
    );
}

/// The suite-standard rows about the catalog, of every trial.
fn own_server_rows(report: &Value) -> Vec<(String, String)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let trials =
        list(&report["cases"]).into_iter().flat_map(|case| list(&case["details"]["iterations"]));
    let rows = trials.flat_map(|trial| list(&trial["scorecard"]["rows"]));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.filter(|row| text(&row["stage"]) == "discovery")
        .map(|row| (text(&row["check"]), text(&row["outcome"])))
        .collect()
}
