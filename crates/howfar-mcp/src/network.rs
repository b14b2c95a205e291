//! Urls and the system's names of network failures.

use std::error::Error;
use std::io::ErrorKind;

/// Why a connection could not be made or broke, by the name that the system or the protocol gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NetworkCode {
    /// Nothing listens.
    ConnectionRefused,
    /// The name does not resolve.
    NameNotFound,
    /// The system gave up waiting; not a limit of ours.
    TimedOut,
    /// The connection was aborted by the system.
    Aborted,
    /// The peer reset the connection or closed it early.
    Reset,
    /// No route to the host or the network.
    Unreachable,
    /// The certificate is not acceptable.
    Certificate,
    /// Anything else.
    Other,
}

impl NetworkCode {
    /// The spelling that attribution reads (derivation, section 10).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConnectionRefused => "ECONNREFUSED",
            Self::NameNotFound => "ENOTFOUND",
            Self::TimedOut => "ETIMEDOUT",
            Self::Aborted => "ECONNABORTED",
            Self::Reset => "ECONNRESET",
            Self::Unreachable => "EHOSTUNREACH",
            Self::Certificate => "CERTIFICATE",
            Self::Other => "NETWORK",
        }
    }

    /// The meaning, for messages; `place` is a host and port.
    pub(crate) fn sentence(self, place: &str) -> String {
        match self {
            Self::ConnectionRefused => format!("{place} refused the connection"),
            Self::NameNotFound => format!("the host name of {place} does not resolve"),
            Self::TimedOut => format!("the system gave up waiting for {place}"),
            Self::Aborted => format!("the connection to {place} was aborted"),
            Self::Reset => format!("{place} closed the connection early"),
            Self::Unreachable => format!("{place} cannot be reached"),
            Self::Certificate => format!("the certificate of {place} was not accepted"),
            Self::Other => format!("the connection to {place} failed"),
        }
    }

    /// What to do next, for messages.
    pub(crate) const fn advice(self) -> &'static str {
        match self {
            Self::ConnectionRefused => "start the server, or correct host and port of its url",
            Self::NameNotFound => {
                "correct the host of its url, or check name resolution on this machine"
            }
            Self::TimedOut | Self::Unreachable => "check that this machine can reach the host",
            Self::Aborted | Self::Reset => "look at the server's own log",
            Self::Certificate => {
                "check the server's certificate and the trusted roots of this machine"
            }
            Self::Other => "check the url (http or https?) and the server's own log",
        }
    }
}

/// The code of an error, searched through its causes, and the innermost text.
pub(crate) fn classify(error: &(dyn Error + 'static)) -> (NetworkCode, String) {
    let mut code = None;
    let mut detail = error.to_string();
    let mut current = Some(error);
    while let Some(cause) = current {
        detail = cause.to_string();
        code = code.or_else(|| code_of_io(cause)).or_else(|| code_of_text(&detail));
        current = cause.source();
    }
    (code.unwrap_or(NetworkCode::Other), detail)
}

fn code_of_io(error: &(dyn Error + 'static)) -> Option<NetworkCode> {
    match error.downcast_ref::<std::io::Error>()?.kind() {
        ErrorKind::ConnectionRefused => Some(NetworkCode::ConnectionRefused),
        ErrorKind::TimedOut => Some(NetworkCode::TimedOut),
        ErrorKind::ConnectionAborted => Some(NetworkCode::Aborted),
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::UnexpectedEof => {
            Some(NetworkCode::Reset)
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            Some(NetworkCode::Unreachable)
        }
        // The list of kinds is open; the texts below may still say more.
        _ => None,
    }
}

fn code_of_text(text: &str) -> Option<NetworkCode> {
    let text = text.to_ascii_lowercase();
    let has = |part: &str| text.contains(part);
    if has("dns error") || has("failed to lookup address") || has("name or service not known") {
        Some(NetworkCode::NameNotFound)
    } else if has("certificate") || has("unknownissuer") || has("tls handshake") {
        Some(NetworkCode::Certificate)
    } else if has("connection closed before")
        || has("incomplete message")
        || has("connection reset")
    {
        Some(NetworkCode::Reset)
    } else {
        None
    }
}

/// The parsed form of an `http` or `https` url with a host.
pub(crate) fn http_url(text: &str) -> Result<reqwest::Url, String> {
    if text.trim().is_empty() {
        return Err("is empty".to_owned());
    }
    if !text.contains("://") {
        return Err("is not complete: it begins with http:// or https://".to_owned());
    }
    let url = reqwest::Url::parse(text).map_err(|error| format!("is not valid ({error})"))?;
    match (url.scheme(), url.host_str()) {
        ("http" | "https", Some(_)) => Ok(url),
        ("http" | "https", None) => Err("has no host".to_owned()),
        (scheme, _) => Err(format!("starts with {scheme}:, expected http: or https:")),
    }
}

/// `host:port` of an url for messages; never its path, query or user.
pub(crate) fn host_of(text: &str) -> String {
    let parts = reqwest::Url::parse(text).ok().and_then(|url| {
        let host = url.host_str()?.to_owned();
        Some(url.port_or_known_default().map_or(host.clone(), |port| format!("{host}:{port}")))
    });
    parts.unwrap_or_else(|| "an unreadable url".to_owned())
}

/// Whether the host of an url is this machine.
pub(crate) fn is_loopback(url: &reqwest::Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
