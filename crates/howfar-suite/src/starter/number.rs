//! Example numbers.

use serde_json::{Map, Value};

/// One, or the nearest number that the limits of the schema allow.
pub(super) fn example_number(schema: &Map<String, Value>) -> Value {
    let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
    let step = limit("multipleOf").filter(|step| *step > 0.0);
    let gap = step.unwrap_or(1.0);
    let low = [limit("minimum"), limit("exclusiveMinimum").map(|low| low + gap)];
    let high = [limit("maximum"), limit("exclusiveMaximum").map(|high| high - gap)];
    let low = low.into_iter().flatten().reduce(f64::max);
    let high = high.into_iter().flatten().reduce(f64::min);
    let mut number = 1.0_f64.max(low.unwrap_or(1.0));
    if let Some(high) = high.filter(|high| *high < number) {
        // An open range narrower than one whole number has its middle.
        let exclusive = limit("exclusiveMinimum").zip(limit("exclusiveMaximum"));
        number = match exclusive {
            Some((low, high)) if low < high && step.is_none() => f64::midpoint(low, high),
            Some(_) | None => high,
        };
    }
    if let Some(step) = step {
        let above = (number / step).ceil() * step;
        let fits = high.is_none_or(|high| above <= high);
        number = if fits { above } else { (number / step).floor() * step };
    }
    json_number(number)
}

/// Whole numbers are written without a fraction.
fn json_number(number: f64) -> Value {
    crate::yaml::json_number(number).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(schema: Value, expected: Value) {
        let Value::Object(schema) = schema else { panic!("a schema is an object") };
        assert_eq!(example_number(&schema), expected);
    }

    #[test]
    fn limits_move_the_number() {
        check(json!({}), json!(1));
        check(json!({"minimum": 5, "maximum": 9}), json!(5));
        check(json!({"maximum": -3}), json!(-3));
        check(json!({"exclusiveMinimum": 1}), json!(2));
        check(json!({"minimum": 0, "maximum": 0.5}), json!(0.5));
        check(json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1}), json!(0.5));
        check(json!({"multipleOf": 10}), json!(10));
        check(json!({"multipleOf": 4, "minimum": 5, "maximum": 11}), json!(8));
    }
}
