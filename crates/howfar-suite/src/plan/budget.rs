//! Execution budgets: how long, and how often, a run may try (run documents, section 12; suite and runner, section B10).
//! Resolved once at launch, then frozen.

use serde_json::{Map, Value};

/// What is run under the budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Suites of cases; the unit is an iteration.
    Evals,
    /// Simulated users; the unit is a session.
    Swarms,
}

/// A budget, in the order in which budgets are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// One turn, in milliseconds.
    Turn,
    /// One tool call, in milliseconds; checked, and not part of the resolution.
    ToolCall,
    /// One iteration or session, in milliseconds.
    Unit,
    /// The run, in milliseconds.
    Run,
    /// Retries of one turn.
    Retries,
}

const BUDGETS: [Budget; 5] =
    [Budget::Turn, Budget::ToolCall, Budget::Unit, Budget::Run, Budget::Retries];

impl Budget {
    /// The name under which it is authored.
    pub const fn authored_name(self, surface: Surface) -> &'static str {
        match (self, surface) {
            (Self::Turn, Surface::Evals | Surface::Swarms) => "turnTimeoutMs",
            (Self::ToolCall, Surface::Evals | Surface::Swarms) => "toolCallTimeoutMs",
            (Self::Unit, Surface::Evals) => "iterationTimeoutMs",
            (Self::Unit, Surface::Swarms) => "sessionTimeoutMs",
            (Self::Run, Surface::Evals | Surface::Swarms) => "runTimeoutMs",
            (Self::Retries, Surface::Evals | Surface::Swarms) => "turnRetries",
        }
    }

    const fn limits(self, surface: Surface) -> Limits {
        let (least, most, default) = match (self, surface) {
            (Self::Turn, Surface::Evals | Surface::Swarms) => (10_000, 1_800_000, 360_000),
            (Self::ToolCall, Surface::Evals) => (1_000, 600_000, 30_000),
            (Self::ToolCall, Surface::Swarms) => (1_000, 600_000, 120_000),
            (Self::Unit, Surface::Evals) => (30_000, 7_200_000, 600_000),
            (Self::Unit, Surface::Swarms) => (60_000, 7_200_000, 1_200_000),
            (Self::Run, Surface::Evals) => (60_000, 43_200_000, 1_800_000),
            (Self::Run, Surface::Swarms) => (60_000, 43_200_000, 7_200_000),
            (Self::Retries, Surface::Evals | Surface::Swarms) => (0, 5, 2),
        };
        Limits { least, most, default }
    }
}

struct Limits {
    least: u64,
    most: u64,
    default: u64,
}

/// Budgets that somebody states; an absent one is not stated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatedBudgets {
    /// One turn, in milliseconds.
    pub turn: Option<u64>,
    /// One tool call, in milliseconds.
    pub tool_call: Option<u64>,
    /// One iteration or session, in milliseconds.
    pub unit: Option<u64>,
    /// The run, in milliseconds.
    pub run: Option<u64>,
    /// Retries of one turn.
    pub retries: Option<u64>,
}

impl StatedBudgets {
    const fn get(&self, budget: Budget) -> Option<u64> {
        match budget {
            Budget::Turn => self.turn,
            Budget::ToolCall => self.tool_call,
            Budget::Unit => self.unit,
            Budget::Run => self.run,
            Budget::Retries => self.retries,
        }
    }

    const fn get_mut(&mut self, budget: Budget) -> &mut Option<u64> {
        match budget {
            Budget::Turn => &mut self.turn,
            Budget::ToolCall => &mut self.tool_call,
            Budget::Unit => &mut self.unit,
            Budget::Run => &mut self.run,
            Budget::Retries => &mut self.retries,
        }
    }
}

/// A budget and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedBudget {
    /// The budget.
    pub value: u64,
    /// Whether it was authored.
    pub authored: bool,
}

/// The budgets that a run goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedBudgets {
    /// One turn, in milliseconds.
    pub turn: ResolvedBudget,
    /// One iteration or session, in milliseconds.
    pub unit: ResolvedBudget,
    /// The run, in milliseconds.
    pub run: ResolvedBudget,
    /// Retries of one turn.
    pub retries: ResolvedBudget,
}

/// An authored budget above its ceiling. Nothing is clamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}, above its ceiling {ceiling}")]
pub struct BudgetViolation {
    /// The authored name.
    pub field: &'static str,
    /// What was authored.
    pub value: u64,
    /// The ceiling.
    pub ceiling: u64,
}

/// Budgets that are not well-formed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// The budgets are not an object.
    #[error("the budgets are not an object")]
    NotAnObject,
    /// A key that this surface does not know.
    #[error("{0:?} is not a budget here")]
    UnknownField(String),
    /// A value that is not a whole number in the authored range.
    #[error("{0} is not a whole number in range")]
    OutOfRange(&'static str),
}

/// The budgets of a run, or every authored one that exceeds its ceiling.
///
/// An organisation's ceiling can only lower the platform's; a default never exceeds either.
///
/// # Errors
///
/// All violations, in the order of the budgets.
pub fn resolve_budgets(
    surface: Surface,
    authored: &StatedBudgets,
    organisation_ceilings: &StatedBudgets,
) -> Result<ResolvedBudgets, Vec<BudgetViolation>> {
    let mut violations = Vec::new();
    let [turn, _, unit, run, retries] = BUDGETS.map(|budget| {
        let limits = budget.limits(surface);
        let ceiling = organisation_ceilings.get(budget).unwrap_or(limits.most).min(limits.most);
        match authored.get(budget) {
            None => ResolvedBudget { value: limits.default.min(ceiling), authored: false },
            Some(value) => {
                if value > ceiling {
                    let field = budget.authored_name(surface);
                    violations.push(BudgetViolation { field, value, ceiling });
                }
                ResolvedBudget { value, authored: true }
            }
        }
    });
    if violations.is_empty() {
        Ok(ResolvedBudgets { turn, unit, run, retries })
    } else {
        Err(violations)
    }
}

/// Authored budgets of an object with only this surface's fields, each in its authored range.
///
/// # Errors
///
/// The first field that is unknown or out of range.
pub fn validate_budgets(surface: Surface, budgets: &Value) -> Result<StatedBudgets, BudgetError> {
    let object = budgets.as_object().ok_or(BudgetError::NotAnObject)?;
    let stated = read_budgets(surface, object)?;
    for budget in BUDGETS {
        let limits = budget.limits(surface);
        let range = limits.least..=limits.most;
        if stated.get(budget).is_some_and(|value| !range.contains(&value)) {
            return Err(BudgetError::OutOfRange(budget.authored_name(surface)));
        }
    }
    Ok(stated)
}

/// Stated budgets by their authored names, whatever their size.
///
/// # Errors
///
/// The first field that is unknown or not a whole number.
pub fn read_budgets(
    surface: Surface,
    object: &Map<String, Value>,
) -> Result<StatedBudgets, BudgetError> {
    let mut stated = StatedBudgets::default();
    for (key, value) in object {
        let budget = BUDGETS.into_iter().find(|budget| budget.authored_name(surface) == key);
        let budget = budget.ok_or_else(|| BudgetError::UnknownField(key.clone()))?;
        let number = value.as_f64().filter(|it| it.fract() == 0.0 && *it >= 0.0);
        let number = number.ok_or(BudgetError::OutOfRange(budget.authored_name(surface)))?;
        *stated.get_mut(budget) = Some(number as u64);
    }
    Ok(stated)
}
