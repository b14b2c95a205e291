//! The interval of a difference as a line: 0 in the middle, better to the right.

use askama::Template;
use howfar_report::words::percent;
use howfar_wire::compare::RateDifference;

/// The line of a difference.
#[derive(Template)]
#[template(
    source = r#"<svg class="interval" viewBox="0 0 300 44" role="img" aria-label="{{ words }}"><path class="axis" d="M10 22H290"/><path class="zero" d="M150 6V34"/><path class="range" d="M{{ lower }} 22H{{ upper }}"/><circle class="delta" cx="{{ delta }}" cy="22" r="4"/><text x="10" y="42">−100 points</text><text x="150" y="42" text-anchor="middle">0</text><text x="290" y="42" text-anchor="end">+100 points</text></svg>"#,
    ext = "html"
)]
pub(super) struct IntervalLine {
    words: String,
    lower: String,
    upper: String,
    delta: String,
}

impl IntervalLine {
    pub(super) fn new(difference: &RateDifference) -> Self {
        let x = |value: f64| format!("{:.1}", 150.0 + value.clamp(-1.0, 1.0) * 140.0);
        Self {
            words: words(difference),
            lower: x(difference.lower),
            upper: x(difference.upper),
            delta: x(difference.delta),
        }
    }
}

/// "−20 points (95 % interval −41.3 to +1)": a difference of two rates is no rate.
pub(super) fn words(difference: &RateDifference) -> String {
    format!(
        "{} points ({} interval {} to {})",
        signed(difference.delta),
        percent(difference.confidence),
        signed(difference.lower),
        signed(difference.upper)
    )
}

/// A fraction in points with its sign.
fn signed(value: f64) -> String {
    let percent = percent(value.abs());
    let points = percent.trim_end_matches(" %");
    match value {
        below if below < 0.0 => format!("−{points}"),
        above if above > 0.0 => format!("+{points}"),
        _ => points.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_its_sign_and_its_interval() {
        let difference = RateDifference { delta: -0.2, confidence: 0.95, lower: -0.5, upper: 0.1 };
        assert_eq!(words(&difference), "−20 points (95 % interval −50 to +10)");
    }
}
