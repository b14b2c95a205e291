//! `responseCloseTo` (predicates 6.12).

use howfar_wire::canon::f64_text;
use serde_json::Value;

use super::{Check, Compiled};
use crate::predicate::distance::{DistanceOptions, response_distance};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct ResponseCloseTo {
    reference: String,
    max_distance: f64,
    options: DistanceOptions,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let check =
        read(fields).ok_or_else(|| Outcome::error("Invalid responseCloseTo configuration"))?;
    Ok(Box::new(check))
}

fn read(fields: Fields<'_>) -> Option<ResponseCloseTo> {
    let reference = fields.text("reference")?.to_owned();
    let max_distance = fields.get("maxDistance")?.as_f64()?;
    let options = DistanceOptions {
        case_sensitive: optional_flag(fields.get("caseSensitive"))?,
        normalize_whitespace: optional_flag(fields.get("normalizeWhitespace"))?,
    };
    let in_range = (0.0..=1.0).contains(&max_distance);
    in_range.then_some(ResponseCloseTo { reference, max_distance, options })
}

/// Off when absent; `None` when it is anything but a boolean.
fn optional_flag(value: Option<&Value>) -> Option<bool> {
    value.map_or(Some(false), Value::as_bool)
}

impl Check for ResponseCloseTo {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Some(message) = evidence.transcript.final_assistant_message.as_deref() else {
            return Outcome::error("No final assistant message was captured");
        };
        match response_distance(message, &self.reference, self.options) {
            Err(error) => Outcome::error(error.to_string()),
            Ok(distance) => {
                let held = distance <= self.max_distance;
                let relation = if held { "<=" } else { ">" };
                let (distance, max) = (f64_text(distance), f64_text(self.max_distance));
                Outcome::scored(
                    held,
                    format!("Normalized edit distance {distance} {relation} {max}"),
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn an_empty_message_is_a_message() {
        let check = json!({"type": "responseCloseTo", "reference": "ab", "maxDistance": 0.5});
        assert_eq!(
            outcome(&check, json!({"finalAssistantMessage": ""})),
            "fail: Normalized edit distance 1 > 0.5"
        );
        assert_eq!(outcome(&check, json!({})), "error: No final assistant message was captured");
    }

    #[test]
    fn a_distance_above_one_is_a_configuration_error() {
        let check = json!({"type": "responseCloseTo", "reference": "ab", "maxDistance": 2});
        assert_eq!(outcome(&check, json!({})), "error: Invalid responseCloseTo configuration");
    }
}
