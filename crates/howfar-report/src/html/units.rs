//! Numbers with their units and times with their zone, as a page shows them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A duration in milliseconds with its unit: "0.9 ms", "140 ms", "1.23 s", "2 min 5 s".
pub fn duration(ms: f64) -> String {
    match ms {
        short if short < 9.95 => trimmed(format!("{short:.1}"), "ms"),
        some if some < 999.5 => format!("{some:.0} ms"),
        seconds if seconds < 99_950.0 => trimmed(format!("{:.2}", seconds / 1000.0), "s"),
        long => {
            let seconds = (long / 1000.0).round() as u64;
            match (seconds / 60, seconds % 60) {
                (minutes, 0) => format!("{minutes} min"),
                (minutes, seconds) => format!("{minutes} min {seconds} s"),
            }
        }
    }
}

fn trimmed(number: String, unit: &str) -> String {
    format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
}

/// A count with a thin space between groups of three digits: "1 234".
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A time in the reader's zone: "2026-01-02 05:04:05 +02". A text that is no time stays as it is.
pub fn wall_clock(utc: &str, zone: &TimeZone) -> String {
    match utc.parse::<Timestamp>() {
        Ok(at) => at.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M:%S %Z").to_string(),
        Err(_) => utc.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_the_readers_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(wall_clock("2026-01-02T03:04:05Z", &zone), "2026-01-02 05:04:05 +02");
        assert_eq!(wall_clock("yesterday", &zone), "yesterday");
    }

    #[test]
    fn a_duration_has_a_unit_and_no_needless_digits() {
        let shown = [0.0, 0.91, 3.0, 140.4, 999.9, 1234.5, 125_000.0, 120_000.0].map(duration);
        assert_eq!(
            shown,
            ["0 ms", "0.9 ms", "3 ms", "140 ms", "1 s", "1.23 s", "2 min 5 s", "2 min"]
        );
    }

    #[test]
    fn digits_stand_in_groups() {
        assert_eq!(
            [0, 999, 1_234, 1_000_000].map(grouped).join("|"),
            "0|999|1\u{202f}234|1\u{202f}000\u{202f}000"
        );
    }
}
