//! Did the pass rate fall by more than chance explains (run-documents 9.3)?

use howfar_wire::compare::PassRateVerdict;
use howfar_wire::gate::PassRateRegression;

use crate::run::statistics::{Wilson, wilson};

/// The least number of trials on each side, unless another is asked for.
pub const DEFAULT_MIN_SAMPLE_SIZE: f64 = 5.0;
/// The least fall that counts, a fraction, unless another is asked for.
pub const DEFAULT_MIN_EFFECT_SIZE: f64 = 0.01;

/// How many iterations of a run passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassCounts {
    /// Passed.
    pub passed: f64,
    /// All.
    pub total: f64,
}

/// What two pass rates say about each other. Differences are compared minus base, as fractions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassRateAssessment {
    /// The difference.
    pub delta: f64,
    /// The lower end of its 95 % interval.
    pub lower: f64,
    /// The upper end of its 95 % interval.
    pub upper: f64,
    /// What it means.
    pub verdict: PassRateVerdict,
    /// The base run's rate.
    pub base: Wilson,
    /// The compared run's rate.
    pub compare: Wilson,
}

/// Compares two pass rates with Newcombe's interval. The interval is given whatever the verdict.
pub fn assess_pass_rate(
    base: PassCounts,
    compare: PassCounts,
    rule: PassRateRegression,
) -> PassRateAssessment {
    let sample = rule.min_sample_size.unwrap_or(DEFAULT_MIN_SAMPLE_SIZE);
    let effect = rule.min_effect_size.unwrap_or(DEFAULT_MIN_EFFECT_SIZE);
    let b = wilson(base.passed, base.total);
    let c = wilson(compare.passed, compare.total);
    let delta = c.point - b.point;
    let below = ((c.point - c.lower).powi(2) + (b.upper - b.point).powi(2)).sqrt();
    let above = ((c.upper - c.point).powi(2) + (b.point - b.lower).powi(2)).sqrt();
    let lower = (delta - below).clamp(-1.0, 1.0);
    let upper = (delta + above).clamp(-1.0, 1.0);
    let smaller = base.total.min(compare.total);
    let verdict = if smaller <= 0.0 || smaller < sample {
        PassRateVerdict::InsufficientData
    } else if upper < 0.0 && delta <= -effect {
        PassRateVerdict::Regression
    } else {
        PassRateVerdict::NoRegression
    };
    PassRateAssessment { delta, lower, upper, verdict, base: b, compare: c }
}
