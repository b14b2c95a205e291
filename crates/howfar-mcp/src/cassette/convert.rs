//! Answers and findings, from and to what a cassette keeps.

use std::time::Duration;

use howfar_wire::cassette::{ExchangeAnswer, HttpAnswer, RecordedFinding, TransportFault};

use crate::{
    CallAnswer, CallOutcome, Finding, FindingCode, HttpFacts, NetworkCode, RpcError, ToolResult,
    TransportFailure,
};

/// Every network code, to read one back.
const NETWORK_CODES: [NetworkCode; 8] = [
    NetworkCode::ConnectionRefused,
    NetworkCode::NameNotFound,
    NetworkCode::TimedOut,
    NetworkCode::Aborted,
    NetworkCode::Reset,
    NetworkCode::Unreachable,
    NetworkCode::Certificate,
    NetworkCode::Other,
];

/// What came of a call, as a cassette keeps it.
pub(super) fn call_answer(outcome: &CallOutcome) -> ExchangeAnswer {
    let http = outcome.http.as_ref().map(http_answer);
    match &outcome.answer {
        CallAnswer::Result(result) => ExchangeAnswer::Result { result: result.raw.clone(), http },
        CallAnswer::Error(error) => ExchangeAnswer::RpcError {
            code: error.code,
            message: error.message.clone(),
            data: error.data.clone(),
            http,
        },
        CallAnswer::Malformed { reason, excerpt } => {
            ExchangeAnswer::Malformed { reason: reason.clone(), excerpt: excerpt.clone(), http }
        }
        CallAnswer::Transport(failure) => {
            ExchangeAnswer::TransportFailed { failure: transport_fault(failure), http }
        }
        CallAnswer::Timeout { limit, strays } => ExchangeAnswer::TimedOut {
            limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
            strays: strays.clone(),
        },
    }
}

/// The answer of a call that was kept; `None` for an answer of another method, and for a call without one.
pub(super) fn live_call(answer: ExchangeAnswer) -> Option<(CallAnswer, Option<HttpFacts>)> {
    let (answer, http) = match answer {
        ExchangeAnswer::Result { result, http } => {
            (CallAnswer::Result(ToolResult { raw: result }), http)
        }
        ExchangeAnswer::RpcError { code, message, data, http } => {
            (CallAnswer::Error(RpcError { code, message, data }), http)
        }
        ExchangeAnswer::Malformed { reason, excerpt, http } => {
            (CallAnswer::Malformed { reason, excerpt }, http)
        }
        ExchangeAnswer::TransportFailed { failure, http } => {
            (CallAnswer::Transport(live_transport(failure)), http)
        }
        ExchangeAnswer::TimedOut { limit_ms, strays } => {
            (CallAnswer::Timeout { limit: Duration::from_millis(limit_ms), strays }, None)
        }
        ExchangeAnswer::Turn(_)
        | ExchangeAnswer::ModelError(_)
        | ExchangeAnswer::Connected(_)
        | ExchangeAnswer::SetupFailed(_)
        | ExchangeAnswer::Page { .. }
        | ExchangeAnswer::Canary { .. }
        | ExchangeAnswer::Unanswered => return None,
    };
    Some((answer, http.map(live_http)))
}

pub(super) fn transport_fault(failure: &TransportFailure) -> TransportFault {
    match failure {
        TransportFailure::Network { code, detail } => {
            TransportFault::Network { code: code.as_str().to_owned(), detail: detail.clone() }
        }
        TransportFailure::Http(facts) => TransportFault::Http { response: http_answer(facts) },
        TransportFailure::Closed { detail } => TransportFault::Closed { detail: detail.clone() },
    }
}

pub(super) fn live_transport(fault: TransportFault) -> TransportFailure {
    match fault {
        TransportFault::Network { code, detail } => {
            let known = NETWORK_CODES.into_iter().find(|known| known.as_str() == code);
            TransportFailure::Network { code: known.unwrap_or(NetworkCode::Other), detail }
        }
        TransportFault::Http { response } => TransportFailure::Http(live_http(response)),
        TransportFault::Closed { detail } => TransportFailure::Closed { detail },
    }
}

pub(super) fn http_answer(facts: &HttpFacts) -> HttpAnswer {
    HttpAnswer {
        status: facts.status,
        content_type: facts.content_type.clone(),
        bearer_challenge: facts.bearer_challenge,
        html_body: facts.html_body,
        body: facts.body.clone(),
    }
}

pub(super) fn live_http(answer: HttpAnswer) -> HttpFacts {
    HttpFacts {
        status: answer.status,
        content_type: answer.content_type,
        bearer_challenge: answer.bearer_challenge,
        html_body: answer.html_body,
        body: answer.body,
    }
}

pub(super) fn recorded_findings(findings: &[Finding]) -> Vec<RecordedFinding> {
    let recorded = |finding: &Finding| RecordedFinding {
        code: finding.code.as_str().to_owned(),
        text: finding.text.clone(),
    };
    findings.iter().map(recorded).collect()
}

/// The findings that were kept, without those of a kind that nobody knows.
pub(super) fn live_findings(findings: &[RecordedFinding]) -> Vec<Finding> {
    let live = |finding: &RecordedFinding| {
        let code = FindingCode::ALL.into_iter().find(|code| code.as_str() == finding.code)?;
        Some(Finding::new(code, finding.text.clone()))
    };
    findings.iter().filter_map(live).collect()
}
