//! Why a model call gave no turn.

use std::time::Duration;

use howfar_wire::vocabulary::RefusalKind;

/// A failed model call. Its text holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{provider}: {message}")]
pub struct ModelError {
    /// What kind of failure it is.
    pub kind: ModelErrorKind,
    /// The provider's name, as in [`crate::ModelIdentity`].
    pub provider: String,
    /// The HTTP status; `None` when no answer came or the failure lies inside a streamed answer.
    pub status: Option<u16>,
    /// The provider's own error code or type, in its spelling.
    pub code: Option<String>,
    /// What happened, in one lower-case sentence.
    pub message: String,
    /// How long the provider asks to wait; `None` when it did not say.
    pub retry_after: Option<Duration>,
}

/// What kind of failure a model call ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelErrorKind {
    /// The provider refused (suite and runner, section B11).
    Refused(RefusalKind),
    /// The provider answered with any other error, for example an unknown model.
    Rejected,
    /// A clock of ours fired.
    Timeout(Clock),
    /// No connection came about.
    Unreachable,
    /// The answer broke off.
    Disconnected,
    /// The answer is not what the wire promises: a page instead of JSON, an empty stream, a broken event.
    Malformed,
    /// The request cannot be put on this wire.
    Unsupported,
    /// The script has no answer, or its answer cannot be formed.
    Script,
    /// The caller cancelled.
    Cancelled,
}

/// The clocks of a model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// From sending the request to the end of the answer.
    Request,
    /// Between two pieces of a streamed answer.
    Idle,
}

impl Clock {
    /// How error texts name the clock.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "model request",
            Self::Idle => "model stream idle",
        }
    }
}

impl ModelError {
    /// A failure without status, code or waiting time.
    pub fn new(
        kind: ModelErrorKind,
        provider: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            provider: provider.into(),
            status: None,
            code: None,
            message: message.into(),
            retry_after: None,
        }
    }

    /// The refusal that this failure is, if it is one.
    pub const fn refusal(&self) -> Option<RefusalKind> {
        match self.kind {
            ModelErrorKind::Refused(kind) => Some(kind),
            ModelErrorKind::Rejected
            | ModelErrorKind::Timeout(_)
            | ModelErrorKind::Unreachable
            | ModelErrorKind::Disconnected
            | ModelErrorKind::Malformed
            | ModelErrorKind::Unsupported
            | ModelErrorKind::Script
            | ModelErrorKind::Cancelled => None,
        }
    }

    /// The clock that fired, if one did.
    pub const fn fired_clock(&self) -> Option<Clock> {
        if let ModelErrorKind::Timeout(clock) = self.kind { Some(clock) } else { None }
    }
}
