//! What the recorder knows: open requests, what came back, and what belongs to neither.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;

use super::Handoff;
use super::read::{AnswerId, Incoming, QUOTED};
use crate::answer::{AnswerBody, HttpFacts, TransportFailure};
use crate::finding::{Finding, FindingCode, excerpt};

/// Findings of one connection that are kept; more of them say nothing new.
const MOST_FINDINGS: usize = 200;

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) requests: BTreeMap<i64, Slot>,
    /// Requests that nobody waits for any more; their late answers are no finding.
    pub(super) abandoned: BTreeSet<i64>,
    pub(super) findings: Vec<Finding>,
    pub(super) first_noise: Option<String>,
    pub(super) strays: Vec<String>,
    pub(super) calls: BTreeMap<String, u64>,
    pub(super) ended: Option<TransportFailure>,
    pub(super) side_failure: Option<TransportFailure>,
}

#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) method: String,
    pub(super) sent: Option<Duration>,
    pub(super) answer: Option<(Duration, AnswerBody)>,
    pub(super) http: Option<HttpFacts>,
}

impl State {
    pub(super) fn take(
        &mut self,
        message: Incoming,
        text: &str,
        origin: Option<i64>,
        now: Duration,
    ) -> Option<Handoff> {
        match message {
            Incoming::Call { method, message } => {
                *self.calls.entry(method).or_default() += 1;
                Some(Handoff::Message { message, method: None })
            }
            Incoming::Answer { id, body, versioned, message } => {
                self.take_answer(id, body, versioned, message, origin, now)
            }
            Incoming::Noise { claims_protocol, id, reason } => {
                let request = if claims_protocol { origin.or(id) } else { None };
                self.broken(reason, text, claims_protocol, request, now)
            }
        }
    }

    fn take_answer(
        &mut self,
        id: AnswerId,
        body: AnswerBody,
        versioned: bool,
        mut message: Value,
        origin: Option<i64>,
        now: Duration,
    ) -> Option<Handoff> {
        let Some(request) = self.request_of(id, origin) else {
            let late = matches!(id, AnswerId::Number(n) | AnswerId::Text(n) if self.abandoned.contains(&n));
            if !late {
                let quoted = excerpt(&message.to_string(), QUOTED);
                self.stray(quoted.clone());
                self.find(
                    FindingCode::UnknownAnswer,
                    format!("an answer to no request of ours: {quoted}"),
                );
            }
            return None;
        };
        let method =
            self.requests.get(&request).map(|slot| slot.method.clone()).unwrap_or_default();
        if !versioned {
            self.find(
                FindingCode::MissingJsonrpc,
                format!("the answer to {method} lacks \"jsonrpc\": \"2.0\""),
            );
        }
        if matches!(id, AnswerId::Text(_)) {
            self.find(FindingCode::TextId, format!("the answer to {method} has its id as text"));
        }
        // An error may have no id: its server could not read the request's. A result has no such excuse.
        if !id.names() && matches!(body, AnswerBody::Result(_)) {
            self.find(
                FindingCode::MissingId,
                format!("the answer to {method} does not carry the request's id"),
            );
        }
        let handoff = match &body {
            AnswerBody::Malformed { reason, excerpt: _ } => {
                Handoff::Broken { id: request, reason: reason.clone() }
            }
            AnswerBody::Result(_) | AnswerBody::Error(_) | AnswerBody::Failed(_) => {
                message["jsonrpc"] = Value::from("2.0");
                message["id"] = Value::from(request);
                Handoff::Message { message, method: Some(method) }
            }
        };
        self.resolve(request, body, now);
        Some(handoff)
    }

    /// The open request that an answer belongs to. An answer without an id belongs to the request whose response
    /// carried it, or to the only open one.
    fn request_of(&self, id: AnswerId, origin: Option<i64>) -> Option<i64> {
        match id {
            AnswerId::Number(id) | AnswerId::Text(id) => self.is_open(id).then_some(id),
            AnswerId::Absent | AnswerId::Foreign => {
                origin.filter(|id| self.is_open(*id)).or_else(|| self.only_open())
            }
        }
    }

    /// A text that is no message: the malformed answer of a request when it clearly is one, else noise.
    pub(super) fn broken(
        &mut self,
        reason: String,
        text: &str,
        claims_protocol: bool,
        id: Option<i64>,
        now: Duration,
    ) -> Option<Handoff> {
        let quoted = excerpt(text, QUOTED);
        let request = id
            .filter(|id| self.is_open(*id))
            .or_else(|| self.only_open().filter(|_| claims_protocol));
        if let Some(id) = request {
            self.resolve(
                id,
                AnswerBody::Malformed { reason: reason.clone(), excerpt: quoted },
                now,
            );
            return Some(Handoff::Broken { id, reason });
        }
        if claims_protocol {
            self.find(FindingCode::UnreadableMessage, format!("{reason}: {quoted}"));
            self.stray(quoted);
        } else {
            if self.first_noise.is_none() {
                self.first_noise = Some(quoted.clone());
            }
            self.find(FindingCode::StdoutNoise, format!("not a protocol message: {quoted}"));
        }
        None
    }

    fn stray(&mut self, quoted: String) {
        if self.strays.len() < MOST_FINDINGS {
            self.strays.push(quoted);
        }
    }

    pub(super) fn resolve(&mut self, id: i64, body: AnswerBody, now: Duration) {
        if let Some(slot) = self.requests.get_mut(&id) {
            slot.answer.get_or_insert((now, body));
        }
    }

    fn is_open(&self, id: i64) -> bool {
        self.requests.get(&id).is_some_and(|slot| slot.answer.is_none())
    }

    pub(super) fn open_requests(&self) -> Vec<i64> {
        self.requests.iter().filter(|(_, slot)| slot.answer.is_none()).map(|(id, _)| *id).collect()
    }

    fn only_open(&self) -> Option<i64> {
        match self.open_requests().as_slice() {
            [id] => Some(*id),
            [] | [_, _, ..] => None,
        }
    }

    pub(super) fn find(&mut self, code: FindingCode, text: String) {
        let finding = Finding::new(code, text);
        if self.findings.len() < MOST_FINDINGS && !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::read::read_messages;

    /// The requests that a text resolves while `open` ones wait, and the codes of the findings it makes.
    fn check(open: &[i64], text: &str, resolved: &[i64], codes: &[FindingCode]) {
        let mut state = State::default();
        for id in open {
            state.requests.insert(*id, Slot::default());
        }
        for message in read_messages(text) {
            state.take(message, text, None, Duration::ZERO);
        }
        let still = state.open_requests();
        let done: Vec<i64> = open.iter().filter(|id| !still.contains(id)).copied().collect();
        let found: Vec<FindingCode> = state.findings.iter().map(|finding| finding.code).collect();
        assert_eq!((done.as_slice(), found.as_slice()), (resolved, codes), "{text}");
    }

    #[test]
    fn a_broken_answer_belongs_to_the_request_that_it_names() {
        check(&[3, 4], r#"{"jsonrpc":"2.0","id":4,"resu"#, &[4], &[]);
    }

    #[test]
    fn a_broken_answer_without_an_id_belongs_to_the_only_request() {
        check(&[3], r#"{"jsonrpc":"2.0","result":{"#, &[3], &[]);
        check(&[3, 4], r#"{"jsonrpc":"2.0","result":{"#, &[], &[FindingCode::UnreadableMessage]);
    }

    #[test]
    fn an_error_without_an_id_belongs_to_the_only_request() {
        let text = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}"#;
        check(&[3], text, &[3], &[]);
        check(&[3, 4], text, &[], &[FindingCode::UnknownAnswer]);
    }

    #[test]
    fn a_result_without_an_id_is_taken_and_told() {
        let text = r#"{"jsonrpc":"2.0","id":null,"result":{}}"#;
        check(&[3], text, &[3], &[FindingCode::MissingId]);
        check(&[3], r#"{"jsonrpc":"2.0","id":"x","result":{}}"#, &[3], &[FindingCode::MissingId]);
        check(&[3, 4], text, &[], &[FindingCode::UnknownAnswer]);
    }

    #[test]
    fn a_log_line_resolves_nothing() {
        for text in ["ready", r#"{"level":"error","error":"boom"}"#, r#"{"broken": "log"#] {
            check(&[3], text, &[], &[FindingCode::StdoutNoise]);
        }
    }

    #[test]
    fn a_late_answer_is_no_finding() {
        let mut state = State::default();
        state.abandoned.insert(3);
        let text = r#"{"jsonrpc":"2.0","id":3,"result":{}}"#;
        for message in read_messages(text) {
            assert_eq!(state.take(message, text, None, Duration::ZERO), None);
        }
        assert_eq!(state.findings, []);
    }
}
