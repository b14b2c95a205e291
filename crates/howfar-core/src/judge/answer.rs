//! What a judge's answer amounts to (suite and runner, section C2, "Output").

use howfar_suite::plan::{GoalScore, score_goal};
use howfar_wire::canon;
use howfar_wire::judge::JudgeErrorCode;
use serde_json::Value;

use super::JudgeFault;

/// Reads the text of a judge's answer: one JSON object, alone or in one Markdown fence. A verdict that the judge claims is
/// not read; whether a score passes is decided here.
///
/// # Errors
///
/// `judge_output_invalid` when the text is no such object, the score is not a number from 0 to 1, the reason is blank or
/// the hits are not texts.
pub fn parse_answer(text: &str, has_rubric: bool, threshold: f64) -> Result<GoalScore, JudgeFault> {
    let invalid = |message: String| JudgeFault::new(JudgeErrorCode::OutputInvalid, message);
    let output: Value = serde_json::from_str(unfenced(text))
        .map_err(|error| invalid(format!("the answer is not one JSON object: {error}")))?;
    score_goal(&output, has_rubric, threshold).map_err(|error| invalid(error.0.to_owned()))
}

/// The inside of one Markdown fence around the whole text; else the text.
fn unfenced(text: &str) -> &str {
    let text = canon::es_trim(text);
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inside = inside.map(|inside| inside.strip_prefix("json").unwrap_or(inside));
    inside.filter(|inside| !inside.contains("```")).map_or(text, canon::es_trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn invalid(text: &str) {
        let fault = parse_answer(text, true, 0.7).expect_err("the answer has no such shape");
        assert_eq!(fault.code, JudgeErrorCode::OutputInvalid);
    }

    #[test]
    fn a_fence_around_the_object_is_taken_off() {
        let text = "```json\n{\"score\": 0.5, \"reason\": \"half\", \"rubricHits\": []}\n```";
        assert_eq!(parse_answer(text, true, 0.7).map(|score| score.score), Ok(0.5));
    }

    #[test]
    fn prose_two_objects_and_other_shapes_are_no_answer() {
        invalid("Great job, 10/10");
        invalid("");
        invalid("{\"score\": 1, \"reason\": \"a\", \"rubricHits\": []} {\"score\": 0}");
        invalid("{\"score\": \"1\", \"reason\": \"a\", \"rubricHits\": []}");
        invalid("{\"score\": 1.01, \"reason\": \"a\", \"rubricHits\": []}");
        invalid("{\"score\": 1, \"reason\": \" \", \"rubricHits\": []}");
        invalid("{\"score\": 1, \"reason\": \"a\", \"rubricHits\": [1]}");
        invalid("{\"score\": 1, \"reason\": \"a\"}");
    }

    #[test]
    fn a_claimed_verdict_decides_nothing() {
        let text = "{\"score\": 0.1, \"reason\": \"a\", \"rubricHits\": [], \"passed\": true}";
        assert_eq!(parse_answer(text, true, 0.7).map(|score| score.passed), Ok(false));
    }

    #[test]
    fn without_a_rubric_the_score_is_capped_and_says_so() {
        let text = "{\"score\": 1, \"reason\": \"done\", \"rubricHits\": []}";
        let score = parse_answer(text, false, 0.9).expect("a score");
        assert_eq!((score.score, score.passed), (0.85, false));
        assert_eq!(score.reason, "no rubric — done");
    }
}
