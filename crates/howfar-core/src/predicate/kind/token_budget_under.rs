//! `tokenBudgetUnder` (predicates 6.11).

use howfar_wire::canon::f64_text;
use howfar_wire::transcript::Usage;

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct TokenBudgetUnder {
    tokens: f64,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(TokenBudgetUnder { tokens: fields.required_number("tokens")? }))
}

impl Check for TokenBudgetUnder {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let budget = f64_text(self.tokens);
        let Some(used) = evidence.transcript.usage.and_then(used_tokens) else {
            return Outcome::fail(format!(
                "token usage unavailable; cannot verify budget < {budget}"
            ));
        };
        let shown = f64_text(used);
        if used < self.tokens {
            Outcome::pass(format!("token usage {shown} < {budget}"))
        } else {
            Outcome::fail(format!("token usage {shown} is not under budget {budget}"))
        }
    }
}

/// The larger of the provider's total and the sum of what was sent and written, where an absent one counts as 0; `None`
/// when neither is known.
fn used_tokens(usage: Usage) -> Option<f64> {
    let Usage { input_tokens, output_tokens, total_tokens } = usage;
    let sum = match (input_tokens, output_tokens) {
        (None, None) => None,
        (input, output) => Some(input.unwrap_or(0.0) + output.unwrap_or(0.0)),
    };
    if sum.is_none() && total_tokens.is_none() {
        return None;
    }
    Some(total_tokens.unwrap_or(0.0).max(sum.unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn the_larger_account_counts() {
        let check = json!({"type": "tokenBudgetUnder", "tokens": 10});
        let used = |usage| outcome(&check, json!({"usage": usage}));
        assert_eq!(used(json!({"totalTokens": 5, "inputTokens": 9})), "pass: token usage 9 < 10");
        assert_eq!(used(json!({"totalTokens": 10})), "fail: token usage 10 is not under budget 10");
        assert!(used(json!({})).starts_with("fail: token usage unavailable"));
    }
}
