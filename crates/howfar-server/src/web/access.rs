//! Who may ask: the hosts that a request may name, and the token that it may need.
//!
//! A page of another site can make a browser ask a server on loopback. It cannot choose the `Host` that the browser
//! names, and it cannot hide its `Origin`: requests with foreign ones are refused before anything is read.

use std::net::{IpAddr, SocketAddr};

use howfar_wire::canon;

/// The fewest characters of a token.
pub const MIN_TOKEN_CHARS: usize = 16;

/// Why nobody could be let in safely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// The address can be reached from other machines, and no token guards it.
    #[error("the address {address} can be reached from other machines, so a token has to guard it")]
    TokenMissing {
        /// The address.
        address: IpAddr,
    },
    /// The token can be guessed.
    #[error("the token is too short: it needs at least {MIN_TOKEN_CHARS} visible ASCII characters")]
    TokenTooShort,
    /// The token cannot stand in a header.
    #[error("the token has characters that cannot stand in a header: visible ASCII ones can")]
    TokenNotText,
}

/// Who may ask.
#[derive(Clone, PartialEq, Eq)]
pub struct Access {
    address: SocketAddr,
    token: Option<Token>,
}

/// A token, as it is compared: by digests of one length.
#[derive(Clone, PartialEq, Eq)]
struct Token {
    digest: String,
    cookie: String,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let token = self.token.as_ref().map(|_| "set");
        f.debug_struct("Access").field("address", &self.address).field("token", &token).finish()
    }
}

impl Access {
    /// Who may ask a server at this address. Without a token anybody on this machine may, and nobody else can.
    ///
    /// # Errors
    ///
    /// Other machines can reach the address and there is no token; the token is none.
    pub fn new(address: SocketAddr, token: Option<&str>) -> Result<Self, AccessError> {
        let token = match token {
            Some(token) if !token.bytes().all(|byte| byte.is_ascii_graphic()) => {
                return Err(AccessError::TokenNotText);
            }
            Some(token) if token.len() < MIN_TOKEN_CHARS => return Err(AccessError::TokenTooShort),
            Some(token) => Some(Token {
                digest: canon::sha256_hex(token.as_bytes()),
                cookie: canon::sha256_hex(format!("howfar cookie {token}").as_bytes()),
            }),
            None if address.ip().is_loopback() => None,
            None => return Err(AccessError::TokenMissing { address: address.ip() }),
        };
        Ok(Self { address, token })
    }

    /// Whether a request may name this host: one that means this server, with its port.
    pub(super) fn knows_host(&self, host: &str) -> bool {
        let port = self.address.port();
        let (name, named_port) = match host.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => (name, port_of(digits)),
            Some(_) | None => (host, Some(80)),
        };
        named_port == Some(port) && self.knows_name(name)
    }

    /// Whether a request may come from this origin.
    pub(super) fn knows_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.knows_host(host))
    }

    fn knows_name(&self, name: &str) -> bool {
        let bound = self.address.ip();
        let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let address = match bare {
            Some(six) => six.parse().ok().map(IpAddr::V6),
            None => name.parse().ok().map(IpAddr::V4),
        };
        match address {
            // A server on every address is asked by any of them; a name that resolves to one is not enough.
            Some(_) if bound.is_unspecified() => true,
            Some(address) if bound.is_loopback() => address.is_loopback(),
            Some(address) => address == bound,
            None => {
                name.eq_ignore_ascii_case("localhost")
                    && (bound.is_loopback() || bound.is_unspecified())
            }
        }
    }

    /// Whether a token is needed at all.
    pub(super) const fn needs_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether this is the token; takes as long for every text of one length.
    pub(super) fn is_token(&self, text: &str) -> bool {
        let digest = canon::sha256_hex(text.as_bytes());
        self.token.as_ref().is_some_and(|token| are_same(&digest, &token.digest))
    }

    /// The cookie that stands for the token: its name and its value. `None` without a token.
    pub(super) fn cookie(&self) -> Option<(String, &str)> {
        let token = self.token.as_ref()?;
        Some((format!("howfar_{}", self.address.port()), &token.cookie))
    }

    /// Whether a `Cookie` header holds the cookie that stands for the token.
    pub(super) fn has_cookie(&self, header: &str) -> bool {
        let Some((name, value)) = self.cookie() else { return false };
        header.split(';').filter_map(|cookie| cookie.trim().split_once('=')).any(
            |(given_name, given)| {
                given_name == name
                    && are_same(
                        &canon::sha256_hex(given.as_bytes()),
                        &canon::sha256_hex(value.as_bytes()),
                    )
            },
        )
    }
}

/// A port in digits alone; no sign stands before it.
fn port_of(digits: &str) -> Option<u16> {
    digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Compares two digests without stopping at the first difference.
fn are_same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn at(address: &str, token: Option<&str>) -> Result<Access, AccessError> {
        Access::new(address.parse().expect("a socket address"), token)
    }

    fn known(address: &str, hosts: &[&str]) -> Vec<bool> {
        let access = at(address, Some(TOKEN)).expect("a token is given");
        hosts.iter().map(|host| access.knows_host(host)).collect()
    }

    #[test]
    fn loopback_is_named_in_three_ways_with_its_port() {
        let ours = ["localhost:7357", "127.0.0.1:7357", "[::1]:7357", "LOCALHOST:7357"];
        assert_eq!(known("127.0.0.1:7357", &ours), [true; 4]);
        let foreign = [
            "evil.example:7357",
            "localhost",
            "localhost:80",
            "localhost.evil.example:7357",
            "127.0.0.1.evil.example:7357",
            "192.0.2.1:7357",
            "",
            ":7357",
            "localhost:7357@evil.example",
            "localhost:+7357",
            "::1:7357",
            "[::1]7357",
            "[::ffff:192.0.2.1]:7357",
        ];
        assert_eq!(known("127.0.0.1:7357", &foreign), [false; 13]);
        assert_eq!(known("127.0.0.1:80", &["localhost", "[::1]"]), [true; 2]);
    }

    #[test]
    fn another_address_is_named_by_itself() {
        let hosts = ["192.0.2.1:7357", "192.0.2.2:7357", "localhost:7357", "evil.example:7357"];
        assert_eq!(known("192.0.2.1:7357", &hosts), [true, false, false, false]);
        assert_eq!(known("0.0.0.0:7357", &hosts), [true, true, true, false]);
    }

    #[test]
    fn an_origin_is_ours_or_foreign() {
        let access = at("127.0.0.1:7357", None).expect("loopback needs no token");
        assert!(access.knows_origin("http://localhost:7357"));
        for foreign in
            ["null", "https://localhost:7357", "http://evil.example", "http://localhost:1"]
        {
            assert!(!access.knows_origin(foreign), "{foreign}");
        }
    }

    #[test]
    fn what_others_can_reach_needs_a_token_that_is_one() {
        let error = |address, token| at(address, token).expect_err("it is refused");
        let address = IpAddr::from([0, 0, 0, 0]);
        assert_eq!(error("0.0.0.0:7357", None), AccessError::TokenMissing { address });
        assert_eq!(error("0.0.0.0:7357", Some("short")), AccessError::TokenTooShort);
        assert_eq!(error("127.0.0.1:7357", Some("0123456789 abcdef")), AccessError::TokenNotText);
    }

    #[test]
    fn a_token_is_known_by_itself_and_by_its_cookie() {
        let access = at("127.0.0.1:7357", Some(TOKEN)).expect("a token is given");
        assert!(access.is_token(TOKEN) && !access.is_token("0123456789abcdeF"));
        let (name, value) = access.cookie().expect("there is a token");
        assert!(access.has_cookie(&format!("other=1; {name}={value}")));
        assert!(!access.has_cookie(&format!("{name}={TOKEN}")));
        assert!(!format!("{access:?}").contains(TOKEN));
    }
}
