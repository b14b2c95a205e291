//! What every trial of a run shares: the servers, their frozen catalog, and how setting them up went.
//!
//! Connect and `tools/list` run once per run, all connects before all lists; the folded signals are copied onto every
//! trial (derivation, section 10; suite and runner, section B5).

mod attribution;
mod catalog;
mod server;
mod setup;

use std::collections::HashMap;
use std::time::Instant;

use howfar_core::predicate::EvaluationContext;
use howfar_mcp::{CallAnswer, CallOptions, TransportFailure};
use howfar_model::{ContentPart, ToolSpec};
use howfar_suite::plan::snapshot_lookup;
use howfar_wire::cassette::TrialRef;
use howfar_wire::chain::SetupSignals;
use howfar_wire::report::{Issue, ServerReport};
use howfar_wire::suite::{DeniedTool, ToolPolicySnapshot};
use howfar_wire::transcript::{CaptureState, InventoryTool, ToolDeclaration};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::case::PlannedCase;
use crate::clock::milliseconds;
use crate::trial::{CallOutcome, Recording};
use server::Server;
pub(crate) use setup::{SetupRequest, set_up};

/// Why the policy does not allow a call.
pub(crate) type PolicyDenial = DeniedTool;

/// The code of a call whose connection ended before its answer; transport-local (derivation, section 4).
const CODE_NO_ANSWER: i64 = -32000;

/// The code of a call whose answer did not come in time; transport-local.
const CODE_TIMED_OUT: i64 = -32001;

/// The longest image, in base64 characters, that a model is shown.
const MAX_IMAGE_CHARACTERS: usize = 4_000_000;

/// The servers and their frozen catalog.
pub(crate) struct Environment {
    servers: Vec<Server>,
    /// The server of each tool that the model sees, by tool name.
    owners: HashMap<String, usize>,
    specs: Vec<ToolSpec>,
    inventory: Vec<InventoryTool>,
    declarations: Vec<ToolDeclaration>,
    declarations_state: CaptureState,
    policy: Option<ToolPolicySnapshot>,
    evaluation: EvaluationContext,
    /// How setup went, folded over the servers; copied onto every trial.
    pub(crate) signals: Option<SetupSignals<'static>>,
    /// Whether every server was connected and listed.
    pub(crate) ready: bool,
    /// One row per server, in file order.
    pub(crate) reports: Vec<ServerReport>,
    /// What setup found, in order.
    pub(crate) issues: Vec<Issue>,
    /// Advice: names in `allow` that match no tool.
    pub(crate) warnings: Vec<String>,
}

impl Environment {
    /// The tools as the model sees them, in file order of their servers.
    pub(crate) fn tool_specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The tools as the model sees them, as one document.
    pub(crate) fn catalog(&self) -> Value {
        serde_json::to_value(&self.inventory).expect("a catalog holds nothing but JSON")
    }

    /// What evaluations share.
    pub(crate) const fn evaluation(&self) -> &EvaluationContext {
        &self.evaluation
    }

    /// The frozen policy; `None` when the suite has none or no catalog could be listed.
    pub(crate) const fn policy(&self) -> Option<&ToolPolicySnapshot> {
        self.policy.as_ref()
    }

    /// The usable tools of all servers, before name collisions were settled.
    pub(crate) fn tools_total(&self) -> u64 {
        self.reports.iter().filter_map(|server| server.tools).sum()
    }

    /// The names of the servers that advertise no usable tool.
    pub(crate) fn empty_servers(&self) -> impl Iterator<Item = &str> {
        self.reports
            .iter()
            .filter(|server| server.tools == Some(0))
            .map(|server| server.name.as_str())
    }

    /// The first server's error, when one could not be set up.
    pub(crate) fn first_error(&self) -> Option<&str> {
        self.reports.iter().find_map(|server| server.error.as_deref())
    }

    /// What the case expects and no server offers, while a server advertises nothing. Then its trials do not begin: a
    /// tool that was never advertised cannot be selected, and that is no choice of the model.
    pub(crate) fn gap(&self, case: &PlannedCase) -> Option<String> {
        let empty: Vec<_> = self.empty_servers().map(|name| format!("\"{name}\"")).collect();
        if empty.is_empty() {
            return None;
        }
        let calls = case.expected_calls.iter().flatten().map(|call| call.tool_name.as_str());
        let required = case.checks.iter().filter(|check| check.is_required());
        let checked = required.filter_map(|check| check.predicate.needed_tool());
        let missing = calls.chain(checked).find(|tool| !self.owners.contains_key(*tool))?;
        let verb = if empty.len() == 1 { "advertises" } else { "advertise" };
        let servers = empty.join(" and ");
        Some(format!(
            "{servers} {verb} no tool, and the case expects {missing:?}, which no server advertises"
        ))
    }

    /// An empty recording over the frozen catalog.
    pub(crate) fn new_recording(&self, clock: Instant) -> Recording {
        let declarations = self.declarations.clone();
        Recording::new(clock, self.inventory.clone(), declarations, self.declarations_state)
    }

    /// Why the policy does not allow a call; `None` when it does, or when there is no policy.
    pub(crate) fn denial(&self, tool: &str) -> Option<PolicyDenial> {
        snapshot_lookup(self.policy.as_ref()?, tool)
    }

    /// The server that has the tool in the model's catalog.
    pub(crate) fn server_of(&self, tool: &str) -> Option<&str> {
        self.owners.get(tool).map(|&at| self.servers[at].name.as_str())
    }

    /// What to say of a tool that no server has.
    pub(crate) fn unknown_tool(&self, tool: &str) -> String {
        let names: Vec<_> = self.specs.iter().map(|spec| spec.name.as_str()).take(20).collect();
        format!("no server advertises a tool named {tool:?}; the tools are {}", names.join(", "))
    }

    /// Calls a tool of a server. Gives the outcome and what the model reads.
    pub(crate) async fn call(
        &self,
        server: &str,
        tool: &str,
        arguments: &Map<String, Value>,
        trial: TrialRef,
    ) -> (CallOutcome, Vec<ContentPart>) {
        let connection = match self.servers.iter().find(|candidate| candidate.name == server) {
            Some(server) => server.connection().await,
            None => None,
        };
        let Some(connection) = connection else {
            let message = format!("server {server:?} is not connected");
            return failed(CODE_NO_ANSWER, message, None);
        };
        let connection = connection.for_trial(trial);
        let outcome = connection.call_tool(tool, arguments, CallOptions::default()).await;
        let duration_ms = milliseconds(outcome.latency());
        match outcome.answer {
            CallAnswer::Result(result) => {
                result_outcome(&result.raw, result.is_error(), duration_ms)
            }
            CallAnswer::Error(error) => failed(error.code, error.message, Some(duration_ms)),
            CallAnswer::Malformed { reason, excerpt } => {
                let message = format!("the answer is not readable: {reason}: {excerpt}");
                failed(CODE_NO_ANSWER, message, Some(duration_ms))
            }
            CallAnswer::Transport(failure) => {
                failed(CODE_NO_ANSWER, transport_text(&failure), None)
            }
            CallAnswer::Timeout { limit, strays } => {
                let mut message =
                    format!("no answer within {} s (tool call clock)", limit.as_secs_f64());
                if let Some(first) = strays.first() {
                    message.push_str(&format!(
                        "; a text that answers no request of ours came instead: {first}"
                    ));
                }
                failed(CODE_TIMED_OUT, message, None)
            }
        }
    }

    /// Opens the connections again that were lost since the last trial.
    ///
    /// # Errors
    ///
    /// One line for a server that cannot be reached again.
    pub(crate) async fn revive(&self, cancel: &CancellationToken) -> Result<(), String> {
        for server in &self.servers {
            tokio::select! {
                revived = server.revive() => revived?,
                () = cancel.cancelled() => return Ok(()),
            }
        }
        Ok(())
    }

    /// Closes every connection and ends every child process; one line for each that did not end in time.
    pub(crate) async fn shut_down(&self) -> Vec<(String, String)> {
        let closing = self.servers.iter().map(|server| async {
            server.shut_down().await.err().map(|error| (server.name.clone(), error))
        });
        futures::future::join_all(closing).await.into_iter().flatten().collect()
    }
}

fn failed(code: i64, message: String, duration_ms: Option<f64>) -> (CallOutcome, Vec<ContentPart>) {
    let content = vec![ContentPart::Text(format!("the call failed: {message}"))];
    (CallOutcome::Failed { code, message, duration_ms }, content)
}

fn transport_text(failure: &TransportFailure) -> String {
    match failure {
        TransportFailure::Network { code, detail } => format!("{}: {detail}", code.as_str()),
        TransportFailure::Http(facts) => format!("HTTP status {}: {}", facts.status, facts.body),
        TransportFailure::Closed { detail } => detail.clone(),
    }
}

fn result_outcome(
    raw: &Value,
    is_error: bool,
    duration_ms: f64,
) -> (CallOutcome, Vec<ContentPart>) {
    let structured = raw.get("structuredContent").cloned();
    let content = content_parts(raw);
    let read = howfar_model::ToolResult {
        call_id: String::new(),
        tool_name: String::new(),
        content,
        structured: structured.clone(),
        is_error,
    };
    let text = read.text();
    let raw_bytes = raw.to_string().len() as u64;
    let outcome = CallOutcome::Result { text, structured, is_error, raw_bytes, duration_ms };
    (outcome, read.content)
}

/// The content blocks of a result, read leniently: what is not text or an image is shown as it was sent.
fn content_parts(raw: &Value) -> Vec<ContentPart> {
    match raw.get("content") {
        Some(Value::Array(blocks)) => blocks.iter().map(content_part).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(Value::String(text)) => vec![ContentPart::Text(text.clone())],
        Some(other) => vec![ContentPart::Other(other.clone())],
    }
}

fn content_part(block: &Value) -> ContentPart {
    let text = |member: &str| block.get(member).and_then(Value::as_str);
    match (text("type"), text("text"), text("data"), text("mimeType")) {
        (Some("text"), Some(text), _, _) => ContentPart::Text(text.to_owned()),
        (Some("image"), _, Some(data), Some(media_type)) if data.len() <= MAX_IMAGE_CHARACTERS => {
            ContentPart::Image { media_type: media_type.to_owned(), data: data.to_owned() }
        }
        _ => ContentPart::Other(block.clone()),
    }
}
