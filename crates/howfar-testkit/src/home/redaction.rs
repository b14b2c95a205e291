//! Replacing what differs between two runs of the same program.

use std::sync::LazyLock;

use regex::Regex;

/// What is replaced, in this order, and the placeholder: of one width whatever stood there.
static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let rows = [
        (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?", "[timestamp]"),
        (r"(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "[id]"),
        (r"\b(?P<host>127\.0\.0\.1|localhost|\[::1\]):\d{1,5}\b", "$host:[port]"),
        (r#""(?P<name>\w*(Ms|At))":(?P<space>\s*)-?\d+(\.\d+)?"#, r#""$name":$space"[number]""#),
        (r"\b\d+(\.\d+)? ?(ns|µs|us|ms|s|min|h)\b( \d+(\.\d+)? ?(ms|s|min)\b)*", "[duration]"),
    ];
    rows.map(|(pattern, placeholder)| {
        (Regex::new(pattern).expect("the patterns are constant and tested"), placeholder)
    })
    .into()
});

/// Replaces time stamps (`[timestamp]`), UUIDs (`[id]`), ports of loopback addresses (`[port]`), numbers of JSON members
/// whose names end with `Ms` or `At` (`"[number]"`), and durations with a unit (`[duration]`).
pub fn redact(text: &str) -> String {
    PATTERNS.iter().fold(text.to_owned(), |text, (pattern, placeholder)| {
        pattern.replace_all(&text, *placeholder).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(redact(text), expected);
    }

    #[test]
    fn time_stamps_of_every_precision() {
        check("at 2026-01-02T03:04:05.678Z,", "at [timestamp],");
        check("at 2026-01-02 03:04+01:00", "at [timestamp]");
    }

    #[test]
    fn identifiers_of_runs() {
        check("run 0190f5e2-7c1a-7b4e-9d3f-2a6b8c0d1e2f", "run [id]");
    }

    #[test]
    fn ports_of_loopback_addresses_alone() {
        check("http://127.0.0.1:40123/mcp", "http://127.0.0.1:[port]/mcp");
        check("https://example.com:8443/", "https://example.com:8443/");
    }

    #[test]
    fn durations_with_their_unit() {
        check("3 trials in 1.25 s", "3 trials in [duration]");
        check("took 12ms, 1 min 4 s", "took [duration], [duration]");
    }

    #[test]
    fn counts_stay() {
        check("3 of 4 trials, 2 sessions, 7 stages", "3 of 4 trials, 2 sessions, 7 stages");
    }

    #[test]
    fn times_in_json() {
        check(r#"{"durationMs": 12.5, "calls": 2}"#, r#"{"durationMs": "[number]", "calls": 2}"#);
    }
}
