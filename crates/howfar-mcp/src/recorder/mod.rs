//! The recorder: every message in both directions passes here first, is stamped, and is matched to its request.
//!
//! It decides from raw text alone. What the protocol crate makes of a message is never asked.

mod lines;
mod read;
mod state;
mod tail;

use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;

pub(crate) use lines::{Line, LineSplitter};
pub(crate) use tail::TextTail;

use crate::WireClock;
use crate::answer::{AnswerBody, HttpFacts, TransportFailure};
use crate::finding::{Finding, FindingCode, excerpt};
use read::{Incoming, QUOTED, first_id, read_messages};
use state::State;

/// What came back for a request, with its stamps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Recorded {
    /// Just before the request was written; absent when it never was.
    pub(crate) sent: Option<Duration>,
    /// When the answer was read.
    pub(crate) answered: Duration,
    /// What it says.
    pub(crate) body: AnswerBody,
    /// The HTTP response that carried it, on HTTP.
    pub(crate) http: Option<HttpFacts>,
}

/// What the protocol crate is told about an incoming text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Handoff {
    /// A message as it came; `method` is the request's, for an answer of ours.
    Message {
        /// The message.
        message: Value,
        /// The method of the request that it answers.
        method: Option<String>,
    },
    /// The answer to a request was not readable: that request is over.
    Broken {
        /// The request.
        id: i64,
        /// Why.
        reason: String,
    },
}

/// Matches requests and answers of one connection.
#[derive(Debug)]
pub(crate) struct Recorder {
    clock: WireClock,
    state: Mutex<State>,
    changed: Notify,
}

impl Recorder {
    pub(crate) fn new(clock: WireClock) -> Self {
        Self { clock, state: Mutex::default(), changed: Notify::new() }
    }

    pub(crate) const fn clock(&self) -> WireClock {
        self.clock
    }

    /// Stamps an outgoing message. Call it just before the write: a stamp after it can be later than the answer's.
    pub(crate) fn outgoing(&self, message: &Value) {
        let (Some(id), Some(method)) = (
            message.get("id").and_then(Value::as_i64),
            message.get("method").and_then(Value::as_str),
        ) else {
            return;
        };
        let now = self.clock.now();
        self.with(|state| {
            let slot = state.requests.entry(id).or_default();
            method.clone_into(&mut slot.method);
            slot.sent.get_or_insert(now);
        });
    }

    /// Records an incoming text. `origin` is the request whose HTTP response carried it: a text that is no message
    /// is then that request's malformed answer.
    pub(crate) fn incoming(&self, text: &str, origin: Option<i64>) -> Vec<Handoff> {
        let now = self.clock.now();
        if text.trim().is_empty() {
            return Vec::new();
        }
        let messages = read_messages(text);
        let handoffs = self.with(|state| {
            messages
                .into_iter()
                .filter_map(|message| state.take(message, text, origin, now))
                .collect()
        });
        self.changed.notify_waiters();
        handoffs
    }

    /// Records that a response is over and held no answer to its request; nothing happens when it did.
    pub(crate) fn no_answer(&self, id: i64, reason: &str, text: &str) {
        let now = self.clock.now();
        let body =
            AnswerBody::Malformed { reason: reason.to_owned(), excerpt: excerpt(text, QUOTED) };
        self.with(|state| state.resolve(id, body, now));
        self.changed.notify_waiters();
    }

    /// Whether a text is an answer of any make.
    pub(crate) fn is_answer(&self, text: &str) -> bool {
        read_messages(text).iter().any(|message| matches!(message, Incoming::Answer { .. }))
    }

    /// Records a message over the size limit; the request that it answers is over.
    pub(crate) fn oversized(
        &self,
        start: &str,
        limit: usize,
        origin: Option<i64>,
    ) -> Option<Handoff> {
        let now = self.clock.now();
        let reason = format!("the message is larger than {limit} bytes");
        let handoff = self.with(|state| {
            let claimed = start.contains("\"jsonrpc\"").then(|| first_id(start)).flatten();
            state.broken(reason, start, true, origin.or(claimed), now)
        });
        self.changed.notify_waiters();
        handoff
    }

    /// Records the HTTP response of a request.
    pub(crate) fn http(&self, id: i64, facts: HttpFacts) {
        self.with(|state| {
            if let Some(slot) = state.requests.get_mut(&id) {
                slot.http = Some(facts);
            }
        });
    }

    /// Records that the transport failed for one request.
    pub(crate) fn failed(&self, id: i64, failure: TransportFailure) {
        let now = self.clock.now();
        self.with(|state| state.resolve(id, AnswerBody::Failed(failure), now));
        self.changed.notify_waiters();
    }

    /// Records the end of the whole transport: every open request is over.
    pub(crate) fn ended(&self, failure: TransportFailure) {
        let now = self.clock.now();
        self.with(|state| {
            state.ended.get_or_insert_with(|| failure.clone());
            let open: Vec<i64> = state.open_requests();
            for id in open {
                state.resolve(id, AnswerBody::Failed(failure.clone()), now);
            }
        });
        self.changed.notify_waiters();
    }

    /// Waits at most `limit` for the end of the transport.
    pub(crate) async fn wait_for_end(&self, limit: Duration) {
        let ended = async {
            loop {
                let changed = self.changed.notified();
                if self.end().is_some() {
                    return;
                }
                changed.await;
            }
        };
        let _ = tokio::time::timeout(limit, ended).await;
    }

    /// Waits for what came back for a request, and forgets the request.
    pub(crate) async fn wait(&self, id: i64) -> Recorded {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(recorded) = self.take(id) {
                return recorded;
            }
            changed.await;
        }
    }

    /// What came back for a request, if anything did yet.
    pub(crate) fn take(&self, id: i64) -> Option<Recorded> {
        self.with(|state| {
            let slot = state.requests.get_mut(&id)?;
            let (answered, body) = slot.answer.take()?;
            let slot = state.requests.remove(&id)?;
            Some(Recorded { sent: slot.sent, answered, body, http: slot.http })
        })
    }

    /// What came back for the earliest open request of a method.
    pub(crate) fn take_method(&self, method: &str) -> Option<Recorded> {
        let id = self.with(|state| {
            let mut slots = state.requests.iter();
            slots
                .find(|(_, slot)| slot.method == method && slot.answer.is_some())
                .map(|(id, _)| *id)
        });
        id.and_then(|id| self.take(id))
    }

    /// Gives up on a request: when it was sent, if it was.
    pub(crate) fn abandon(&self, id: i64) -> Option<Duration> {
        self.with(|state| {
            state.abandoned.insert(id);
            state.requests.remove(&id).and_then(|slot| slot.sent)
        })
    }

    /// Adds a finding.
    pub(crate) fn find(&self, code: FindingCode, text: impl Into<String>) {
        self.with(|state| state.find(code, text.into()));
    }

    /// The findings so far, in order.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.with(|state| state.findings.clone())
    }

    /// The first text on the stream that is not a message, quoted.
    pub(crate) fn first_noise(&self) -> Option<String> {
        self.with(|state| state.first_noise.clone())
    }

    /// Texts that look like answers but belong to no request of ours, since the last call.
    pub(crate) fn drain_strays(&self) -> Vec<String> {
        self.with(|state| std::mem::take(&mut state.strays))
    }

    /// How often the server called a method (requests and notifications).
    pub(crate) fn calls(&self, method: &str) -> u64 {
        self.with(|state| state.calls.get(method).copied().unwrap_or(0))
    }

    /// How the transport ended, when it did.
    pub(crate) fn end(&self) -> Option<TransportFailure> {
        self.with(|state| state.ended.clone())
    }

    /// Records a failure of a message that is no request, such as `notifications/initialized`.
    pub(crate) fn failed_aside(&self, failure: TransportFailure) {
        self.with(|state| state.side_failure = Some(failure));
    }

    /// The last failure of a message that is no request.
    pub(crate) fn side_failure(&self) -> Option<TransportFailure> {
        self.with(|state| state.side_failure.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        // A panic while the lock is held leaves plain data behind, so a poisoned lock is still usable.
        act(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}
