//! The MCP server without a process: a client on the other end of a pipe in memory.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use howfar_server::mcp::{McpServer, RunProgress, RunSuite, SuiteOrder, SuiteRunEnd};
use howfar_testkit::samples::Sample;
use howfar_wire::vocabulary::ExitCode;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::Stored;

/// Runs nothing: it keeps the order, and ends when it is cancelled, or at once.
#[derive(Default)]
struct Runs {
    waits: bool,
    began: Arc<tokio::sync::Notify>,
    ordered: Mutex<Option<SuiteOrder>>,
    cancelled: AtomicBool,
}

impl RunSuite for Runs {
    fn run<'a>(
        &'a self,
        order: SuiteOrder,
        progress: &'a (dyn Fn(RunProgress) + Send + Sync),
        cancel: CancellationToken,
    ) -> BoxFuture<'a, SuiteRunEnd> {
        Box::pin(async move {
            *self.ordered.lock().expect("nobody panics with it") = Some(order);
            progress(RunProgress { finished_trials: 1, configured_trials: 2 });
            self.began.notify_one();
            if self.waits {
                cancel.cancelled().await;
                self.cancelled.store(true, Ordering::Relaxed);
            }
            let message = "error: no server\n  hint: bind it".to_owned();
            SuiteRunEnd::Unreported { message, exit: Some(ExitCode::Setup) }
        })
    }
}

/// A client of a server over a store and a folder.
struct Session {
    client: RunningService<RoleClient, ()>,
    server: JoinHandle<()>,
    _folder: tempfile::TempDir,
}

impl Session {
    async fn over(store: PathBuf, runs: Arc<Runs>) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        std::fs::write(folder.path().join("paid.yaml"), suite("openai/gpt-x")).expect("writable");
        std::fs::write(folder.path().join("free.yaml"), suite("scripted/s")).expect("writable");
        std::fs::write(
            folder.path().join("broken.yaml"),
            "schemaVersion: \"2\"\nsuite: {}\ncases: 1\n",
        )
        .expect("writable");
        std::fs::write(folder.path().join("ci.yaml"), "name: CI\n").expect("writable");
        let server = McpServer::new(&store, folder.path(), runs).expect("a readable folder");
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        let server = tokio::spawn(async move {
            server.serve(input, output).await.expect("the session ends well");
        });
        let client = ().serve(ours).await.expect("a session begins");
        Self { client, server, _folder: folder }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(request).await.expect("a known tool answers")
    }

    async fn document(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(false), "{result:?}");
        result.structured_content.unwrap_or_default()
    }

    async fn failure(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{result:?}");
        result.content[0].as_text().map(|text| text.text.clone()).unwrap_or_default()
    }
}

fn suite(model: &str) -> String {
    format!(
        "schemaVersion: \"2\"\nmode: agentWorkflow\nreportingMode: standard\nsuite: {{ id: s_sample, name: S }}\n\
         target: {{ servers: [ {{ name: a }} ] }}\n\
         defaults: {{ model: {model}, iterations: 3, passThreshold: 1, validity: {{}} }}\n\
         cases:\n  - id: c_one\n    title: One\n    steps: [ {{ id: p, kind: prompt, prompt: hello }} ]\n\
         \x20   assertions: [ {{ type: responseContains, needle: a }} ]\n"
    )
}

async fn over(stored: &Stored) -> Session {
    Session::over(stored.path.clone(), Arc::default()).await
}

#[tokio::test]
async fn a_place_without_store_holds_no_run_and_that_is_no_error() {
    let session = Session::over(PathBuf::from("/nowhere/howfar.db"), Arc::default()).await;
    let runs = session.document("list_runs", json!({})).await;
    assert_eq!(runs["document"]["totalRuns"], 0);
    let failure = session.failure("get_run", json!({ "runId": "latest" })).await;
    assert!(failure.starts_with("run_not_found: "), "{failure}");
}

#[tokio::test]
async fn three_absences_are_three_answers() {
    let stored = Stored::with(&[(Sample { number: 0, trials: 5 }, 0)]);
    let session = over(&stored).await;
    let missing = session.failure("get_analytics", json!({ "runId": "r_none" })).await;
    assert!(missing.starts_with("run_not_found: "), "{missing}");
    let unmeasured = session.document("get_analytics", json!({ "runId": "latest" })).await;
    assert_eq!(unmeasured["document"]["state"], "notMeasured");
    assert_eq!(unmeasured["document"].get("analytics"), None);
    let foreign = session.failure("get_chain", json!({ "runId": "latest", "caseId": "c_x" })).await;
    assert!(foreign.starts_with("case_not_found: "), "{foreign}");
}

#[tokio::test]
async fn pages_keep_the_budget_and_give_every_trial_once() {
    let (stored, _) = Stored::run(300);
    let session = over(&stored).await;
    let (mut seen, mut cursor) = (0, Value::Null);
    loop {
        let mut arguments = json!({ "runId": "latest", "limit": 200, "maxBytes": 8_000 });
        if cursor.is_string() {
            arguments["cursor"] = cursor;
        }
        let answer = session.document("list_iterations", arguments).await;
        assert!(answer.to_string().len() <= 8_000);
        let page = &answer["document"];
        seen += page["iterations"].as_array().map_or(0, Vec::len);
        if page["nextCursor"].is_null() {
            break;
        }
        assert_eq!(answer["leftOut"].as_array().map(Vec::len), Some(1), "{answer}");
        cursor = page["nextCursor"].clone();
    }
    assert_eq!(seen, 300);
}

#[tokio::test]
async fn a_run_is_its_decision_summary_with_pages_that_keep_the_budget() {
    let (stored, _) = Stored::run(600);
    let session = over(&stored).await;
    let (mut seen, mut scanned, mut cursor) = (0, 0, Value::Null);
    loop {
        let mut arguments = json!({ "runId": "latest", "limit": 200, "maxBytes": 16_000 });
        if cursor.is_string() {
            arguments["cursor"] = cursor;
        }
        let answer = session.document("get_run", arguments).await;
        assert!(answer.to_string().len() <= 16_000, "{}", answer.to_string().len());
        assert_eq!(answer["document"]["head"]["population"]["executedIterations"], 600);
        let summary = &answer["document"]["summary"];
        assert_eq!(
            (&summary["verdict"], &summary["counts"]["total"]),
            (&json!("failed"), &json!(6))
        );
        seen += summary["diagnostics"]["items"].as_array().map_or(0, Vec::len);
        scanned += summary["diagnostics"]["scannedIterations"].as_u64().unwrap_or_default();
        cursor = summary["diagnostics"]["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((seen, scanned), (60, 600));
}

#[tokio::test]
async fn decisions_of_cases_that_a_small_answer_leaves_out_are_counted() {
    let (stored, _) = Stored::run(600);
    let small = json!({ "runId": "latest", "maxBytes": 6_000 });
    let answer = over(&stored).await.document("get_run", small).await;
    let kept = answer["document"]["summary"]["decision"]["cases"].as_array().map_or(0, Vec::len);
    let note = format!("/summary/decision/cases: the last {} of 6 case variants", 6 - kept);
    let notes = answer["leftOut"].as_array().cloned().unwrap_or_default();
    assert!(notes.iter().any(|left| left["what"] == note.as_str()), "{notes:?}");
}

#[tokio::test]
async fn trials_are_listed_by_the_state_of_a_link() {
    let (stored, _) = Stored::run(20);
    let session = over(&stored).await;
    for (filter, expected) in [
        (json!({ "stage": "selection", "state": "failed" }), 2),
        (json!({ "stage": "selection", "state": "passed" }), 18),
        (json!({ "firstFailedStage": "selection" }), 2),
        (json!({ "excluded": true }), 0),
    ] {
        let mut arguments = filter.clone();
        arguments["runId"] = json!("latest");
        let answer = session.document("list_iterations", arguments).await;
        assert_eq!(answer["document"]["totalTrials"], expected, "{filter}");
    }
    let half = json!({ "runId": "latest", "stage": "call" });
    let failure = session.failure("list_iterations", half).await;
    assert!(failure.starts_with("invalid_parameter: ") && failure.contains("state"), "{failure}");
}

#[tokio::test]
async fn a_budget_out_of_bounds_is_refused() {
    let (stored, _) = Stored::run(1);
    let failure = over(&stored).await.failure("list_runs", json!({ "maxBytes": 10 })).await;
    assert!(failure.contains("`maxBytes` is 10; it goes from 4000 to 400000"), "{failure}");
}

#[tokio::test]
async fn a_wrong_parameter_is_named_with_what_the_tool_takes() {
    let (stored, _) = Stored::run(1);
    let session = over(&stored).await;
    let unknown = session.failure("get_run", json!({ "run": "latest" })).await;
    assert!(unknown.contains("`run`") && unknown.contains("runId (required)"), "{unknown}");
    let kind = json!({ "runId": "latest", "taskVerdict": "fail" });
    let mistyped = session.failure("list_iterations", kind).await;
    assert!(mistyped.contains("taskVerdict") && mistyped.contains("`failed`"), "{mistyped}");
    let alone = session.failure("get_chain", json!({ "runId": "latest", "iteration": 1 })).await;
    assert!(alone.contains("name `caseId` too"), "{alone}");
}

#[tokio::test]
async fn suites_are_listed_with_their_last_verdict() {
    let (stored, id) = Stored::run(10);
    let answer = over(&stored).await.document("list_suites", json!({})).await;
    let suites = answer["document"]["suites"].as_array().cloned().unwrap_or_default();
    let paths: Vec<_> =
        suites.iter().map(|suite| suite["path"].as_str().unwrap_or_default()).collect();
    assert_eq!(paths, ["broken.yaml", "free.yaml", "paid.yaml"]);
    assert_eq!((&suites[0]["valid"], &suites[0]["lastRun"]), (&json!(false), &Value::Null));
    assert_eq!(suites[1]["lastRun"]["runId"], id.as_str());
}

#[tokio::test]
async fn two_runs_are_compared_blockers_first() {
    let stored = Stored::with(&[
        (Sample { number: 0, trials: 20 }, 20),
        (Sample { number: 1, trials: 20 }, 20),
    ]);
    let session = over(&stored).await;
    let answer = session.document("compare_runs", json!({ "runId": "latest" })).await;
    let comparison = &answer["document"]["comparison"];
    assert_eq!(comparison["parityBlockers"], json!([]), "{answer}");
    assert_eq!(comparison["passRate"]["unit"], "trial");
    assert_eq!(comparison["passRate"]["verdict"], "no_regression");
    // No scores were recorded: the gate over them decides nothing, and so does the whole.
    assert_eq!(answer["document"]["outcome"], "incomplete");
    let base = answer["document"]["baseRunId"].as_str().unwrap_or_default().to_owned();
    let alone = session.document("compare_runs", json!({ "runId": base })).await;
    assert_eq!(alone["document"]["outcome"], "incomplete");
    assert_eq!(alone["document"].get("comparison"), None);
}

#[tokio::test]
async fn a_paid_suite_is_refused_with_what_it_would_spend() {
    let (stored, _) = Stored::run(1);
    let runs = Arc::<Runs>::default();
    let session = Session::over(stored.path.clone(), Arc::clone(&runs)).await;
    let failure = session.failure("run_suite", json!({ "path": "paid.yaml" })).await;
    assert!(failure.starts_with("cost_not_confirmed: nothing ran"), "{failure}");
    assert!(
        failure.contains("3 trial(s) of 1 case(s) with openai/gpt-x, at most 30 model calls"),
        "{failure}"
    );
    assert_eq!(*runs.ordered.lock().expect("nobody panics with it"), None);
}

#[tokio::test]
async fn a_scripted_suite_and_a_confirmed_one_are_ordered() {
    let (stored, _) = Stored::run(1);
    let runs = Arc::<Runs>::default();
    let session = Session::over(stored.path.clone(), Arc::clone(&runs)).await;
    let confirmed = json!({ "path": "paid.yaml", "confirmCost": true });
    for arguments in [json!({ "path": "free.yaml", "caseIds": ["c_one"] }), confirmed] {
        let failure = session.failure("run_suite", arguments).await;
        assert!(failure.contains("no server\\n  hint: bind it"), "{failure}");
        assert!(runs.ordered.lock().expect("nobody panics with it").take().is_some());
    }
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let (stored, _) = Stored::run(1);
    let session = over(&stored).await;
    for tool in ["run_suite", "validate_suite"] {
        let failure = session.failure(tool, json!({ "path": "../../etc/passwd" })).await;
        assert!(failure.starts_with("file_not_found: "), "{failure}");
    }
}

#[tokio::test]
async fn a_run_under_way_ends_with_its_session() {
    let (stored, _) = Stored::run(1);
    let runs = Arc::new(Runs { waits: true, ..Runs::default() });
    let session = Session::over(stored.path.clone(), Arc::clone(&runs)).await;
    let peer = session.client.peer().clone();
    let arguments = json!({ "path": "free.yaml" }).as_object().cloned().unwrap_or_default();
    let request = CallToolRequestParams::new("run_suite").with_arguments(arguments);
    let call = tokio::spawn(async move { peer.call_tool(request).await });
    runs.began.notified().await;
    session.client.cancel().await.expect("the client ends");
    session.server.await.expect("the server ends");
    assert!(runs.cancelled.load(Ordering::Relaxed));
    assert!(call.await.expect("the call ends").is_err());
}

#[tokio::test]
async fn a_cancelled_call_ends_its_run() {
    let (stored, _) = Stored::run(1);
    let runs = Arc::new(Runs { waits: true, ..Runs::default() });
    let session = Session::over(stored.path.clone(), Arc::clone(&runs)).await;
    let peer = session.client.peer().clone();
    let arguments = json!({ "path": "free.yaml" }).as_object().cloned().unwrap_or_default();
    let request = CallToolRequestParams::new("run_suite").with_arguments(arguments);
    // A call that is dropped is cancelled at the server.
    tokio::select! {
        answer = peer.call_tool(request) => panic!("{answer:?}"),
        () = runs.began.notified() => {}
    }
    session.document("list_runs", json!({})).await;
    while !runs.cancelled.load(Ordering::Relaxed) {
        tokio::task::yield_now().await;
    }
}
