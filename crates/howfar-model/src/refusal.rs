//! Which kind of refusal a failed model call is (suite and runner, section B11).

use howfar_wire::vocabulary::RefusalKind;

/// Classifies a failed model call by its HTTP status and its body; the first rule that holds decides.
///
/// `None` is an ordinary failure: another status, or none because no answer came.
pub fn classify_refusal(status: Option<u16>, body: &str) -> Option<RefusalKind> {
    let status = status?;
    let client_error = (400..500).contains(&status);
    if client_error && says_credit_exhausted(body) {
        return Some(RefusalKind::Billing);
    }
    if client_error && says_key_invalid(body) {
        return Some(RefusalKind::Credentials);
    }
    match status {
        401 | 403 => Some(RefusalKind::Credentials),
        402 => Some(RefusalKind::Billing),
        429 => Some(RefusalKind::RateLimited),
        500.. => Some(RefusalKind::Unavailable),
        0..500 => None,
    }
}

/// What can be used up.
const CREDIT: &[&str] = &["quota", "credit", "balance", "funds", "spending limit", "spend limit"];
/// The words that say that it is.
const EXHAUSTED: &[&str] = &[
    "insufficient",
    "exceed",
    "exhausted",
    "depleted",
    "reached",
    "spent",
    "too low",
    "used up",
    "used all",
    "run out",
    "ran out",
    "out of",
    "not enough",
    "no remaining",
    "no credit",
    "have no",
    "has no",
    "more credit",
    "purchase",
    "negative",
];
/// Codes that say it without naming what.
const BILLING_CODES: &[&str] =
    &["billing hard limit", "billing not active", "billing error", "payment required"];
/// A limit that names a short window is a rate, although some providers call it a quota.
const SHORT_WINDOW: &[&str] =
    &["per minute", "perminute", "/min", "per second", "persecond", "/sec"];

/// What a provider calls the key.
const KEY: &[&str] = &[
    "api key",
    "apikey",
    "your key",
    "provided key",
    "access token",
    "bearer token",
    "auth token",
    "authentication",
    "credentials",
];
/// The words that say that it is of no use.
const INVALID: &[&str] = &[
    "invalid",
    "not valid",
    "no longer valid",
    "incorrect",
    "wrong",
    "expired",
    "revoked",
    "disabled",
    "missing",
    "unknown",
    "not found",
    "malformed",
    "failed",
];

/// What a statement about the request itself names. Such a statement can quote tool names like `get_api_key`, which say
/// nothing about the account.
const REQUEST: &[&str] = &["schema", "function", "parameter", "property"];

fn says_credit_exhausted(body: &str) -> bool {
    let statements = statements(body);
    if statements.iter().any(|statement| holds_any(statement, SHORT_WINDOW)) {
        return false;
    }
    statements.iter().any(|statement| {
        holds_any(statement, BILLING_CODES)
            || (holds_any(statement, CREDIT) && holds_any(statement, EXHAUSTED))
    })
}

fn says_key_invalid(body: &str) -> bool {
    statements(body)
        .iter()
        .any(|statement| holds_any(statement, KEY) && holds_any(statement, INVALID))
}

/// The body in lower case, one entry per sentence or member, with code separators as spaces, without statements about
/// the request itself.
///
/// A subject and its state count only within one entry, so that `{"error":"rate limit exceeded","docs":"see quota"}`
/// does not read as an exceeded quota.
fn statements(body: &str) -> Vec<String> {
    let text = body.to_lowercase().replace(['_', '-'], " ").replace(". ", "\n");
    let statements = text.split(['\n', ',', ';', '{', '}', '[', ']']);
    statements.filter(|statement| !holds_any(statement, REQUEST)).map(str::to_owned).collect()
}

fn holds_any(statement: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| statement.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(status: u16, body: &str, expected: Option<RefusalKind>) {
        assert_eq!(classify_refusal(Some(status), body), expected, "{status} {body}");
    }

    #[test]
    fn a_per_minute_quota_is_a_rate() {
        let body = r#"{"message":"Quota exceeded","quotaId":"RequestsPerMinutePerModel"}"#;
        check(429, body, Some(RefusalKind::RateLimited));
    }

    #[test]
    fn subject_and_state_must_stand_in_one_statement() {
        let body = r#"{"error":"rate limit exceeded","docs":"see your quota"}"#;
        check(429, body, Some(RefusalKind::RateLimited));
    }

    #[test]
    fn a_quoted_tool_name_says_nothing_about_the_account() {
        check(400, "Invalid schema for function 'get_api_key'", None);
        check(400, "function 'credit_balance': the description exceeds 1024 characters", None);
    }

    #[test]
    fn a_wrong_parameter_is_no_key_problem() {
        check(400, r#"{"error":"invalid parameter: key 'max_tokens'"}"#, None);
    }

    #[test]
    fn a_server_error_that_talks_of_quota_is_an_outage() {
        check(500, "quota exceeded", Some(RefusalKind::Unavailable));
    }

    #[test]
    fn more_credits_asked_for_is_billing() {
        check(403, "This request requires more credits", Some(RefusalKind::Billing));
    }

    #[test]
    fn run_out_credits_are_billing() {
        check(429, "Your credits have run out", Some(RefusalKind::Billing));
        check(400, "You have no credits left", Some(RefusalKind::Billing));
    }

    #[test]
    fn a_failed_authentication_is_a_credential_failure() {
        check(400, r#"{"type":"authentication_failed"}"#, Some(RefusalKind::Credentials));
    }

    #[test]
    fn an_incorrect_key_with_status_400_is_a_credential_failure() {
        check(400, "Incorrect API key provided: xa***yz", Some(RefusalKind::Credentials));
    }
}
