//! The numbers of the goal judge (suite and runner, section C2). What it is shown lies in `howfar-core`, asking it in
//! `howfar-runner`.

use howfar_wire::canon;
use howfar_wire::suite::Rubric;
use serde_json::Value;

/// The score from which a miss is partial.
pub const GOAL_PARTIAL_FLOOR: f64 = 0.4;
/// The greatest score without a rubric: the request alone cannot show that everything was met.
pub const GOAL_OBJECTIVE_CAP: f64 = 0.85;

/// How close an answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalVerdict {
    /// The score reached the threshold.
    Pass,
    /// It missed the threshold and reached the floor.
    Partial,
    /// It missed both.
    Fail,
}

impl GoalVerdict {
    /// The wire spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Partial => "partial",
            Self::Fail => "fail",
        }
    }
}

/// What the judge's answer amounts to.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalScore {
    /// The score, capped when nothing but the request was graded against.
    pub score: f64,
    /// Whether the score reached the threshold.
    pub passed: bool,
    /// How close it came.
    pub verdict: GoalVerdict,
    /// The judge's reason, marked when there was no rubric.
    pub reason: String,
    /// What the judge cites; unmet expectations start with `missing: `.
    pub rubric_hits: Vec<String>,
}

/// The judge's answer does not have the required shape: an evaluator error, never a low score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("judge_output_invalid: {0}")]
pub struct JudgeOutputInvalid(pub &'static str);

/// Whether there is something to grade against beside the request itself. Instructions alone are not a rubric.
pub fn has_rubric(expected_output: Option<&str>, suite_rubric: Option<&Rubric>) -> bool {
    expected_output.is_some_and(|text| !canon::is_blank(text))
        || suite_rubric.is_some_and(|rubric| !rubric.criteria.is_empty())
}

/// Scores a judge's answer.
///
/// # Errors
///
/// [`JudgeOutputInvalid`] when the score is not a number in 0 to 1, the reason is blank, or the hits are not texts.
pub fn score_goal(
    output: &Value,
    has_rubric: bool,
    threshold: f64,
) -> Result<GoalScore, JudgeOutputInvalid> {
    let score = output
        .get("score")
        .and_then(Value::as_f64)
        .filter(|score| (0.0..=1.0).contains(score))
        .ok_or(JudgeOutputInvalid("the score is not a number from 0 to 1"))?;
    let reason = output
        .get("reason")
        .and_then(Value::as_str)
        .filter(|reason| !canon::is_blank(reason))
        .ok_or(JudgeOutputInvalid("the reason is blank"))?;
    let rubric_hits = output
        .get("rubricHits")
        .and_then(Value::as_array)
        .and_then(|hits| hits.iter().map(|hit| hit.as_str().map(str::to_owned)).collect())
        .ok_or(JudgeOutputInvalid("the hits are not a list of texts"))?;
    let score = if has_rubric { score } else { score.min(GOAL_OBJECTIVE_CAP) };
    let passed = score >= threshold;
    let verdict = if passed {
        GoalVerdict::Pass
    } else if score >= GOAL_PARTIAL_FLOOR {
        GoalVerdict::Partial
    } else {
        GoalVerdict::Fail
    };
    Ok(GoalScore { score, passed, verdict, reason: marked_reason(reason, has_rubric), rubric_hits })
}

fn marked_reason(reason: &str, has_rubric: bool) -> String {
    let already = reason.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("no rubric"));
    if has_rubric || already { reason.to_owned() } else { format!("no rubric — {reason}") }
}
