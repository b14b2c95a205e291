//! Times as documents have them.

use std::time::Duration;

/// A time in milliseconds, to the microsecond: more digits would be noise, and a person reads them in reports.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_at_most_three_decimals() {
        assert_eq!(milliseconds(Duration::from_nanos(1_030_245)).to_string(), "1.03");
        assert_eq!(milliseconds(Duration::from_nanos(90_000_999_600)).to_string(), "90001");
        assert_eq!(milliseconds(Duration::ZERO).to_string(), "0");
    }
}
