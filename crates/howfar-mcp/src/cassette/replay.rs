//! Answering from a recording.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use howfar_wire::cassette::{
    ExchangeAnswer, ExchangeMethod, ExchangeSource, Question, RecordedFinding, TrialRef,
};
use serde_json::{Map, Value};

use super::convert::{live_call, live_findings};
use super::fault::live_fault;
use super::record::{call_request, list_request};
use crate::connection::{ConnectionInfo, Link};
use crate::recorder::Recorder;
use crate::{
    CallOutcome, ConnectOptions, Connection, ServerBinding, SetupError, SetupPhase, WireClock,
};

/// The other side of a replayed connection. A request without a recording gets no answer at all: it waits for the end
/// of the run, which the source brings about.
pub(crate) struct Replay {
    source: Arc<dyn ExchangeSource>,
    server: String,
}

/// Gives the recorded end of connecting. `binding` says only over which transport; nothing is started or asked.
pub(crate) async fn connect_replayed(
    name: &str,
    binding: &ServerBinding,
    options: &ConnectOptions,
    source: &Arc<dyn ExchangeSource>,
) -> Result<Connection, SetupError> {
    let started = options.clock.now();
    let question = Question {
        method: ExchangeMethod::Connect,
        name: name.to_owned(),
        trial: None,
        request: Value::Null,
    };
    let Some(exchange) = source.take(question) else { return pending().await };
    let ended = options.clock.now();
    let answer = exchange.answer;
    if let ExchangeAnswer::SetupFailed(fault) = answer {
        return Err(live_fault(*fault, name, SetupPhase::Connect, started, ended));
    }
    let ExchangeAnswer::Connected(session) = answer else { return pending().await };
    let recorder = Arc::new(Recorder::new(options.clock));
    note(&recorder, &exchange.findings);
    let link = Link {
        server: name.to_owned(),
        place: String::new(),
        options: options.clone(),
        recorder,
        child: None,
        stderr: None,
    };
    let info = ConnectionInfo {
        transport: binding.transport(),
        protocol_version: session.protocol_version,
        server_info: session.server_info,
        instructions: session.instructions,
        capabilities: session.capabilities,
        client_capabilities: session.client_capabilities,
        started,
        ended,
    };
    let replay = Replay { source: Arc::clone(source), server: name.to_owned() };
    Ok(Connection::replayed(link, replay, info))
}

impl Replay {
    /// Whether the recording lost the connection by here.
    pub(crate) fn is_lost(&self) -> bool {
        self.source.is_lost(&self.server)
    }

    /// A page of tools.
    pub(crate) async fn tools_page(
        &self,
        cursor: Option<&str>,
        recorder: &Recorder,
    ) -> Result<Map<String, Value>, SetupError> {
        let started = recorder.clock().now();
        let question = self.question(ExchangeMethod::ListTools, None, list_request(cursor));
        let Some(exchange) = self.source.take(question) else { return pending().await };
        note(recorder, &exchange.findings);
        let answer = exchange.answer;
        if let ExchangeAnswer::SetupFailed(fault) = answer {
            let ended = recorder.clock().now();
            return Err(live_fault(*fault, &self.server, SetupPhase::ListTools, started, ended));
        }
        let ExchangeAnswer::Page { result } = answer else { return pending().await };
        Ok(result)
    }

    /// A tool call, with the latency that was recorded.
    pub(crate) async fn call_tool(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        trial: Option<TrialRef>,
        clock: WireClock,
    ) -> CallOutcome {
        let started = clock.now();
        let request = call_request(tool, arguments);
        let question = self.question(ExchangeMethod::CallTool, trial, request);
        let Some(exchange) = self.source.take(question) else { return pending().await };
        let took = Duration::try_from_secs_f64(exchange.duration_ms / 1000.0).unwrap_or_default();
        match live_call(exchange.answer) {
            Some((answer, http)) => {
                CallOutcome { tool: tool.to_owned(), started, ended: started + took, answer, http }
            }
            // Nothing had come when the trial was given up; its clock fires here too.
            None => pending().await,
        }
    }

    fn question(
        &self,
        method: ExchangeMethod,
        trial: Option<TrialRef>,
        request: Value,
    ) -> Question {
        Question { method, name: self.server.clone(), trial, request }
    }
}

/// Adds the findings that the recording had by then; one that is known is not repeated.
fn note(recorder: &Recorder, findings: &[RecordedFinding]) {
    for finding in live_findings(findings) {
        recorder.find(finding.code, finding.text);
    }
}
