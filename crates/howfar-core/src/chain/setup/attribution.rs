//! Whose side a setup failure lies on (derivation, section 10).

use howfar_wire::vocabulary::Attribution;

use super::failure::{ChallengeScheme, FailureClass, SetupFailure};

/// Whose side a failure lies on, as far as the failure and those behind it say.
///
/// The rules are tried in order, each on the whole chain of causes: a tag of ours outranks a name that was not
/// resolved, that a cancellation, that an HTTP status of ours, and all of these a sign of the server's side.
pub fn attribute_failure(failure: &SetupFailure) -> Attribution {
    let any = |rule: fn(&SetupFailure) -> bool| failure.chain().any(rule);
    if any(is_servers_own) {
        // The caller has seen the server fail; no fact about our side can explain that.
        Attribution::Theirs
    } else if any(is_credential_failure) || any(is_own_network) || any(is_own_cancellation) {
        Attribution::Ours
    } else if any(is_unexplained_refusal) {
        Attribution::Unknown
    } else if any(is_refused_by_authorization) || any(is_own_transport) {
        Attribution::Ours
    } else if any(is_unreachable) || any(is_certificate_failure) || any(is_server_error) {
        Attribution::Theirs
    } else {
        Attribution::Unknown
    }
}

/// An answer of the server itself, or the end of its process (the row is ours: the table has errors alone).
fn is_servers_own(failure: &SetupFailure) -> bool {
    failure.class == Some(FailureClass::ServersOwn)
}

fn is_credential_failure(failure: &SetupFailure) -> bool {
    failure.credential_source.is_some()
}

fn is_own_network(failure: &SetupFailure) -> bool {
    let class =
        matches!(failure.class, Some(FailureClass::NameResolution | FailureClass::EgressBlocked));
    class || has_code(failure, "ENOTFOUND")
}

/// The word "aborted" alone is not a cancellation of ours.
fn is_own_cancellation(failure: &SetupFailure) -> bool {
    let name = matches!(failure.name.as_deref(), Some("AbortError" | "CanceledError"));
    let code = matches!(failure.code.as_deref(), Some("ABORT_ERR" | "ERR_CANCELED"));
    let message = failure.message.to_ascii_lowercase();
    failure.class == Some(FailureClass::Cancelled)
        || name
        || code
        || message.contains("operation was aborted")
}

/// A refusal whose parsed answer does not say what it wants from us.
fn is_unexplained_refusal(failure: &SetupFailure) -> bool {
    let Some(challenge) = failure.challenge else { return false };
    match failure.http_status {
        Some(401) => challenge.scheme != ChallengeScheme::Bearer,
        Some(403) => challenge.scheme == ChallengeScheme::None && challenge.html_body,
        Some(_) | None => false,
    }
}

fn is_refused_by_authorization(failure: &SetupFailure) -> bool {
    matches!(failure.http_status, Some(401 | 403))
}

fn is_own_transport(failure: &SetupFailure) -> bool {
    matches!(failure.mcp_error_code, Some(-32000 | -32001))
}

fn is_unreachable(failure: &SetupFailure) -> bool {
    let class = matches!(
        failure.class,
        Some(FailureClass::ConnectionRefused | FailureClass::ConnectionTimeout)
    );
    class
        || ["ECONNREFUSED", "ETIMEDOUT", "ECONNABORTED"].iter().any(|code| has_code(failure, code))
}

fn is_certificate_failure(failure: &SetupFailure) -> bool {
    let code = failure.code.as_deref().unwrap_or_default();
    failure.class == Some(FailureClass::Certificate)
        || code.contains("CERT")
        || code == "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
        || failure.message.to_ascii_lowercase().contains("certificate")
}

fn is_server_error(failure: &SetupFailure) -> bool {
    matches!(failure.http_status, Some(500..=599))
}

/// The failure's code, or a word of its message, is `code`.
fn has_code(failure: &SetupFailure, code: &str) -> bool {
    let mut words = failure.message.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    failure.code.as_deref() == Some(code) || words.any(|word| word == code)
}

#[cfg(test)]
mod tests {
    use super::super::failure::{Challenge, CredentialSource};
    use super::*;

    fn check(failure: SetupFailure, expected: Attribution) {
        assert_eq!(attribute_failure(&failure), expected, "{failure:?}");
    }

    #[test]
    fn a_tag_behind_a_server_error_is_ours() {
        let tagged = SetupFailure {
            credential_source: Some(CredentialSource::XaaMint),
            ..SetupFailure::default()
        };
        let outer = SetupFailure {
            http_status: Some(503),
            cause: Some(Box::new(tagged)),
            ..SetupFailure::default()
        };
        check(outer, Attribution::Ours);
    }

    #[test]
    fn a_bare_401_is_ours_and_a_401_without_bearer_challenge_is_unknown() {
        let bare = SetupFailure { http_status: Some(401), ..SetupFailure::default() };
        check(bare.clone(), Attribution::Ours);
        let challenge = |scheme| Some(Challenge { scheme, html_body: false });
        let basic = SetupFailure { challenge: challenge(ChallengeScheme::Other), ..bare.clone() };
        check(basic, Attribution::Unknown);
        let bearer = SetupFailure { challenge: challenge(ChallengeScheme::Bearer), ..bare };
        check(bearer, Attribution::Ours);
    }

    #[test]
    fn codes_are_found_as_words_of_a_message() {
        let lookup = "getaddrinfo ENOTFOUND host.invalid";
        check(SetupFailure::from_message(lookup), Attribution::Ours);
        check(SetupFailure::from_message("connect ECONNREFUSED"), Attribution::Theirs);
        check(SetupFailure::from_message("request aborted"), Attribution::Unknown);
    }
}
