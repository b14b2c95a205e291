//! Planning an edit of a grading policy (run-documents 3.5).

use howfar_wire::grading::{GradingPolicy, IterationRule, PassCriterion, PolicyOrigin};
use howfar_wire::suite::Validity;
use serde_json::{Map, Value, json};

use crate::number::count;

/// What an edit would change, in the settings of the policy's own source.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EditPlan {
    /// The settings with their new values.
    pub settings: Map<String, Value>,
    /// The members of the edit that change something.
    pub changed: Vec<&'static str>,
}

impl EditPlan {
    fn set(&mut self, field: &'static str, setting: &str, value: Value) {
        self.settings.insert(setting.to_owned(), value);
        self.changed.push(field);
    }
}

/// Why an edit has no plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The edit has an unknown key, or a value out of range.
    #[error("the edit is malformed")]
    Malformed,
    /// The edit is well-formed, and this policy cannot take it. Nothing of it is planned.
    #[error("the policy cannot take the edit: {}", .0.as_str())]
    Refused(EditRefusal),
}

/// Why a policy cannot take an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditRefusal {
    /// It belongs to a reported run.
    ReadOnlyPolicy,
    /// It has no number of iterations for all cases.
    IterationsNotRepresentable,
    /// It has no floor of iterations.
    MinimumIterationsNotRepresentable,
    /// It does not enforce validity.
    ValidityNotEnforced,
}

impl EditRefusal {
    /// The machine-readable kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnlyPolicy => "readOnlyPolicy",
            Self::IterationsNotRepresentable => "iterationsNotRepresentable",
            Self::MinimumIterationsNotRepresentable => "minimumIterationsNotRepresentable",
            Self::ValidityNotEnforced => "validityNotEnforced",
        }
    }
}

/// What `{passThreshold?, iterations?, minimumIterations?, validity?}` would change.
///
/// # Errors
///
/// When the edit is malformed, or the policy cannot take every part of it.
pub fn plan_edit(policy: &GradingPolicy, edit: &Value) -> Result<EditPlan, EditError> {
    if policy.origin == PolicyOrigin::RunReporting {
        return Err(EditError::Refused(EditRefusal::ReadOnlyPolicy));
    }
    let edit = Edit::read(edit).ok_or(EditError::Malformed)?;
    let mut plan = EditPlan::default();
    if let Some(iterations) = edit.iterations {
        plan_iterations(&mut plan, policy.iteration_rule, iterations)?;
    }
    if let Some(floor) = edit.minimum_iterations {
        plan_floor(&mut plan, policy.iteration_rule, floor)?;
    }
    if let Some(threshold) = edit.pass_threshold {
        plan_threshold(&mut plan, policy.pass_criterion, threshold);
    }
    if let Some(validity) = edit.validity {
        plan_validity(&mut plan, policy, validity)?;
    }
    Ok(plan)
}

/// A well-formed edit.
struct Edit {
    pass_threshold: Option<f64>,
    iterations: Option<u64>,
    minimum_iterations: Option<Option<u64>>,
    validity: Option<Validity>,
}

impl Edit {
    fn read(edit: &Value) -> Option<Self> {
        let mut read = Self {
            pass_threshold: None,
            iterations: None,
            minimum_iterations: None,
            validity: None,
        };
        for (key, value) in edit.as_object()? {
            match key.as_str() {
                "passThreshold" => read.pass_threshold = Some(fraction(value)?),
                "iterations" => read.iterations = Some(whole(value, 1, 100)?),
                "minimumIterations" if value.is_null() => read.minimum_iterations = Some(None),
                "minimumIterations" => read.minimum_iterations = Some(Some(whole(value, 1, 10)?)),
                "validity" => read.validity = Some(declared(value)?),
                _ => return None,
            }
        }
        Some(read)
    }
}

fn declared(value: &Value) -> Option<Validity> {
    let declared: Validity = serde_json::from_value(value.clone()).ok()?;
    let is_fraction = |rate: Option<f64>| rate.is_none_or(|rate| (0.0..=1.0).contains(&rate));
    let in_range = declared.min_eligible_trials != Some(0)
        && is_fraction(declared.min_completion_rate)
        && is_fraction(declared.max_evaluator_error_rate);
    in_range.then_some(declared)
}

fn fraction(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| (0.0..=1.0).contains(number))
}

fn whole(value: &Value, least: u64, most: u64) -> Option<u64> {
    count(value).filter(|number| (least..=most).contains(number))
}

fn plan_iterations(plan: &mut EditPlan, rule: IterationRule, new: u64) -> Result<(), EditError> {
    match rule {
        IterationRule::DefaultCount { iterations } => {
            if new != iterations {
                plan.set("iterations", "repetitions", json!(new));
            }
            Ok(())
        }
        IterationRule::CaseCountWithFloor { minimum_iterations: _ } => {
            Err(EditError::Refused(EditRefusal::IterationsNotRepresentable))
        }
    }
}

fn plan_floor(plan: &mut EditPlan, rule: IterationRule, new: Option<u64>) -> Result<(), EditError> {
    match rule {
        IterationRule::CaseCountWithFloor { minimum_iterations } => {
            if new != minimum_iterations {
                plan.set("minimumIterations", "minimumIterations", json!(new));
            }
            Ok(())
        }
        IterationRule::DefaultCount { iterations: _ } => {
            Err(EditError::Refused(EditRefusal::MinimumIterationsNotRepresentable))
        }
    }
}

fn plan_threshold(plan: &mut EditPlan, criterion: PassCriterion, new: f64) {
    match criterion {
        PassCriterion::PerCase { threshold } => {
            if new != threshold {
                plan.set("passThreshold", "passThreshold", json!(new));
            }
        }
        PassCriterion::SuiteWide { threshold_percent, population: _, empty_population_rate: _ } => {
            let percent = (new * 1e12 + 0.5).floor() / 1e10;
            if percent != threshold_percent {
                plan.set("passThreshold", "minimumAccuracy", json!(percent));
            }
        }
    }
}

fn plan_validity(
    plan: &mut EditPlan,
    policy: &GradingPolicy,
    edit: Validity,
) -> Result<(), EditError> {
    if !policy.validity.enforced {
        return Err(EditError::Refused(EditRefusal::ValidityNotEnforced));
    }
    let declared = policy.validity.declared.unwrap_or_default();
    let merged = Validity {
        min_eligible_trials: edit.min_eligible_trials.or(declared.min_eligible_trials),
        min_completion_rate: edit.min_completion_rate.or(declared.min_completion_rate),
        max_evaluator_error_rate: edit
            .max_evaluator_error_rate
            .or(declared.max_evaluator_error_rate),
    };
    if merged != declared {
        plan.set("validity", "validity", json!(edit));
    }
    Ok(())
}
