//! A run of one suite text, one model played by the test, and one scripted server.

use std::sync::Arc;

use howfar_core::predicate::CompiledChecks;
use howfar_mcp::{BoundServer, ServerBinding, StdioBinding};
use howfar_model::{
    BoxFuture, Model, ModelError, ModelErrorKind, ModelIdentity, ModelRequest, ModelTurn, ToolCall,
};
use howfar_runner::{
    CaseModel, PlannedCase, Resumed, RunEvent, RunIdentity, RunOptions, RunRequest, ready_case, run,
};
use howfar_suite::plan::{PlanOptions, plan_cases, select_cases};
use howfar_suite::{AuthoredSuite, parse_suite, resolve};
use howfar_testkit::hostile::{self, Mode};
use howfar_testkit::program::ProgramSpec;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::finding::Refusal;
use howfar_wire::report::{RunReport, SuiteIdentity};
use howfar_wire::vocabulary::{IterationStatus, RefusalKind};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// What a played model answers to a request.
pub(crate) type Answer = Result<ModelTurn, ModelError>;
type Play = dyn Fn(ModelRequest, CancellationToken) -> BoxFuture<'static, Answer> + Send + Sync;

/// A model whose answers the test decides.
pub(crate) struct PlayedModel {
    identity: ModelIdentity,
    play: Box<Play>,
}

impl PlayedModel {
    /// A model that answers at once with what `answer` gives.
    pub(crate) fn answering(
        answer: impl Fn(&ModelRequest) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self::playing(move |request, _| {
            let answer = answer(&request);
            Box::pin(async move { answer })
        })
    }

    /// A model that does what `play` does.
    pub(crate) fn playing(
        play: impl Fn(ModelRequest, CancellationToken) -> BoxFuture<'static, Answer>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let identity =
            ModelIdentity { provider: "scripted".to_owned(), model: "played".to_owned() };
        Self { identity, play: Box::new(play) }
    }
}

impl Model for PlayedModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Answer> {
        (self.play)(request.clone(), cancel.clone())
    }
}

/// A turn that says something and calls nothing.
pub(crate) fn says(text: &str) -> Answer {
    Ok(ModelTurn { text: text.to_owned(), provider: "scripted".to_owned(), ..ModelTurn::default() })
}

/// A turn that calls one tool.
pub(crate) fn calls(tool: &str, arguments: &Value) -> Answer {
    let call = ToolCall::new("call-1", tool, arguments.to_string());
    Ok(ModelTurn {
        tool_calls: vec![call],
        provider: "scripted".to_owned(),
        ..ModelTurn::default()
    })
}

/// A refused call.
pub(crate) fn refused(kind: RefusalKind) -> Answer {
    Err(ModelError::new(ModelErrorKind::Refused(kind), "scripted", "the provider said no"))
}

/// Calls `echo` for every prompt, then says what came back.
pub(crate) fn echoes(request: &ModelRequest) -> Answer {
    match request.turns_since_prompt() {
        0 => calls("echo", &json!({"text": "hello"})),
        _ => says("the server says hello"),
    }
}

/// One case with one prompt and the given number of trials.
pub(crate) fn one_case(iterations: u32) -> Value {
    suite(&json!([case("c", iterations)]))
}

/// A case with one prompt that expects a call of `echo`.
pub(crate) fn case(id: &str, iterations: u32) -> Value {
    json!({
        "id": id, "title": id, "iterations": iterations,
        "steps": [{"id": "ask", "kind": "prompt", "prompt": "say hello"}],
        "assertions": [{"type": "toolCalledAtLeastOnce", "toolName": "echo"}],
    })
}

/// A suite over one server.
pub(crate) fn suite(cases: &Value) -> Value {
    json!({
        "schemaVersion": "2", "mode": "agentWorkflow", "reportingMode": "standard",
        "suite": {"id": "s", "name": "S"}, "target": {"servers": [{"name": "server"}]},
        "defaults": {"model": "scripted/played", "iterations": 1, "passThreshold": 1, "validity": {}},
        "cases": cases,
    })
}

/// What a run needs: a suite, a played model and a scripted server.
pub(crate) fn request(suite: &Value, model: PlayedModel, server: &ProgramSpec) -> RunRequest {
    let text = suite.to_string();
    let parsed = parse_suite(&text);
    let authored = parsed.suite().unwrap_or_else(|| panic!("{:?}", parsed.findings()));
    let resolved = resolve(authored);
    let (selected, selection) = select_cases(&resolved, None).expect("cases are selected");
    let options = PlanOptions::default();
    let plans = plan_cases(&resolved, &selected, &options).expect("the cases can be planned");
    let model = case_model(model);
    let mut checks = CompiledChecks::default();
    let cases: Vec<PlannedCase> = selected
        .iter()
        .zip(&plans)
        .map(|(case, plan)| {
            let written = written(authored, &case.id.0);
            ready_case(&resolved, case, plan, &written, Some(model.clone()), None, &mut checks)
        })
        .collect();
    RunRequest {
        identity: RunIdentity {
            run_id: "r_test".to_owned(),
            suite_id: "s".to_owned(),
            started_at: "2026-01-01T00:00:00.000Z".to_owned(),
            started_at_ms: 1_767_225_600_000,
        },
        suite: SuiteIdentity {
            id: "s".to_owned(),
            name: "S".to_owned(),
            schema_version: "2".to_owned(),
            source_hash: howfar_suite::source_hash(text.as_bytes()),
        },
        reporting_mode: "standard".to_owned(),
        declared_hosts: Vec::new(),
        declared_environment: None,
        selection,
        cases,
        imported: Vec::new(),
        bindings: vec![bound(server)],
        tool_policy: resolved.defaults.tool_policy.clone(),
        validity: resolved.defaults.validity,
        options: RunOptions::default(),
        secrets: Vec::new(),
        withheld_env: Vec::new(),
        warnings: Vec::new(),
        resumed: Resumed::default(),
    }
}

/// The good scripted server.
pub(crate) fn good() -> ProgramSpec {
    hostile::command(Mode::Ok)
}

fn written(authored: &AuthoredSuite, id: &str) -> Value {
    let cases = authored.value()["cases"].as_array().cloned().unwrap_or_default();
    cases.into_iter().find(|case| case["id"] == id).expect("a planned case is written in the suite")
}

fn case_model(model: PlayedModel) -> CaseModel {
    CaseModel {
        effective: "scripted/played".to_owned(),
        provider: "scripted".to_owned(),
        scripted: true,
        script_digest: None,
        model: Arc::new(model),
    }
}

fn bound(server: &ProgramSpec) -> BoundServer {
    let binding = StdioBinding {
        command: server.program.display().to_string(),
        args: server.args.clone(),
        env: server.env.clone(),
        cwd: None,
    };
    let source_label = "--command".to_owned();
    BoundServer { name: "server".to_owned(), source_label, binding: ServerBinding::Stdio(binding) }
}

/// What a run told, in order.
#[derive(Default)]
pub(crate) struct Observed {
    /// One word per event, with the case or the trial.
    pub(crate) told: Vec<String>,
    /// The evidence of every trial.
    pub(crate) evidence: Vec<TrialEvidence<'static>>,
}

impl Observed {
    fn take(&mut self, event: &RunEvent<'_>) {
        let told = match event {
            RunEvent::RunStarted { .. } => "started".to_owned(),
            RunEvent::SetupFinished { .. } => "set up".to_owned(),
            RunEvent::Issue(issue) => format!("issue {}", issue.code),
            RunEvent::CaseStarted { case_id, trials, .. } => format!("case {case_id}: {trials}"),
            RunEvent::TrialFinished { evidence, .. } => {
                self.evidence.push((*evidence).clone());
                format!("trial {} of {}", evidence.iteration_number, evidence.case_id)
            }
            RunEvent::TrialRecorded { evidence, .. } => {
                format!("recorded {} of {}", evidence.iteration_number, evidence.case_id)
            }
            _ => panic!("an event that the tests do not know"),
        };
        self.told.push(told);
    }
}

/// Runs to the end.
pub(crate) fn run_to_end(request: RunRequest) -> (Result<RunReport, Refusal>, Observed) {
    run_with(request, &CancellationToken::new())
}

/// Runs until the end or until the token is cancelled.
pub(crate) fn run_with(
    request: RunRequest,
    cancel: &CancellationToken,
) -> (Result<RunReport, Refusal>, Observed) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let mut observed = Observed::default();
    let mut observe = |event: RunEvent<'_>| observed.take(&event);
    let ended = runtime.expect("a runtime starts").block_on(run(request, cancel, &mut observe));
    (ended, observed)
}

/// The statuses of the trials of a report, in its order.
pub(crate) fn statuses(report: &RunReport) -> Vec<IterationStatus> {
    let trials = report.cases.iter().flat_map(|case| &case.details.iterations);
    trials.map(|trial| trial.status).collect()
}
