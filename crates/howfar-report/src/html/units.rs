//! Numbers with their units, as a page shows them.

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

#[cfg(test)]
mod tests {
    use super::*;

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
