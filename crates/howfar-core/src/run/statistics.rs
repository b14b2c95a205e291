//! How often trials passed: chances, intervals, and how many passes a threshold needs (run-documents 4.9 and 9.3).

use howfar_wire::verdict::{CaseDecision, CaseStatistics, PassRateInterval};
use howfar_wire::verdict::{TrialStatistics, VerdictDecision};
use howfar_wire::vocabulary::MeasurementUnit;

/// The quantile of the normal distribution for 95 % confidence.
pub const WILSON_Z: f64 = 1.959963984540054;

/// A Wilson interval around an observed rate; fractions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilson {
    /// The observed rate; 0 when there is nothing to divide by.
    pub point: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// The Wilson interval of `passed` of `total`; from 0 to 1 when there is nothing to divide by.
pub fn wilson(passed: f64, total: f64) -> Wilson {
    if total <= 0.0 {
        return Wilson { point: 0.0, lower: 0.0, upper: 1.0 };
    }
    let z2 = WILSON_Z * WILSON_Z;
    let denominator = total + z2;
    let centre = (passed + z2 / 2.0) / denominator;
    let spread = (WILSON_Z / denominator) * (passed * (total - passed) / total + z2 / 4.0).sqrt();
    Wilson {
        point: passed / total,
        lower: (centre - spread).max(0.0),
        upper: (centre + spread).min(1.0),
    }
}

/// What is known from `c` passes among `n` trials, when `k` of them are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassStatistics {
    /// The chance that one of `k` passes; `None` when `k` cannot be drawn.
    pub pass_at_k: Option<f64>,
    /// The chance that all of `k` pass; `None` when `k` cannot be drawn.
    pub pass_hat_k: Option<f64>,
    /// Where the true rate may lie; `None` without trials.
    pub pass_rate_interval: Option<PassRateInterval>,
}

/// Why statistics were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StatisticsRefusal {
    /// A count is no whole number, is negative, or more passed than there are.
    #[error("the counts of trials are invalid")]
    CountsInvalid,
    /// The number of drawn trials is not whole.
    #[error("the number of drawn trials is not whole")]
    KInvalid,
}

impl StatisticsRefusal {
    /// The machine-readable kind.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::CountsInvalid => "countsInvalid",
            Self::KInvalid => "kInvalid",
        }
    }
}

/// The statistics of numbers as documents hold them.
///
/// # Errors
///
/// When a count is not a whole number in range, or `k` is not whole.
pub fn pass_statistics(
    eligible_trials: f64,
    passed_trials: f64,
    k: f64,
) -> Result<PassStatistics, StatisticsRefusal> {
    let is_count = |number: f64| number.fract() == 0.0 && number >= 0.0;
    if !is_count(eligible_trials) || !is_count(passed_trials) || passed_trials > eligible_trials {
        return Err(StatisticsRefusal::CountsInvalid);
    }
    if k.fract() != 0.0 {
        return Err(StatisticsRefusal::KInvalid);
    }
    Ok(statistics(eligible_trials, passed_trials, k))
}

/// Trial statistics beside a decision: reported, never gating.
pub fn trial_statistics(decision: &VerdictDecision) -> TrialStatistics {
    let cases: Vec<_> = decision.cases.iter().map(case_statistics).collect();
    TrialStatistics {
        unit: MeasurementUnit::CaseVariant,
        eligible_trials: cases.iter().map(|case| case.eligible_trials).sum(),
        passed_trials: cases.iter().map(|case| case.passed_trials).sum(),
        cases,
    }
}

/// Where the true rate may lie when `passed` of `total` trials passed; `None` without trials.
pub(super) fn pass_rate_interval(passed: u64, total: u64) -> Option<PassRateInterval> {
    (total > 0).then(|| interval(passed as f64, total as f64))
}

/// The smallest number of passes among `configured_trials` that meets a threshold; 0 when either is not positive.
pub fn passes_needed(configured_trials: f64, pass_threshold: f64) -> u64 {
    let positive = |number: f64| number.is_finite() && number > 0.0;
    if !positive(configured_trials) || !positive(pass_threshold) {
        return 0;
    }
    let (trials, threshold) = (configured_trials.floor(), pass_threshold.min(1.0));
    // The estimate is off by at most one, because a quotient of two counts is rounded once.
    let estimate = (threshold * trials).ceil() as u64;
    let enough = |passes: u64| passes as f64 / trials >= threshold;
    if estimate > 0 && enough(estimate - 1) {
        estimate - 1
    } else if enough(estimate) || trials == 0.0 {
        estimate
    } else {
        estimate + 1
    }
}

fn case_statistics(case: &CaseDecision) -> CaseStatistics {
    let (n, c) = (case.eligible_trials, case.passed_trials);
    let PassStatistics { pass_at_k, pass_hat_k, pass_rate_interval } =
        statistics(n as f64, c as f64, n as f64);
    CaseStatistics {
        case_id: case.case_id.clone(),
        execution_variant: case.execution_variant.clone(),
        eligible_trials: n,
        passed_trials: c,
        k: n,
        pass_at_k,
        pass_hat_k,
        pass_rate_interval,
    }
}

fn statistics(n: f64, c: f64, k: f64) -> PassStatistics {
    let can_draw = n > 0.0 && k >= 1.0 && k <= n;
    PassStatistics {
        pass_at_k: can_draw.then(|| 1.0 - chance_of_all(n - c, n, k)),
        pass_hat_k: can_draw.then(|| chance_of_all(c, n, k)),
        pass_rate_interval: (n > 0.0).then(|| interval(c, n)),
    }
}

/// The chance that `k` draws from `n` without replacement all come from `a` of them.
fn chance_of_all(a: f64, n: f64, k: f64) -> f64 {
    if k > a {
        return 0.0;
    }
    let (mut chance, mut drawn) = (1.0, 0.0);
    while drawn < k {
        chance *= (a - drawn) / (n - drawn);
        drawn += 1.0;
    }
    chance
}

/// The Wilson interval with exact ends where every trial agrees.
fn interval(c: f64, n: f64) -> PassRateInterval {
    let Wilson { point: _, lower, upper } = wilson(c, n);
    PassRateInterval {
        confidence: 0.95,
        lower: if c == 0.0 { 0.0 } else { lower },
        upper: if c == n { 1.0 } else { upper },
    }
}
