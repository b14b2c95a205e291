//! `finalAssistantMessageNonEmpty` (predicates 6.11).

use howfar_wire::canon::is_blank;

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct FinalAssistantMessageNonEmpty;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    Ok(Box::new(FinalAssistantMessageNonEmpty))
}

impl Check for FinalAssistantMessageNonEmpty {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        if is_blank(evidence.message()) {
            Outcome::fail("final assistant message is empty")
        } else {
            Outcome::pass("final assistant message is non-empty")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn white_space_is_empty_and_a_zero_width_space_is_not() {
        let check = json!({"type": "finalAssistantMessageNonEmpty"});
        let message = |text: &str| outcome(&check, json!({"finalAssistantMessage": text}));
        assert_eq!(message("\u{feff} \n"), "fail: final assistant message is empty");
        assert_eq!(message("\u{200b}"), "pass: final assistant message is non-empty");
    }
}
