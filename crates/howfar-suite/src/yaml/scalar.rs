//! The YAML 1.2 core schema: what an unquoted word means.

use super::Scalar;

/// What a plain scalar stands for. `yes`, `on` and time stamps are text; `0x0A` and `1e1` are the number ten.
pub(super) fn resolve_plain(text: &str) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        text => number(text).map_or_else(|| Scalar::Text(text.to_owned()), Scalar::Number),
    }
}

/// The number that a text spells in the core schema; `None` for any other text.
pub(super) fn number(text: &str) -> Option<f64> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Some(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Some(f64::NEG_INFINITY),
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    is_decimal(text).then(|| text.parse().ok()).flatten()
}

fn radix(digits: &str, radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0.0, |value, digit| {
        digit.to_digit(radix).map(|digit| value * f64::from(radix) + f64::from(digit))
    })
}

/// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && (fraction.is_empty() || digits(fraction)),
        None => digits(mantissa),
    };
    let exponent_fits = exponent
        .is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    mantissa_fits && exponent_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<f64>) {
        let expected = expected.map_or_else(|| Scalar::Text(text.to_owned()), Scalar::Number);
        assert_eq!(resolve_plain(text), expected, "{text}");
    }

    #[test]
    fn numbers_of_the_core_schema() {
        check("0x0A", Some(10.0));
        check("0o14", Some(12.0));
        check("012", Some(12.0));
        check("1e1", Some(10.0));
        check("-.5", Some(-0.5));
        check("+1.", Some(1.0));
        check("-.inf", Some(f64::NEG_INFINITY));
    }

    #[test]
    fn words_that_only_look_special_are_text() {
        for text in
            ["yes", "on", "1_000", "0b1", "2026-08-17", ".", "-", "e5", "1e", "0x", "inf", "nan"]
        {
            check(text, None);
        }
    }
}
