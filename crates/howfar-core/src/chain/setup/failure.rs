//! One failure of a setup operation, as facts.

/// A failure of connecting to a server, or of listing its tools.
///
/// Every fact is optional; [`Default`] is a failure of which nothing is known. Text is shown to people and must hold no
/// credentials.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SetupFailure {
    /// What the producer knows for sure about the kind of failure.
    pub class: Option<FailureClass>,
    /// An error code such as `ECONNREFUSED`.
    pub code: Option<String>,
    /// The error's name, such as `AbortError`.
    pub name: Option<String>,
    /// What a person reads; empty when nothing is known. Codes inside it are found too.
    pub message: String,
    /// The HTTP status of the answer.
    pub http_status: Option<u16>,
    /// The protocol error code, with -32000 and -32001 for errors of our own transport.
    pub mcp_error_code: Option<i64>,
    /// The tag of a failure to get credentials; set by our own code only.
    pub credential_source: Option<CredentialSource>,
    /// What the HTTP answer said about authorization, when it was parsed.
    pub challenge: Option<Challenge>,
    /// The failure behind this one.
    pub cause: Option<Box<SetupFailure>>,
}

impl SetupFailure {
    /// A failure of which only the message is known.
    pub fn from_message(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// This failure and those behind it, outermost first.
    pub(super) fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |failure| failure.cause.as_deref())
    }
}

/// What a producer knows for sure about the kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// The server was reached and failed by its own doing: its own error answer, an unreadable message, the end of
    /// its process.
    ServersOwn,
    /// The name of the server's host could not be resolved.
    NameResolution,
    /// Our own guard forbids the target.
    EgressBlocked,
    /// We cancelled the operation.
    Cancelled,
    /// The server's host refused the connection.
    ConnectionRefused,
    /// The server's host did not answer in time.
    ConnectionTimeout,
    /// The server's certificate did not hold up.
    Certificate,
}

/// Which attempt to get credentials failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialSource {
    /// Refreshing an OAuth token (`oauth_refresh`).
    OauthRefresh,
    /// Minting a cross-app access token (`xaa_mint`).
    XaaMint,
    /// Nobody has authorized us yet (`authorization_required`).
    AuthorizationRequired,
}

impl CredentialSource {
    /// The source with this wire spelling; `None` for anything else.
    pub fn from_wire(text: &str) -> Option<Self> {
        match text {
            "oauth_refresh" => Some(Self::OauthRefresh),
            "xaa_mint" => Some(Self::XaaMint),
            "authorization_required" => Some(Self::AuthorizationRequired),
            _ => None,
        }
    }
}

/// What an HTTP answer said about authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Challenge {
    /// The scheme it asks for.
    pub scheme: ChallengeScheme,
    /// Whether its body is an HTML page.
    pub html_body: bool,
}

/// The scheme that a challenge asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeScheme {
    /// There is no challenge.
    None,
    /// Bearer tokens.
    Bearer,
    /// Another scheme.
    Other,
}
