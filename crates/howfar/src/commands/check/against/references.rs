//! Every place of a suite that names a tool.

use howfar_suite::AuthoredSuite;
use howfar_wire::finding::PathSegment;
use howfar_wire::suite::{Assertion, Case, Predicate, Step};
use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

/// What becomes of the place when there is no such tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Referred {
    /// It cannot hold, or a run is refused.
    ToHold,
    /// It holds whatever happens.
    NotToBe,
}

/// Checks that hold when a tool that they name does not exist.
const HOLDING_WITHOUT: [PredicateKind; 2] =
    [PredicateKind::ToolNeverCalled, PredicateKind::OnlyToolsCalled];

/// What is known of the arguments of a call.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Arguments<'a> {
    /// Nothing: the place names a tool only.
    Unsaid,
    /// They are these, and no others.
    Exact(&'a Value),
    /// They have at least these members; words such as `any` stand for any value of a type.
    AtLeast(&'a Value),
    /// A call with these arguments is made.
    Fixed(Value),
}

/// One place that names a tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reference<'a> {
    /// The server that must have the tool, with the place of its name; absent where any server may.
    pub(super) server: Option<(Vec<PathSegment>, &'a str)>,
    pub(super) tool: &'a str,
    pub(super) tool_path: Vec<PathSegment>,
    pub(super) arguments: Arguments<'a>,
    /// Meaningful with arguments.
    pub(super) arguments_path: Vec<PathSegment>,
    pub(super) referred: Referred,
}

/// The references of the enabled cases and of the tool policy.
pub(super) fn references(suite: &AuthoredSuite) -> Vec<Reference<'_>> {
    let file = suite.file();
    let mut found = Vec::new();
    for (at, case) in file.cases.iter().enumerate() {
        if case.disabled != Some(true) {
            let list = if suite.value()["cases"][at].get("checks").is_some() {
                "checks"
            } else {
                "assertions"
            };
            of_case(&mut found, case, &["cases".into(), at.into()], list);
        }
    }
    if let Some(policy) = &file.defaults.tool_policy {
        let lists =
            [("deny", &policy.deny, Referred::ToHold), ("allow", &policy.allow, Referred::NotToBe)];
        for (key, names, referred) in lists {
            for (at, name) in names.iter().enumerate() {
                let path = ["defaults".into(), "toolPolicy".into(), key.into(), at.into()];
                found.push(named(name, path.to_vec(), referred));
            }
        }
    }
    found
}

fn of_case<'a>(found: &mut Vec<Reference<'a>>, case: &'a Case, path: &[PathSegment], list: &str) {
    for (at, step) in case.steps.iter().enumerate() {
        let place = |rest: &[&str]| extended(path, &["steps".into(), at.into()], rest);
        match step {
            Step::ToolCall { server_name, tool_name, arguments, .. } => found.push(Reference {
                server: Some((place(&["serverName"]), server_name)),
                tool: tool_name,
                tool_path: place(&["toolName"]),
                arguments: Arguments::Fixed(Value::Object(arguments.clone())),
                arguments_path: place(&["arguments"]),
                referred: Referred::ToHold,
            }),
            Step::Assert { assertion: Assertion::Predicate(predicate), .. } => {
                of_predicate(found, predicate, &place(&["assertion"]));
            }
            Step::Interact { tool_name, .. } => {
                found.push(named(tool_name, place(&["toolName"]), Referred::ToHold));
            }
            Step::Assert { assertion: Assertion::Widget(_), .. } | Step::Prompt { .. } => {}
        }
    }
    for (at, predicate) in case.assertions.iter().enumerate() {
        of_predicate(found, predicate, &extended(path, &[list.into(), at.into()], &[]));
    }
}

fn of_predicate<'a>(
    found: &mut Vec<Reference<'a>>,
    predicate: &'a Predicate,
    path: &[PathSegment],
) {
    let value = predicate.value();
    let referred = if HOLDING_WITHOUT.contains(&predicate.kind()) {
        Referred::NotToBe
    } else {
        Referred::ToHold
    };
    for key in ["toolName", "beforeToolName"] {
        if let Some(name) = value.get(key).and_then(Value::as_str) {
            let mut reference = named(name, extended(path, &[], &[key]), referred);
            if predicate.kind() == PredicateKind::ToolCalledWith {
                reference.arguments = expected(value);
                reference.arguments_path = extended(path, &[], &["args", "args"]);
            }
            found.push(reference);
        }
    }
    let names = value.get("toolNames").and_then(Value::as_array).into_iter().flatten();
    for (at, name) in names.enumerate().filter_map(|(at, name)| Some((at, name.as_str()?))) {
        found.push(named(name, extended(path, &["toolNames".into(), at.into()], &[]), referred));
    }
}

fn expected(value: &Value) -> Arguments<'_> {
    let Some(arguments) = value.pointer("/args/args") else { return Arguments::Unsaid };
    match value.pointer("/args/argumentMatching").and_then(Value::as_str) {
        Some("exact") => Arguments::Exact(arguments),
        Some("ignore") => Arguments::Unsaid,
        Some(_) | None => Arguments::AtLeast(arguments),
    }
}

fn named(tool: &str, tool_path: Vec<PathSegment>, referred: Referred) -> Reference<'_> {
    let arguments_path = Vec::new();
    Reference {
        server: None,
        tool,
        tool_path,
        arguments: Arguments::Unsaid,
        arguments_path,
        referred,
    }
}

fn extended(path: &[PathSegment], more: &[PathSegment], keys: &[&str]) -> Vec<PathSegment> {
    let keys = keys.iter().map(|key| PathSegment::from(*key));
    path.iter().chain(more).cloned().chain(keys).collect()
}
