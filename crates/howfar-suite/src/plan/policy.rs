//! The tool policy (suite and runner, section B6). Annotations are the server's own claim.

use std::collections::BTreeSet;

use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::suite::{DeniedTool, ToolPolicy, ToolPolicySnapshot, UnknownTool};
use howfar_wire::vocabulary::{
    PolicyReason, RefusalCategory, RefusalCode, RefusalPhase, SafetyClass, ToolPolicyMode,
};
use serde_json::Value;

/// The decision for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyDecision {
    /// Whether the call may reach the server.
    pub allowed: bool,
    /// The rule that matched.
    pub reason: PolicyReason,
    /// What the tool declares about itself.
    pub classification: SafetyClass,
}

/// The class of a tool by its annotations. Only the boolean true counts; both hints true contradict each other.
pub fn safety_class(annotations: Option<&Value>) -> SafetyClass {
    match (hint(annotations, "readOnlyHint"), hint(annotations, "destructiveHint")) {
        (true, true) | (false, false) => SafetyClass::Unknown,
        (false, true) => SafetyClass::Destructive,
        (true, false) => SafetyClass::ReadOnly,
    }
}

/// The decision for a tool of the catalog; the first rule that matches.
pub fn policy_decision(
    policy: &ToolPolicy,
    tool_name: &str,
    annotations: Option<&Value>,
) -> PolicyDecision {
    let classification = safety_class(annotations);
    let named = |list: &[String]| list.iter().any(|name| name == tool_name);
    let (allowed, reason) = if named(&policy.deny) {
        (false, PolicyReason::DenyList)
    } else if named(&policy.allow) {
        (true, PolicyReason::AllowList)
    } else if hint(annotations, "destructiveHint") {
        (false, PolicyReason::DestructiveDefaultDeny)
    } else {
        match (policy.mode, classification) {
            (ToolPolicyMode::ReadOnly, SafetyClass::ReadOnly) => {
                (true, PolicyReason::ReadOnlyModeClassified)
            }
            (ToolPolicyMode::ReadOnly, SafetyClass::Destructive | SafetyClass::Unknown) => {
                (false, PolicyReason::ReadOnlyModeUnclassified)
            }
            (ToolPolicyMode::Default, _) => (true, PolicyReason::ModeDefault),
        }
    };
    PolicyDecision { allowed, reason, classification }
}

/// Freezes the decision for every tool of the catalog, given as name and annotations in catalog order. Also gives the
/// `allow` names that match no tool, for a warning.
///
/// # Errors
///
/// The refusal `TOOL_POLICY_INVALID`, which names every `deny` entry that matches no tool.
pub fn snapshot(
    policy: &ToolPolicy,
    catalog: &[(&str, Option<&Value>)],
) -> Result<(ToolPolicySnapshot, Vec<String>), Refusal> {
    let known: BTreeSet<&str> = catalog.iter().map(|(name, _)| *name).collect();
    let unmatched = |list: &[String]| -> Vec<String> {
        list.iter().filter(|name| !known.contains(name.as_str())).cloned().collect()
    };
    let unknown_denials = unmatched(&policy.deny);
    if !unknown_denials.is_empty() {
        return Err(unmatched_denials(unknown_denials));
    }
    let decide = |(name, annotations): &(&str, Option<&Value>)| {
        let PolicyDecision { allowed, reason, classification } =
            policy_decision(policy, name, *annotations);
        (!allowed).then(|| ((*name).to_owned(), DeniedTool { reason, classification }))
    };
    let snapshot = ToolPolicySnapshot {
        mode: policy.mode,
        denied: catalog.iter().filter_map(decide).collect(),
        known: catalog.iter().map(|(name, _)| (*name).to_owned()).collect(),
        unknown_tool: UnknownTool::Deny,
    };
    Ok((snapshot, unmatched(&policy.allow)))
}

/// The decision at call time: a lookup, nothing else. `None` lets the call pass.
pub fn snapshot_lookup(snapshot: &ToolPolicySnapshot, tool_name: &str) -> Option<DeniedTool> {
    if let Some(denied) = snapshot.denied.get(tool_name) {
        return Some(*denied);
    }
    let known = snapshot.known.iter().any(|name| name == tool_name);
    (!known).then_some(DeniedTool {
        reason: PolicyReason::UnknownAtLaunch,
        classification: SafetyClass::Unknown,
    })
}

fn unmatched_denials(names: Vec<String>) -> Refusal {
    let problem = |name: String| Problem {
        message: format!(
            "`deny` names {name:?}, which no server offers; correct the name, or remove it so that the policy says \
             what it does"
        ),
        tool_name: Some(name),
        ..Problem::default()
    };
    Refusal {
        code: RefusalCode::ToolPolicyInvalid,
        phase: RefusalPhase::Setup,
        category: RefusalCategory::Policy,
        problems: names.into_iter().map(problem).collect(),
    }
}

fn hint(annotations: Option<&Value>, name: &str) -> bool {
    annotations.and_then(|annotations| annotations.get(name)) == Some(&Value::Bool(true))
}
