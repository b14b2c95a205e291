//! Which imported cases may run (suite and runner, section B13).

use std::collections::{BTreeMap, BTreeSet};

use howfar_wire::canon;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::suite::CaseId;
use howfar_wire::vocabulary::{
    ImportDecision, ImportStatus, ProblemReason, RefusalCode, RefusalPhase,
};
use indexmap::IndexMap;

use super::{CasePlan, PlannedAction, refusal};
use crate::{ResolvedCase, ResolvedSuite};

/// The longest reason of an approval, in UTF-16 code units after trimming.
pub const MAX_APPROVAL_REASON: usize = 500;

/// A person's word that an approximated case may run this time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The exact case id.
    pub case_id: String,
    /// Why, as written.
    pub reason: String,
}

/// Why an imported case may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedCase {
    /// The rule.
    pub decision: ImportDecision,
    /// The approval's reason, trimmed; absent for a case that needs none.
    pub reason: Option<String>,
}

/// The decision per selected imported case; native cases have none.
///
/// # Errors
///
/// The refusal `IMPORT_INELIGIBLE` with every problem: approvals first, then selected cases in order, then approvals
/// that meet no selected case.
pub fn import_decisions(
    suite: &ResolvedSuite,
    selected: &[&ResolvedCase],
    approvals: &[Approval],
) -> Result<IndexMap<CaseId, ApprovedCase>, Refusal> {
    let (mut usable, mut problems) = usable_approvals(approvals);
    let mut decisions = IndexMap::new();
    for case in selected {
        match case_decision(case, usable.remove(case.id.0.as_str())) {
            Ok(Some(decision)) => {
                decisions.insert(case.id.clone(), decision);
            }
            Ok(None) => {}
            Err(found) => problems.push(*found),
        }
    }
    let leftovers =
        approvals.iter().filter(|approval| usable.remove(approval.case_id.as_str()).is_some());
    problems.extend(leftovers.map(|approval| leftover_problem(suite, &approval.case_id)));
    if problems.is_empty() {
        return Ok(decisions);
    }
    Err(refusal(RefusalCode::ImportIneligible, RefusalPhase::Validation, problems))
}

/// Tools that imported cases expect and that the frozen catalog does not have, one problem each.
///
/// # Errors
///
/// The refusal `IMPORT_INELIGIBLE` in the setup phase.
pub fn missing_import_tools(
    imported: &[&CasePlan],
    tool_names: &BTreeSet<&str>,
) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    for plan in imported {
        let expected = plan.steps.iter().filter_map(|step| match &step.action {
            PlannedAction::Expect { call } => Some((step, call.tool_name.as_str())),
            PlannedAction::ToolCall { tool_name, .. } => Some((step, tool_name.as_str())),
            PlannedAction::Prompt { .. } | PlannedAction::Check { .. } => None,
        });
        for (step, tool_name) in expected.filter(|(_, name)| !tool_names.contains(name)) {
            problems.push(Problem {
                message: format!(
                    "imported case {:?} expects the tool {tool_name:?}, which no server offers",
                    plan.case_id.0
                ),
                reason: Some(ProblemReason::ToolNotInSnapshot),
                case_id: Some(plan.case_id.0.clone()),
                step_id: Some(step.id.0.clone()),
                step_index: Some(step.position),
                tool_name: Some(tool_name.to_owned()),
                ..Problem::default()
            });
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(refusal(RefusalCode::ImportIneligible, RefusalPhase::Setup, problems))
}

/// The approvals that can count, by case id, and what is wrong with the others. A repeated approval does not take the
/// first one away.
fn usable_approvals(approvals: &[Approval]) -> (BTreeMap<&str, &str>, Vec<Problem>) {
    let mut usable = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for approval in approvals {
        let id = approval.case_id.as_str();
        let reason = canon::es_trim(&approval.reason);
        if canon::is_blank(id) {
            let message = "an approval names no case; give it the exact case id".to_owned();
            problems.push(problem(ProblemReason::InvalidApproval, id, message));
        } else if !seen.insert(id) {
            let message = format!("case {id:?} is approved twice; keep one approval");
            problems.push(problem(ProblemReason::DuplicateApproval, id, message));
        } else if reason.is_empty() || canon::utf16_len(reason) > MAX_APPROVAL_REASON {
            let message = format!(
                "the approval of case {id:?} needs a reason of 1 to {MAX_APPROVAL_REASON} characters"
            );
            problems.push(problem(ProblemReason::InvalidApprovalReason, id, message));
        } else {
            usable.insert(id, reason);
        }
    }
    (usable, problems)
}

fn case_decision(
    case: &ResolvedCase,
    approval: Option<&str>,
) -> Result<Option<ApprovedCase>, Box<Problem>> {
    let id = case.id.0.as_str();
    let Some(import) = &case.import else {
        return match approval {
            None => Ok(None),
            Some(_) => {
                let message =
                    format!("case {id:?} was not imported, so there is nothing to approve");
                Err(Box::new(problem(ProblemReason::ApprovalCaseNotImported, id, message)))
            }
        };
    };
    match (import.status, approval) {
        (ImportStatus::Exact, None) => {
            Ok(Some(ApprovedCase { decision: ImportDecision::ClaimedExact, reason: None }))
        }
        (ImportStatus::Exact, Some(_)) => {
            let message = format!("case {id:?} was imported exactly and runs without approval");
            Err(Box::new(problem(ProblemReason::ApprovalNotRequired, id, message)))
        }
        (ImportStatus::Approximated, Some(reason)) => Ok(Some(ApprovedCase {
            decision: ImportDecision::ApprovedApproximation,
            reason: Some(reason.to_owned()),
        })),
        (ImportStatus::Approximated, None) => {
            let message = format!(
                "case {id:?} approximates its source; approve it for this run, or leave it out"
            );
            Err(Box::new(problem(ProblemReason::ApprovalRequired, id, message)))
        }
        (ImportStatus::Unsupported, _) => {
            let message = format!("case {id:?} has no safe representation; disable it");
            Err(Box::new(problem(ProblemReason::UnsupportedCase, id, message)))
        }
        (ImportStatus::Unresolved, _) => {
            let message =
                format!("case {id:?} is unresolved; settle what its note says, or disable it");
            Err(Box::new(problem(ProblemReason::UnresolvedCase, id, message)))
        }
    }
}

fn leftover_problem(suite: &ResolvedSuite, id: &str) -> Problem {
    match suite.cases.iter().find(|case| case.id.0 == id) {
        None => {
            let hint =
                crate::suggest::did_you_mean(id, suite.cases.iter().map(|case| case.id.0.as_str()));
            let message = format!("the approved case {id:?} is not in the suite{hint}");
            problem(ProblemReason::ApprovalCaseUnknown, id, message)
        }
        Some(case) if case.disabled => {
            let message = format!("the approved case {id:?} is disabled");
            problem(ProblemReason::ApprovalCaseDisabled, id, message)
        }
        Some(_) => {
            let message = format!("the approved case {id:?} is not selected");
            problem(ProblemReason::ApprovalCaseNotSelected, id, message)
        }
    }
}

fn problem(reason: ProblemReason, id: &str, message: String) -> Problem {
    Problem { message, reason: Some(reason), case_id: Some(id.to_owned()), ..Problem::default() }
}
