//! `toolResultMatches` (predicates 7.2).

use std::borrow::Cow;

use howfar_wire::canon::{canonical, string_literal};
use howfar_wire::transcript::ToolResultRow;

use super::{Check, Compiled};
use crate::predicate::evidence::{EmptyScope, Evidence, RESULTS, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::pattern_rule::{
    MatchVerdict, PatternRule, Subject, Tally, match_verdict, one_member,
};
use crate::predicate::pattern_words::{Counted, Words, patterns_shown, samples_shown, too_many};
use crate::predicate::text::{ITEMS_SHOWN, VALUE_CAP, brief, scrub, scrubbed};

const KIND: &str = "toolResultMatches";
const WORDS: Words = Words {
    unit: "result",
    member: "field",
    whose: "their",
    whole: "content",
    unreadable: "truncated for storage, over 100000 characters, or not serializable",
};

#[derive(Debug)]
struct ToolResultMatches {
    scope: ToolScope,
    rule: PatternRule,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    if fields.get("toolName").is_some() && fields.non_empty("toolName").is_none() {
        return Err(Outcome::error(format!("{KIND} toolName, when set, must be non-empty")));
    }
    let rule = PatternRule::read(KIND, WORDS.unit, fields)?;
    Ok(Box::new(ToolResultMatches { scope: fields.scope(), rule }))
}

impl Check for ToolResultMatches {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, rule } = self;
        let results = evidence.results(scope);
        if results.is_empty() {
            return self.nothing_returned(evidence);
        }
        let gap = evidence.capture_gap(RESULTS);
        let tally = Tally { unseen: gap.is_some(), ..Tally::default() };
        let mut counted = Counted { tally, missing: 0 };
        let mut unmatched = Vec::new();
        for row in &results {
            match self.subject(row) {
                Subject::Text(text) if rule.matches(&text) => {
                    counted.tally.matched += 1;
                    continue;
                }
                Subject::Text(_) => {}
                Subject::Missing => counted.missing += 1,
                Subject::Unreadable => counted.tally.unreadable += 1,
            }
            unmatched.push(*row);
        }
        let who =
            scope.tool_name().map_or_else(|| "tools".to_owned(), |name| format!("\"{name}\""));
        let returned = WORDS.units(u64::try_from(results.len()).unwrap_or(u64::MAX));
        let head = format!(
            "{who} returned {returned}, {}; {}",
            WORDS.counted(rule, counted),
            WORDS.expected(rule.bounds)
        );
        self.summary(&head, counted, gap, &unmatched)
    }
}

impl ToolResultMatches {
    fn subject<'a>(&self, row: &'a ToolResultRow) -> Subject<'a> {
        if let Some(key) = &self.rule.key {
            return Subject::member(content(row), key);
        }
        if row.truncated == Some(true) {
            return Subject::Unreadable;
        }
        let parts = [row.structured_content.as_ref(), row.json.as_ref()];
        let subject = match (&row.text, parts) {
            (Some(text), [None, None]) => Cow::Borrowed(text.as_str()),
            (text, parts) => {
                let json = parts.into_iter().flatten().map(canonical);
                Cow::Owned(text.iter().cloned().chain(json).collect::<Vec<_>>().join("\n"))
            }
        };
        Subject::within_limit(subject)
    }

    fn summary(
        &self,
        head: &str,
        counted: Counted,
        gap: Option<String>,
        unmatched: &[&ToolResultRow],
    ) -> Outcome {
        let rule = &self.rule;
        let patterns = patterns_shown(rule);
        match match_verdict(counted.tally, rule.bounds) {
            MatchVerdict::Pass => Outcome::pass(format!("{head}. {patterns}")),
            MatchVerdict::Unscored => match gap {
                Some(gap) => Outcome::error(format!(
                    "{head}, but {gap}; results that were not read could decide it. {patterns}"
                )),
                None => Outcome::error(format!(
                    "{head}, and the unreadable result(s) could decide it either way. {patterns}"
                )),
            },
            MatchVerdict::Fail => {
                let over = too_many(counted.tally, rule.bounds).is_some();
                let samples = if over || unmatched.is_empty() {
                    String::new()
                } else {
                    let shown: Vec<String> =
                        unmatched.iter().take(ITEMS_SHOWN).map(|row| self.sample(row)).collect();
                    samples_shown(&shown, unmatched.len())
                };
                Outcome::fail(format!("{head}. {patterns}{samples}"))
            }
        }
    }

    fn nothing_returned(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, rule } = self;
        let (expected, patterns) = (WORDS.expected(rule.bounds), patterns_shown(rule));
        if let EmptyScope::Unscored(reason) = evidence.empty_scope(RESULTS, scope) {
            return Outcome::error(format!(
                "{reason}; cannot count matching results; {expected}. {patterns}"
            ));
        }
        let none = scope.tool_name().map_or_else(
            || "no tool returned a result".to_owned(),
            |name| format!("\"{name}\" returned no results"),
        );
        match match_verdict(Tally::default(), rule.bounds) {
            MatchVerdict::Pass => {
                Outcome::pass(format!("{none}, so no result matched; {expected}. {patterns}"))
            }
            MatchVerdict::Fail | MatchVerdict::Unscored => {
                Outcome::fail(format!("{none}; {expected}. {patterns}"))
            }
        }
    }

    fn sample(&self, row: &ToolResultRow) -> String {
        let shown = match (&self.rule.key, content(row)) {
            (Some(key), content) => match content.and_then(|value| value.as_object()?.get(key)) {
                Some(value) => scrub(&brief(&one_member(key, value))),
                None => format!("(no \"{key}\")"),
            },
            (None, Some(content)) => scrub(&brief(content)),
            (None, None) => {
                string_literal(&scrubbed(row.text.as_deref().unwrap_or_default(), VALUE_CAP))
            }
        };
        match self.scope.tool_name() {
            None => format!("\"{}\" {shown}", row.tool_name),
            Some(_) => shown,
        }
    }
}

/// Structured content where the key is there, null included, else JSON. Text is never read by key.
fn content(row: &ToolResultRow) -> Option<&serde_json::Value> {
    row.structured_content.as_ref().or(row.json.as_ref())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::outcome;
    use super::*;

    fn check(fields: Value, row: Value, capture: &str) -> String {
        let mut check = json!({"type": KIND, "patterns": ["x"]});
        for (key, value) in fields.as_object().into_iter().flatten() {
            check[key] = value.clone();
        }
        outcome(&check, json!({"toolResults": [row], "capture": {"toolResults": capture}}))
    }

    #[test]
    fn a_cut_result_is_unreadable_unless_a_key_is_read() {
        let row = json!({"toolName": "t", "text": "x", "truncated": true, "structuredContent": {"k": "x"}});
        assert!(
            check(json!({}), row.clone(), "complete")
                .starts_with("error: tools returned 1 result, none")
        );
        assert!(check(json!({"path": "/k"}), row, "complete").starts_with("pass"));
    }

    #[test]
    fn a_present_null_hides_the_json_part() {
        let row = json!({"toolName": "t", "structuredContent": null, "json": {"k": "x"}});
        assert!(
            check(json!({"path": "/k"}), row, "complete").contains("1 result had no \"k\" field")
        );
    }

    #[test]
    fn an_incomplete_capture_leaves_a_ceiling_open() {
        let row = json!({"toolName": "t", "text": "y"});
        let found = check(json!({"min": 0, "max": 0}), row, "partial");
        assert!(
            found.contains("but the capture is incomplete; results that were not read"),
            "{found}"
        );
    }
}
