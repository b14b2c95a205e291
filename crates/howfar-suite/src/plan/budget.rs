//! Suite-level execution budgets (suite and runner, section B10): resolved once at launch, then frozen.

/// What an author asked for; what is absent has a default. Times are milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuthoredBudgets {
    /// The time of one turn.
    pub turn_timeout_ms: Option<u64>,
    /// The time of one tool call; reserved, checked but not applied.
    pub tool_call_timeout_ms: Option<u64>,
    /// The time of one trial.
    pub iteration_timeout_ms: Option<u64>,
    /// The time of the run.
    pub run_timeout_ms: Option<u64>,
    /// How often a turn is tried again.
    pub turn_retries: Option<u64>,
}

/// The greatest values that a run accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetCeilings {
    /// The time of one turn.
    pub turn_timeout_ms: u64,
    /// The time of one tool call.
    pub tool_call_timeout_ms: u64,
    /// The time of one trial.
    pub unit_timeout_ms: u64,
    /// The time of the run.
    pub run_timeout_ms: u64,
    /// How often a turn is tried again.
    pub turn_retries: u64,
}

impl Default for BudgetCeilings {
    fn default() -> Self {
        Self {
            turn_timeout_ms: 1_800_000,
            tool_call_timeout_ms: 600_000,
            unit_timeout_ms: 7_200_000,
            run_timeout_ms: 43_200_000,
            turn_retries: 5,
        }
    }
}

/// Where a resolved value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetSource {
    /// The author wrote it.
    Authored,
    /// Nobody wrote it.
    Default,
}

/// One resolved value and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedBudget {
    /// The value.
    pub value: u64,
    /// Where it comes from.
    pub source: BudgetSource,
}

/// The budgets of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedBudgets {
    /// The time of one turn, in milliseconds.
    pub turn_timeout_ms: ResolvedBudget,
    /// The time of one trial, in milliseconds.
    pub unit_timeout_ms: ResolvedBudget,
    /// The time of the run, in milliseconds.
    pub run_timeout_ms: ResolvedBudget,
    /// How often a turn is tried again.
    pub turn_retries: ResolvedBudget,
}

/// A value above its ceiling. It is refused, never lowered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}, above the ceiling of {ceiling}")]
pub struct BudgetViolation {
    /// The field as authored.
    pub field: &'static str,
    /// The value.
    pub value: u64,
    /// The greatest value.
    pub ceiling: u64,
}

/// Resolves the budgets; a default is lowered to a ceiling, an authored value never is.
///
/// # Errors
///
/// Every authored value above its ceiling, in the order of the fields.
pub fn resolve_budgets(
    authored: &AuthoredBudgets,
    ceilings: &BudgetCeilings,
) -> Result<ResolvedBudgets, Vec<BudgetViolation>> {
    let checked = [
        ("turnTimeoutMs", authored.turn_timeout_ms, ceilings.turn_timeout_ms),
        ("toolCallTimeoutMs", authored.tool_call_timeout_ms, ceilings.tool_call_timeout_ms),
        ("iterationTimeoutMs", authored.iteration_timeout_ms, ceilings.unit_timeout_ms),
        ("runTimeoutMs", authored.run_timeout_ms, ceilings.run_timeout_ms),
        ("turnRetries", authored.turn_retries, ceilings.turn_retries),
    ];
    let violation = |(field, value, ceiling): (&'static str, Option<u64>, u64)| {
        let value = value.filter(|&value| value > ceiling)?;
        Some(BudgetViolation { field, value, ceiling })
    };
    let violations: Vec<_> = checked.into_iter().filter_map(violation).collect();
    if !violations.is_empty() {
        return Err(violations);
    }
    Ok(ResolvedBudgets {
        turn_timeout_ms: resolved(authored.turn_timeout_ms, 360_000, ceilings.turn_timeout_ms),
        unit_timeout_ms: resolved(authored.iteration_timeout_ms, 600_000, ceilings.unit_timeout_ms),
        run_timeout_ms: resolved(authored.run_timeout_ms, 1_800_000, ceilings.run_timeout_ms),
        turn_retries: resolved(authored.turn_retries, 2, ceilings.turn_retries),
    })
}

fn resolved(authored: Option<u64>, default: u64, ceiling: u64) -> ResolvedBudget {
    match authored {
        Some(value) => ResolvedBudget { value, source: BudgetSource::Authored },
        None => ResolvedBudget { value: default.min(ceiling), source: BudgetSource::Default },
    }
}
