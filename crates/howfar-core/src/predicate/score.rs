//! Identity and wording of the scores that checks and the matcher give (predicates, section 12).

use howfar_wire::canon::{canonical_digest, es_trim};
use howfar_wire::matching::MatchOptions;
use howfar_wire::transcript::ToolCall;
use howfar_wire::vocabulary::PredicateKind;
use serde_json::{Map, Value, json};

use super::policy::without_policy;

/// The version of every scorer of this section.
pub const SCORER_VERSION: &str = "1";
/// The scorer id of the tool-call matcher.
pub const MATCHER_SCORER_ID: &str = "tool-match";

/// The stable id of a scorer and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScorerIdentity {
    /// The author named it.
    Explicit(String),
    /// It was made up from the place or the rule; a gate may not select it.
    Generated(String),
}

impl ScorerIdentity {
    /// A check of a list, by its place unless it is named. A blank name counts as none.
    pub fn in_list(name: Option<&str>, kind: &str, ordinal: usize) -> Self {
        named(name).unwrap_or_else(|| Self::Generated(format!("predicate:{kind}#{ordinal}")))
    }

    /// A check on its own, by a digest of its rule unless it is named. The severity belongs to the digest.
    pub fn standalone(name: Option<&str>, check: &Value) -> Self {
        named(name).unwrap_or_else(|| {
            let mut rule = check.clone();
            if let Some(members) = rule.as_object_mut() {
                members.shift_remove("role");
            }
            let kind = check.get("type").and_then(Value::as_str).unwrap_or_default();
            let digest = canonical_digest(&rule);
            Self::Generated(format!("predicate:{kind}#{}", &digest[..8]))
        })
    }
}

fn named(name: Option<&str>) -> Option<ScorerIdentity> {
    let name = name.map(es_trim).filter(|name| !name.is_empty())?;
    Some(ScorerIdentity::Explicit(name.to_owned()))
}

/// The digest that changes when the meaning of a check does. Role and severity are no part of it; the kinds that run an
/// engine of their own name it.
pub fn implementation_hash(kind: Option<PredicateKind>, check: &Value) -> String {
    let rule = without_policy(check);
    match kind {
        Some(PredicateKind::ToolInputMatches) => canonical_digest(&pattern_rule(rule)),
        Some(PredicateKind::ToolResultMatches) => {
            let mut wrapped = pattern_rule(rule);
            wrapped["subject"] = json!("text,structuredContent,json");
            wrapped["pathSource"] = json!("structuredContent,json");
            canonical_digest(&wrapped)
        }
        Some(PredicateKind::ResponseCloseTo) => canonical_digest(&json!({
            "implementationVersion": 1,
            "algorithm": "levenshtein-code-points",
            "maxCells": 4_000_000,
            "maxInputChars": 100_000,
            "rule": rule,
        })),
        Some(_) | None => canonical_digest(&rule),
    }
}

fn pattern_rule(rule: Value) -> Value {
    json!({
        "implementationVersion": 1,
        "engine": "re2js",
        "encoding": "canonical-json-bounded",
        "maxSubjectChars": 100_000,
        "rule": rule,
    })
}

/// The digest that changes when the meaning of the matcher does. A positive case leaves `isNegativeTest` out.
pub fn matcher_implementation_hash(
    expected: &[ToolCall],
    options: &MatchOptions,
    is_negative_test: bool,
) -> String {
    let call = |call: &ToolCall| json!({"toolName": call.tool_name, "arguments": call.arguments});
    let mut wrapped = Map::new();
    wrapped.insert("expectedToolCalls".to_owned(), expected.iter().map(call).collect());
    wrapped.insert("matchOptions".to_owned(), json!(options));
    if is_negative_test {
        wrapped.insert("isNegativeTest".to_owned(), json!(true));
    }
    canonical_digest(&Value::Object(wrapped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_name_is_none() {
        let generated = ScorerIdentity::Generated("predicate:noToolErrors#2".to_owned());
        assert_eq!(ScorerIdentity::in_list(Some(" "), "noToolErrors", 2), generated);
        let named = ScorerIdentity::Explicit("mine".to_owned());
        assert_eq!(ScorerIdentity::in_list(Some(" mine "), "noToolErrors", 2), named);
    }

    #[test]
    fn policy_does_not_change_the_hash() {
        let hash = |check: Value| implementation_hash(Some(PredicateKind::NoToolErrors), &check);
        let plain = hash(json!({"type": "noToolErrors"}));
        assert_eq!(
            hash(json!({"type": "noToolErrors", "role": "advisory", "severity": "warn"})),
            plain
        );
    }

    #[test]
    fn a_standalone_id_keeps_the_severity() {
        let id = |check: Value| ScorerIdentity::standalone(None, &check);
        let plain = id(json!({"type": "noToolErrors"}));
        assert_eq!(id(json!({"type": "noToolErrors", "role": "advisory"})), plain);
        assert_ne!(id(json!({"type": "noToolErrors", "severity": "warn"})), plain);
    }
}
