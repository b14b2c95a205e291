//! Keeping exchanges.

use std::sync::Arc;
use std::time::{Duration, Instant};

use howfar_wire::cassette::{
    Exchange, ExchangeAnswer, ExchangeMethod, ExchangeSink, RecordedSession, TrialRef,
};
use serde_json::{Map, Value};

use super::convert::{call_answer, recorded_findings};
use super::fault::setup_fault;
use crate::recorder::Recorder;
use crate::{CallOutcome, Connection, SetupError};

/// Where the exchanges of one connection are kept.
pub(crate) struct Log<'a> {
    pub(crate) sink: &'a Arc<dyn ExchangeSink>,
    pub(crate) server: &'a str,
}

/// Keeps how connecting went.
pub(crate) fn keep_connect(
    sink: &Arc<dyn ExchangeSink>,
    server: &str,
    took: Duration,
    connected: &Result<Connection, SetupError>,
) {
    let (answer, findings) = match connected {
        Ok(connection) => {
            let info = connection.info();
            let session = RecordedSession {
                protocol_version: info.protocol_version.clone(),
                server_info: info.server_info.clone(),
                instructions: info.instructions.clone(),
                capabilities: info.capabilities.clone(),
                client_capabilities: info.client_capabilities.clone(),
            };
            (ExchangeAnswer::Connected(session), recorded_findings(&connection.findings()))
        }
        Err(error) => (ExchangeAnswer::SetupFailed(Box::new(setup_fault(error))), Vec::new()),
    };
    sink.keep(Exchange {
        method: ExchangeMethod::Connect,
        name: server.to_owned(),
        trial: None,
        request: Value::Null,
        answer,
        duration_ms: milliseconds(took),
        findings,
    });
}

impl<'a> Log<'a> {
    /// Keeps a page of tools, or why there is none.
    pub(crate) fn keep_page(
        &self,
        cursor: Option<&str>,
        took: Duration,
        page: &Result<Map<String, Value>, SetupError>,
        recorder: &Recorder,
    ) {
        let answer = match page {
            Ok(result) => ExchangeAnswer::Page { result: result.clone() },
            Err(error) => ExchangeAnswer::SetupFailed(Box::new(setup_fault(error))),
        };
        self.sink.keep(Exchange {
            method: ExchangeMethod::ListTools,
            name: self.server.to_owned(),
            trial: None,
            request: list_request(cursor),
            answer,
            duration_ms: milliseconds(took),
            findings: recorded_findings(&recorder.findings()),
        });
    }

    /// A call that is kept when it ends, also when its caller stops waiting.
    pub(crate) fn open_call(
        self,
        trial: Option<TrialRef>,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> OpenCall<'a> {
        OpenCall {
            log: self,
            trial,
            request: call_request(tool, arguments),
            began: Instant::now(),
            ended: None,
        }
    }
}

/// A call under way.
pub(crate) struct OpenCall<'a> {
    log: Log<'a>,
    trial: Option<TrialRef>,
    request: Value,
    began: Instant,
    ended: Option<(ExchangeAnswer, Duration)>,
}

impl OpenCall<'_> {
    /// The call came to its end.
    pub(crate) fn end(mut self, outcome: &CallOutcome) {
        self.ended = Some((call_answer(outcome), outcome.latency()));
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        let (answer, took) =
            self.ended.take().unwrap_or((ExchangeAnswer::Unanswered, self.began.elapsed()));
        self.log.sink.keep(Exchange {
            method: ExchangeMethod::CallTool,
            name: self.log.server.to_owned(),
            trial: self.trial.take(),
            request: std::mem::take(&mut self.request),
            answer,
            duration_ms: milliseconds(took),
            findings: Vec::new(),
        });
    }
}

/// The meaning of a request for a page of tools.
pub(super) fn list_request(cursor: Option<&str>) -> Value {
    cursor.map_or_else(|| serde_json::json!({}), |cursor| serde_json::json!({ "cursor": cursor }))
}

/// The meaning of a call.
pub(super) fn call_request(tool: &str, arguments: &Map<String, Value>) -> Value {
    serde_json::json!({ "name": tool, "arguments": arguments })
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
