//! The band of a judge's score (derivation, section 9).

use howfar_wire::chain::JudgeVerdict;

/// The threshold of a judge that states none.
pub const DEFAULT_JUDGE_THRESHOLD: f64 = 0.7;

/// The lowest score that is not a plain failure.
pub const PARTIAL_FLOOR: f64 = 0.4;

/// The highest score that counts when nothing says what a good answer is.
pub const CAP_WITHOUT_RUBRIC: f64 = 0.85;

/// What a judge's score comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgeBand {
    /// The score that counts, a fraction.
    pub score: f64,
    /// Whether it is at or above the threshold.
    pub passed: bool,
    /// The band.
    pub verdict: JudgeVerdict,
}

/// Why a judge's score has no band.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum JudgeBandError {
    /// The score is not a fraction.
    #[error("the score {0} is not between 0 and 1")]
    Score(f64),
    /// The threshold is not a fraction.
    #[error("the threshold {0} is not between 0 and 1")]
    Threshold(f64),
}

/// The band of `score`, a fraction; without a rubric (no expected output and no criteria) a score counts up to 0.85.
///
/// With a threshold at or below 0.4 there is no partial band; with one above 0.85 a trial without a rubric never
/// passes.
///
/// # Errors
///
/// When the score or the threshold is not a finite number between 0 and 1.
pub fn judge_band(
    score: f64,
    has_rubric: bool,
    threshold: Option<f64>,
) -> Result<JudgeBand, JudgeBandError> {
    let threshold = threshold.unwrap_or(DEFAULT_JUDGE_THRESHOLD);
    if !(0.0..=1.0).contains(&threshold) {
        return Err(JudgeBandError::Threshold(threshold));
    }
    if !(0.0..=1.0).contains(&score) {
        return Err(JudgeBandError::Score(score));
    }
    let score = if has_rubric { score } else { score.min(CAP_WITHOUT_RUBRIC) };
    let passed = score >= threshold;
    let verdict = if passed {
        JudgeVerdict::Pass
    } else if score >= PARTIAL_FLOOR {
        JudgeVerdict::Partial
    } else {
        JudgeVerdict::Fail
    };
    Ok(JudgeBand { score, passed, verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_the_unit_interval_is_refused() {
        assert_eq!(judge_band(1.5, true, None), Err(JudgeBandError::Score(1.5)));
        assert_eq!(judge_band(0.5, true, Some(-0.1)), Err(JudgeBandError::Threshold(-0.1)));
        assert!(judge_band(f64::NAN, true, None).is_err());
    }
}
