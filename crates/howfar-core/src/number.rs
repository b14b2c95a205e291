//! Whole numbers of JSON documents, which are doubles: `2.0` is one, `"2"` and anything beyond 2^53 − 1 is none.

use serde_json::Value;

/// The largest double below which every integer is exact: 2^53 − 1.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// A whole number within ±(2^53 − 1), when it is at least `least`.
pub(crate) fn integer_at_least(value: &Value, least: i64) -> Option<i64> {
    let number = value.as_f64()?;
    if number.fract() != 0.0 || number.abs() > MAX_SAFE {
        return None;
    }
    // Exact: the number is an integer within ±(2^53 − 1).
    #[expect(clippy::cast_possible_truncation, reason = "checked to be a safe integer")]
    let integer = number as i64;
    (integer >= least).then_some(integer)
}

/// A whole number that is not negative.
pub(crate) fn count(value: &Value) -> Option<u64> {
    integer_at_least(value, 0).and_then(|integer| u64::try_from(integer).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_double_without_fraction_is_a_count() {
        let counts = [json!(2), json!(2.0), json!(-0.0), json!(9_007_199_254_740_991_u64)]
            .map(|it| count(&it));
        assert_eq!(counts, [Some(2), Some(2), Some(0), Some(9_007_199_254_740_991)]);
    }

    #[test]
    fn nothing_else_is_a_count() {
        for other in [json!(1.5), json!(-1), json!("2"), json!(null), json!(true), json!(1e300)] {
            assert_eq!(count(&other), None, "{other}");
        }
    }
}
