//! The pattern kinds: the engine, paths, bounds and subjects.

use howfar_core::predicate::{MatchVerdict, Tally, canonical_bounded, match_verdict};
use howfar_suite::pattern::{MatchBounds, Re2Pattern, key_path, path_key};
use serde_json::{Value, json};

use super::{input, same};

/// One pattern on one subject.
pub(super) fn engine(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let text = |key: &str| input[key].as_str().unwrap_or_default();
    let found = match Re2Pattern::new(text("pattern"), text("flags")) {
        Err(_) => json!({"compiles": false}),
        Ok(pattern) => json!({"compiles": true, "matches": pattern.is_match(text("subject"))}),
    };
    same(&found, &vector["expect"])
}

/// A path and the key that it names.
pub(super) fn path(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let key = match input["path"].as_str() {
        None => Err("path must be a string".to_owned()),
        Some(path) => path_key(path).map_err(|problem| problem.to_string()),
    };
    let found = match key {
        Ok(key) => json!({"ok": true, "key": key, "back": key_path(&key)}),
        Err(message) => json!({"ok": false, "message": message}),
    };
    same(&found, &vector["expect"])
}

/// A tally against bounds.
pub(super) fn verdict(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let count = |key: &str| input[key].as_u64().unwrap_or_default();
    let tally = Tally {
        matched: count("matched"),
        unreadable: count("unreadable"),
        unseen: input["unseen"] == json!("unbounded"),
    };
    let bounds = MatchBounds {
        min: input["bounds"]["min"].as_u64().unwrap_or(1),
        max: input["bounds"]["max"].as_u64(),
    };
    let verdict = match match_verdict(tally, bounds) {
        MatchVerdict::Pass => "pass",
        MatchVerdict::Fail => "fail",
        MatchVerdict::Unscored => "unscored",
    };
    same(&json!({ "verdict": verdict }), &vector["expect"])
}

/// Canonical JSON within a budget.
pub(super) fn canonical_within(vector: &Value) -> Result<(), String> {
    let input = input(vector);
    let budget = input["maxChars"].as_u64().and_then(|units| usize::try_from(units).ok());
    let found = match canonical_bounded(&input["value"], budget.unwrap_or_default()) {
        Some(text) => json!({"ok": true, "json": text}),
        None => json!({"ok": false, "reason": "overBudget"}),
    };
    same(&found, &vector["expect"])
}
