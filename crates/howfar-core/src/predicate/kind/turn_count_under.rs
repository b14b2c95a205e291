//! `turnCountUnder` (predicates 6.11).

use howfar_wire::canon::f64_text;

use super::{Check, Compiled};
use crate::number::integer_at_least;
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::template_text;

#[derive(Debug)]
struct TurnCountUnder {
    turns: f64,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(TurnCountUnder { turns: fields.required_number("turns")? }))
}

impl Check for TurnCountUnder {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let limit = f64_text(self.turns);
        let unverified = format!("cannot verify fewer than {limit} user turn(s)");
        let Some(found) = evidence.transcript.turn_count.as_ref() else {
            return Outcome::fail(format!("turn count unavailable; {unverified}"));
        };
        let Some(turns) = integer_at_least(found, 0) else {
            let shown = template_text(Some(found));
            return Outcome::fail(format!("turn count {shown} is not a valid count; {unverified}"));
        };
        if (turns as f64) < self.turns {
            Outcome::pass(format!("{turns} user turn(s), fewer than {limit}"))
        } else {
            Outcome::fail(format!("{turns} user turn(s) is not fewer than {limit}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn an_unknown_count_fails_closed() {
        let check = json!({"type": "turnCountUnder", "turns": 2});
        assert_eq!(
            outcome(&check, json!({})),
            "fail: turn count unavailable; cannot verify fewer than 2 user turn(s)"
        );
        assert!(outcome(&check, json!({"turnCount": -1})).contains("-1 is not a valid count"));
        assert_eq!(outcome(&check, json!({"turnCount": 1})), "pass: 1 user turn(s), fewer than 2");
    }
}
