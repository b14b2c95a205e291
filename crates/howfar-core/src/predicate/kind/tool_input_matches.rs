//! `toolInputMatches` (predicates 7.2).

use howfar_wire::transcript::ToolCall;

use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::pattern_rule::{
    MatchVerdict, PatternRule, Subject, Tally, match_verdict, one_member,
};
use crate::predicate::pattern_words::{Counted, Words, patterns_shown, samples_shown, too_many};
use crate::predicate::text::{ITEMS_SHOWN, brief};

const KIND: &str = "toolInputMatches";
const WORDS: Words = Words {
    unit: "call",
    member: "argument",
    whose: "its",
    whole: "arguments",
    unreadable: "over 100000 characters or not serializable",
};

#[derive(Debug)]
struct ToolInputMatches {
    scope: ToolScope,
    tool_name: String,
    rule: PatternRule,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let tool_name = fields
        .non_empty("toolName")
        .ok_or_else(|| Outcome::error(format!("{KIND} requires a non-empty toolName")))?;
    Ok(Box::new(ToolInputMatches {
        scope: ToolScope::new(Some(tool_name)),
        tool_name: tool_name.to_owned(),
        rule: PatternRule::read(KIND, WORDS.unit, fields)?,
    }))
}

impl Check for ToolInputMatches {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, tool_name, rule } = self;
        let calls: Vec<&ToolCall> = evidence.calls(scope).collect();
        let mut counted = Counted { tally: Tally::default(), missing: 0 };
        let mut unmatched = Vec::new();
        for call in &calls {
            match self.subject(call) {
                Subject::Text(text) if rule.matches(&text) => {
                    counted.tally.matched += 1;
                    continue;
                }
                Subject::Text(_) => {}
                Subject::Missing => counted.missing += 1,
                Subject::Unreadable => counted.tally.unreadable += 1,
            }
            unmatched.push(*call);
        }
        let verdict = match_verdict(counted.tally, rule.bounds);
        let (expected, patterns) = (WORDS.expected(rule.bounds), patterns_shown(rule));
        if calls.is_empty() {
            let head = match verdict {
                MatchVerdict::Pass => "was not called, so no call matched",
                MatchVerdict::Fail | MatchVerdict::Unscored => "was never called",
            };
            let held = verdict == MatchVerdict::Pass;
            return Outcome::scored(
                held,
                format!("\"{tool_name}\" {head}; {expected}. {patterns}"),
            );
        }
        let head = format!(
            "\"{tool_name}\" called {}×, {}; {expected}",
            calls.len(),
            WORDS.counted(rule, counted)
        );
        match verdict {
            MatchVerdict::Pass => Outcome::pass(format!("{head}. {patterns}")),
            MatchVerdict::Unscored => Outcome::error(format!(
                "{head}, and the unreadable call(s) could decide it either way. {patterns}"
            )),
            MatchVerdict::Fail if unmatched.is_empty() => {
                Outcome::fail(format!("{head}. {patterns}"))
            }
            MatchVerdict::Fail if too_many(counted.tally, rule.bounds).is_some() => {
                Outcome::fail(format!("{head}. {patterns}"))
            }
            MatchVerdict::Fail => {
                let samples: Vec<String> =
                    unmatched.iter().take(ITEMS_SHOWN).map(|call| self.sample(call)).collect();
                let samples = samples_shown(&samples, unmatched.len());
                Outcome::fail(format!("{head}. {patterns}{samples}"))
            }
        }
    }
}

impl ToolInputMatches {
    fn subject<'a>(&self, call: &'a ToolCall) -> Subject<'a> {
        match &self.rule.key {
            None => Subject::arguments(&call.arguments),
            Some(key) => Subject::member(Some(&call.arguments), key),
        }
    }

    fn sample(&self, call: &ToolCall) -> String {
        let Some(key) = &self.rule.key else { return brief(&call.arguments) };
        match call.arguments.as_object().and_then(|object| object.get(key)) {
            Some(value) => brief(&one_member(key, value)),
            None => format!("(no \"{key}\")"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::outcome;
    use super::*;

    fn check(fields: Value, arguments: &[Value]) -> String {
        let mut check = json!({"type": KIND, "toolName": "t"});
        for (key, value) in fields.as_object().into_iter().flatten() {
            check[key] = value.clone();
        }
        let call = |arguments: &Value| json!({"toolName": "t", "arguments": arguments});
        outcome(&check, json!({"toolCalls": arguments.iter().map(call).collect::<Vec<_>>()}))
    }

    #[test]
    fn every_pattern_matches_the_same_call() {
        let found = check(json!({"patterns": ["a", "b"]}), &[json!({"q": "a"}), json!({"q": "b"})]);
        assert_eq!(
            found,
            r#"fail: "t" called 2×, none matched all 2 patterns in its arguments; expected at least 1 matching call(s) (min/max count matching calls, not all calls). Patterns: /a/, /b/. Got: [{"q":"a"}, {"q":"b"}]"#
        );
    }

    #[test]
    fn a_rule_that_cannot_be_used_blames_nobody() {
        assert_eq!(
            check(json!({"patterns": []}), &[]),
            "error: toolInputMatches requires 1 to 8 patterns"
        );
        assert!(
            check(json!({"patterns": ["(?=a)"]}), &[])
                .starts_with("error: toolInputMatches pattern 1 does not compile in re2js: ")
        );
    }

    #[test]
    fn a_missing_key_is_told_apart() {
        let found = check(json!({"patterns": ["a"], "path": "/q"}), &[json!({})]);
        assert!(found.contains(r#", 1 call had no "q" argument;"#), "{found}");
        assert!(found.ends_with(r#"Got: [(no "q")]"#), "{found}");
    }
}
