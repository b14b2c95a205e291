//! Which cases run, and whether the target can be run (suite and runner, section B2).

use std::collections::BTreeSet;

use howfar_wire::canon;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::report::{Selection, SkippedCase};
use howfar_wire::suite::{CaseId, Target};
use howfar_wire::vocabulary::{ProblemReason, RefusalCode, RefusalPhase};

use super::refusal;
use crate::suggest;
use crate::{ResolvedCase, ResolvedSuite};

/// The selected cases, in file order, with what the report says about them. `requested` is absent when the user named
/// none: then every enabled case runs.
///
/// # Errors
///
/// The refusal `CASE_SELECTION_INVALID` with every unknown, repeated or disabled id, or an empty selection.
pub fn select_cases<'a>(
    suite: &'a ResolvedSuite,
    requested: Option<&[CaseId]>,
) -> Result<(Vec<&'a ResolvedCase>, Selection), Refusal> {
    let problems = match requested {
        Some(ids) => selection_problems(suite, ids),
        None if suite.enabled_cases().next().is_none() => vec![problem(
            ProblemReason::NoEnabledCase,
            None,
            "every case of the suite is disabled; enable one with `disabled: false`".to_owned(),
        )],
        None => Vec::new(),
    };
    if !problems.is_empty() {
        let code = RefusalCode::CaseSelectionInvalid;
        return Err(refusal(code, RefusalPhase::Validation, problems));
    }
    let wanted =
        |case: &ResolvedCase| !case.disabled && requested.is_none_or(|ids| ids.contains(&case.id));
    let (selected, others): (Vec<_>, Vec<_>) = suite.cases.iter().partition(|case| wanted(case));
    let skipped = |case: &ResolvedCase| SkippedCase {
        case_id: case.id.0.clone(),
        reason: if case.disabled { "disabled" } else { "notSelected" }.to_owned(),
    };
    let selection = Selection {
        requested: requested.map(|ids| ids.iter().map(|id| id.0.clone()).collect()),
        selected: selected.iter().map(|case| case.id.0.clone()).collect(),
        skipped: others.into_iter().map(skipped).collect(),
    };
    Ok((selected, selection))
}

/// Whether a local run can use the target.
///
/// # Errors
///
/// The refusal `TARGET_UNSUPPORTED` for a target without servers, a blank name or a name that stands twice.
pub fn check_target(target: &Target) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    if target.servers.is_empty() {
        problems.push(Problem {
            message:
                "the target names an environment and no server; a local run needs `target.servers`"
                    .to_owned(),
            reason: Some(ProblemReason::EnvironmentOnlyTarget),
            pointer: Some("target".to_owned()),
            ..Problem::default()
        });
    }
    let mut seen = BTreeSet::new();
    for (at, server) in target.servers.iter().enumerate() {
        let pointer = format!("target.servers[{at}].name");
        if canon::is_blank(&server.name) {
            let message = "a server name is blank; give the server the name its binding uses";
            problems.push(server_problem(
                ProblemReason::BlankServerName,
                &server.name,
                pointer,
                message.to_owned(),
            ));
        } else if !seen.insert(server.name.as_str()) {
            let message =
                format!("two servers are named {:?}; give each its own name", server.name);
            let reason = ProblemReason::DuplicateServerName;
            problems.push(server_problem(reason, &server.name, pointer, message));
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(refusal(RefusalCode::TargetUnsupported, RefusalPhase::Validation, problems))
}

fn selection_problems(suite: &ResolvedSuite, ids: &[CaseId]) -> Vec<Problem> {
    if ids.is_empty() {
        let message = "the selection names no case".to_owned();
        return vec![problem(ProblemReason::EmptySelection, None, message)];
    }
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            let message = format!("case {:?} is selected twice", id.0);
            problems.push(problem(ProblemReason::RepeatedCase, Some(id), message));
            continue;
        }
        match suite.case(id) {
            None => {
                let known = suite.cases.iter().map(|case| case.id.0.as_str());
                let hint = suggest::did_you_mean(&id.0, known);
                let message = format!("the suite has no case {:?}{hint}", id.0);
                problems.push(problem(ProblemReason::UnknownCase, Some(id), message));
            }
            Some(case) if case.disabled => {
                let message =
                    format!("case {:?} is disabled; remove `disabled: true` to run it", id.0);
                problems.push(problem(ProblemReason::DisabledCase, Some(id), message));
            }
            Some(_) => {}
        }
    }
    problems
}

fn problem(reason: ProblemReason, id: Option<&CaseId>, message: String) -> Problem {
    Problem {
        message,
        reason: Some(reason),
        case_id: id.map(|id| id.0.clone()),
        ..Problem::default()
    }
}

fn server_problem(reason: ProblemReason, name: &str, pointer: String, message: String) -> Problem {
    Problem {
        message,
        reason: Some(reason),
        server: Some(name.to_owned()),
        pointer: Some(pointer),
        ..Problem::default()
    }
}
