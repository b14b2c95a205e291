//! Whose side a setup failure lies on: the facts of a connection as the chain reads them (derivation, section 10).
//!
//! The table of the specification attributes an error alone. Two facts that only the client has decide more, always in
//! the direction "the server's own doing", and never without proof that the server was reached:
//!
//! - an answer of the server itself (a JSON-RPC error, an unreadable message, a version nobody speaks), or the end of a
//!   process that could be started, says that the server was reached and failed there;
//! - a listing that answers 401 or 403 after the same credentials were good enough for `initialize` is the server's
//!   refusal, not a missing key of ours.

use howfar_core::chain::{Challenge, ChallengeScheme, FailureClass, SetupFailure};
use howfar_mcp::{HttpFacts, NetworkCode, SetupCause, SetupError, SetupPhase, TransportFailure};

/// The failure as attribution reads it. `message` is already free of secrets.
pub(super) fn setup_failure(error: &SetupError, message: String) -> SetupFailure {
    let mut failure = SetupFailure::from_message(message);
    failure.code = error.code().map(str::to_owned);
    if is_servers_own_doing(error) {
        failure.class = Some(FailureClass::ServersOwn);
        return failure;
    }
    failure.class = class_of(&error.cause);
    failure.http_status = error.http_status();
    failure.mcp_error_code = error.rpc_code();
    failure.challenge = error.http.as_ref().map(challenge);
    failure
}

fn is_servers_own_doing(error: &SetupError) -> bool {
    let refused_listing =
        error.phase == SetupPhase::ListTools && matches!(error.http_status(), Some(401 | 403));
    match &error.cause {
        SetupCause::Rpc(rpc) => refused_listing || !matches!(rpc.code, -32000 | -32001),
        SetupCause::Malformed { .. } | SetupCause::UnsupportedVersion { .. } => true,
        SetupCause::Transport(TransportFailure::Closed { .. }) | SetupCause::Timeout { .. } => {
            error.was_spawned()
        }
        SetupCause::Transport(TransportFailure::Http(_) | TransportFailure::Network { .. }) => {
            refused_listing
        }
        SetupCause::Spawn { .. } | SetupCause::InvalidBinding { .. } => false,
    }
}

fn class_of(cause: &SetupCause) -> Option<FailureClass> {
    let SetupCause::Transport(TransportFailure::Network { code, .. }) = cause else { return None };
    match code {
        NetworkCode::ConnectionRefused => Some(FailureClass::ConnectionRefused),
        NetworkCode::NameNotFound => Some(FailureClass::NameResolution),
        NetworkCode::TimedOut => Some(FailureClass::ConnectionTimeout),
        NetworkCode::Certificate => Some(FailureClass::Certificate),
        NetworkCode::Aborted
        | NetworkCode::Reset
        | NetworkCode::Unreachable
        | NetworkCode::Other => None,
    }
}

fn challenge(facts: &HttpFacts) -> Challenge {
    let scheme =
        if facts.bearer_challenge { ChallengeScheme::Bearer } else { ChallengeScheme::None };
    Challenge { scheme, html_body: facts.html_body }
}
