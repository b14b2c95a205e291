//! Scripts of a scripted judge: a judge is a model, so `scripted/NAME` can be one.

use serde_json::json;

/// A script whose every answer is this score, with a reason and no hits.
pub fn scoring(score: f64) -> String {
    saying(&json!({ "score": score, "reason": "as scripted", "rubricHits": [] }).to_string())
}

/// A script whose every answer is this text, whether or not a judge may say it.
pub fn saying(text: &str) -> String {
    json!({ "scripts": [{ "turns": [{ "say": text }] }] }).to_string()
}

/// A script whose provider fails in this way, for example `credentials`, `rateLimited` or `timeout`.
pub fn failing(error: &str) -> String {
    json!({ "scripts": [{ "turns": [{ "error": error }] }] }).to_string()
}
