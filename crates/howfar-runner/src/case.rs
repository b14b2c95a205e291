//! A case, ready to run: its steps, its compiled checks, its model.

use std::sync::Arc;

use howfar_core::predicate::{Predicate, evaluate};
use howfar_model::Model;
use howfar_wire::chain::Authored;
use howfar_wire::predicate::{EffectiveRole, PredicateRow};
use howfar_wire::score::EvaluationConfig;
use howfar_wire::scorecard::Provenance;
use howfar_wire::transcript::{ToolCall, Transcript};
use howfar_wire::vocabulary::PredicateKind;
use serde_json::{Map, Value};

use crate::environment::Environment;
use crate::judge::CaseJudge;

/// A case, ready to run any number of times.
pub struct PlannedCase {
    /// The declared id.
    pub id: String,
    /// The title.
    pub title: String,
    /// The grouping label.
    pub intent: Option<String>,
    /// The model as written in the file.
    pub declared_model: String,
    /// The model that answers; `None` for a case without prompts, which never touches one.
    pub model: Option<CaseModel>,
    /// Sent with every request; `None` sends none.
    pub system_prompt: Option<String>,
    /// Sent with every request; `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// Trials.
    pub iterations: u32,
    /// The fraction of gradeable trials that must pass.
    pub pass_threshold: f64,
    /// The steps, in order.
    pub steps: Vec<CaseStep>,
    /// Every check that keeps a row: those at steps in step order, then those of the case.
    pub checks: Vec<CaseCheck>,
    /// The scorers of the case: what its checks and its matcher are, with their identity.
    pub scorers: EvaluationConfig,
    /// The judge; `None` when the suite says nothing of one.
    pub judge: Option<CaseJudge>,
    /// The calls that each turn must make, by turn.
    pub expected_calls: Vec<Vec<ToolCall>>,
    /// Passes only when no tool is called.
    pub is_negative_test: bool,
    /// What the chain needs to know of the case.
    pub authored: Authored,
    /// Digest of what the case means.
    pub content_hash: String,
    /// The case as resolved, for the evidence document.
    pub resolved: Value,
}

/// The model of a case.
#[derive(Clone)]
pub struct CaseModel {
    /// `provider/model`, as planned.
    pub effective: String,
    /// The provider.
    pub provider: String,
    /// Whether a script answers in place of a model.
    pub scripted: bool,
    /// SHA-256 of the script's text; absent for a model that needs none.
    pub script_digest: Option<String>,
    /// The provider's client.
    pub model: Arc<dyn Model>,
}

/// One step of a case.
pub enum CaseStep {
    /// The user says something, and the model works.
    Prompt(String),
    /// A tool is called directly.
    ToolCall(PinnedCall),
    /// A check stands here: the index in [`PlannedCase::checks`].
    Check(usize),
}

/// A call that nobody chooses.
#[derive(Debug, Clone, PartialEq)]
pub struct PinnedCall {
    /// The server's name in the file.
    pub server_name: String,
    /// The tool.
    pub tool_name: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
}

/// A compiled check with its place in the case.
pub struct CaseCheck {
    /// The kind.
    pub kind: PredicateKind,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The step's position in the case, from 1; `None` for a check of the case.
    pub step: Option<u32>,
    /// The compiled check, shared by the cases that hold the same.
    pub predicate: Arc<Predicate>,
}

impl CaseCheck {
    /// Whether a failed row fails the trial.
    pub fn is_required(&self) -> bool {
        matches!(self.predicate.role(), EffectiveRole::Gating)
    }

    pub(crate) fn evaluate(
        &self,
        transcript: &Transcript,
        environment: &Environment,
    ) -> PredicateRow {
        evaluate(&self.predicate, transcript, environment.evaluation())
    }
}

impl PlannedCase {
    /// Whether the matcher compares anything.
    pub fn has_route(&self) -> bool {
        self.is_negative_test || self.expected_calls.iter().any(|calls| !calls.is_empty())
    }
}
