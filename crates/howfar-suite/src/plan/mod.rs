//! From a resolved suite to what a run does, and every reason not to run (suite and runner, section B). All of it is
//! pure: keys, base URLs, catalogs and approvals are arguments.

mod budget;
mod case;
mod exit;
mod import;
mod judge;
mod model;
mod policy;
mod refusal;
mod selection;

pub use budget::{
    Budget, BudgetError, BudgetViolation, ResolvedBudget, ResolvedBudgets, StatedBudgets, Surface,
    read_budgets, resolve_budgets, validate_budgets,
};
pub(crate) use case::is_promoted;
pub use case::{
    CasePlan, PlanOptions, PlannedAction, PlannedPredicate, PlannedStep, PredicateOrigin, TurnPlan,
    plan_case, plan_cases,
};
pub use exit::{exit_for_refusal, exit_for_result};
pub use import::{
    Approval, ApprovedCase, MAX_APPROVAL_REASON, import_decisions, missing_import_tools,
};
pub use judge::{
    GOAL_OBJECTIVE_CAP, GOAL_PARTIAL_FLOOR, GoalScore, GoalVerdict, JudgeOutputInvalid, has_rubric,
    score_goal,
};
pub use model::{
    KeyState, ModelError, ModelPlan, ModelSettings, plan_model, plan_models, provider_keys,
};
pub use policy::{PolicyDecision, policy_decision, safety_class, snapshot, snapshot_lookup};
pub use refusal::{classify_refusal, refusal};
pub use selection::{check_target, select_cases};
