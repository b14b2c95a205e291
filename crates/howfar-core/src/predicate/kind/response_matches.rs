//! `responseMatches` (predicates 6.11 and 7.1).

use std::sync::LazyLock;

use howfar_suite::pattern::EcmaPattern;
use howfar_wire::canon::utf16_len;
use regex::Regex;

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

/// The longest message that is matched, in UTF-16 code units.
const INPUT_CAP: usize = 100_000;

/// A quantifier on a group that ends in one. Escaped quantifiers are refused too, by intent.
static NESTED_QUANTIFIER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[+*}]\??\)[+*{]").expect("a constant pattern compiles"));

#[derive(Debug)]
struct ResponseMatches {
    authored: String,
    pattern: EcmaPattern,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let authored = fields
        .non_empty("pattern")
        .ok_or_else(|| Outcome::fail("responseMatches requires a non-empty string pattern"))?;
    if NESTED_QUANTIFIER.is_match(authored) {
        return Err(Outcome::fail(format!(
            "regex pattern /{authored}/ contains a nested quantifier; refusing to evaluate to avoid catastrophic backtracking"
        )));
    }
    let pattern = EcmaPattern::new(authored)
        .map_err(|error| Outcome::fail(format!("invalid regex pattern /{authored}/: {error}")))?;
    Ok(Box::new(ResponseMatches { authored: authored.to_owned(), pattern }))
}

impl Check for ResponseMatches {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { authored, pattern } = self;
        let message = evidence.message();
        if utf16_len(message) > INPUT_CAP {
            return Outcome::fail(format!(
                "final assistant message exceeds {INPUT_CAP} chars; refusing to evaluate /{authored}/ safely"
            ));
        }
        match pattern.is_match(message) {
            Ok(true) => Outcome::pass(format!("final assistant message matches /{authored}/")),
            Ok(false) => {
                Outcome::fail(format!("final assistant message does not match /{authored}/"))
            }
            // Fails closed: what could not be decided is no match.
            Err(error) => Outcome::fail(format!(
                "final assistant message could not be matched against /{authored}/: {error}"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    fn check(pattern: &str, message: &str) -> String {
        let check = json!({"type": "responseMatches", "pattern": pattern});
        outcome(&check, json!({"finalAssistantMessage": message}))
    }

    #[test]
    fn a_pattern_is_searched_anywhere() {
        assert_eq!(check("b+", "abbc"), "pass: final assistant message matches /b+/");
    }

    #[test]
    fn a_nested_quantifier_is_refused() {
        assert!(check("(a+)+", "a").contains("contains a nested quantifier"));
        assert!(check(r"(\+)+", "+").contains("contains a nested quantifier"));
    }

    #[test]
    fn a_broken_pattern_fails() {
        assert!(check("(", "a").starts_with("fail: invalid regex pattern /(/: "));
    }
}
